package match

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// Challenges keeps challenges, until they become games. It is safe for concurrent use.
type Challenges struct {
	store  *storage.Store
	inbox  *inbox.Inbox
	games  *Games
	clocks *Clocks
	now    func() time.Time
	coin   func() bool // tossed for colours
}

// Terms are what a challenge proposes.
type Terms struct {
	To      storage.PersonID // 0: whoever comes first
	Seat    storage.PlaceID  // where To plays, if that is known to be elsewhere
	Named   string           // whom it names that nobody has met
	Within  string           // the id of the channel around the place, if that is a thread
	After   storage.GameID   // the game that shall be played again, 0 for none
	Variant string
	Color   string // of the challenger: "white", "black" or "random"
	Rated   bool
	Pace    storage.Pace
}

// Bounds of a pace, and the pace that is usual.
const (
	Day      = 24 * time.Hour
	MaxMove  = 14 * Day
	MaxBank  = 60 * Day
	PaceMove = 3 * Day
)

// For how long a challenge is open: to a person, and to whoever comes first.
const (
	OpenToOne = 7 * Day
	OpenToAll = 14 * Day
)

// Challenge offers a game.
func (s *Challenges) Challenge(ctx context.Context, by inbox.By, terms Terms) (inbox.Done, error) {
	switch {
	case s.games.Variant(terms.Variant) == nil:
		return inbox.Done{}, inbox.Refuse(inbox.NoSuchVariant, 0)
	case terms.To == by.Person:
		return inbox.Done{}, inbox.Refuse(inbox.WithYourself, 0)
	case terms.Pace.Move > MaxMove, terms.Pace.Bank > MaxBank:
		return inbox.Done{}, inbox.Refuse(inbox.TooLong, 0)
	case terms.Pace.Move == 0 && (terms.Rated || terms.Pace.Bank > 0):
		return inbox.Done{}, inbox.Refuse(inbox.RatedNeedsTime, 0)
	}
	code, heads := NewCode(), s.coin()
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		if offered, err := rematchOf(w.Reader, by, terms); err != nil || offered.ID != 0 {
			done, err2 := inbox.Done{}, err
			if err == nil {
				done, err2 = s.start(w, by, offered, heads, offered.Seat)
			}
			if err2 != nil {
				return inbox.Done{}, err2
			}
			return done, w.DeleteChallenge(offered)
		}
		if err := welcome(w.Reader, by, terms); err != nil {
			return inbox.Done{}, err
		}
		if err := roomFor(w.Reader, by, terms); err != nil {
			return inbox.Done{}, err
		}
		id, err := w.NewGameID()
		if err != nil {
			return inbox.Done{}, err
		}
		c := storage.Challenge{
			ID: id, From: by.Person, To: terms.To, Variant: terms.Variant,
			Color: terms.Color, Rated: terms.Rated, Pace: terms.Pace, Place: by.Place, Seat: terms.Seat, At: s.now(),
			Code: code, Named: terms.Named, After: terms.After,
		}
		now, _, err := s.clocks.Running(w.Reader)
		if err != nil {
			return inbox.Done{}, err
		}
		c.Expires = now.Add(OpenToOne)
		if c.To == 0 {
			c.Expires = now.Add(OpenToAll)
		}
		if err := w.PutChallenge(c); err != nil {
			return inbox.Done{}, err
		}
		return inbox.Done{What: inbox.Challenged, Game: id}, Announce(w, s.now(), by, c, inbox.Challenged)
	})
}

// roomFor refuses a challenge where there are as many as there can be, or its maker plays
// as many games.
func roomFor(r storage.Reader, by inbox.By, terms Terms) error {
	if err := freeFor(r, by.Person, inbox.TooManyGames); err != nil {
		return err
	}
	made, err := r.ChallengesBy(by.Person)
	switch {
	case err != nil:
		return err
	case len(made) >= limit.Challenges:
		return inbox.Refuse(inbox.TooManyChallenges, 0)
	case terms.To != 0:
		return nil
	}
	here, err := r.ChallengesAt(by.Place)
	if err == nil && len(here) >= limit.RoomChallenges {
		err = inbox.Refuse(inbox.TooManyHere, 0)
	}
	return err
}

// freeFor refuses another game to a person who plays as many as one can.
func freeFor(r storage.Reader, p storage.PersonID, why inbox.Why) error {
	games, err := r.Playing(p)
	if err == nil && len(games) >= limit.Games {
		err = inbox.Refuse(why, 0)
	}
	return err
}

// rematchOf is the rematch that the asker wants to offer, if his opponent has offered it
// already. That he has done so himself is refused.
func rematchOf(r storage.Reader, by inbox.By, terms Terms) (storage.Challenge, error) {
	if terms.After == 0 {
		return storage.Challenge{}, nil
	}
	for _, from := range []storage.PersonID{by.Person, terms.To} {
		ids, err := r.ChallengesBy(from)
		if err != nil {
			return storage.Challenge{}, err
		}
		open, err := storage.All(r.ReadChallenges(ids))
		if err != nil {
			return storage.Challenge{}, err
		}
		i := slices.IndexFunc(open, func(c storage.Challenge) bool { return c.After == terms.After })
		switch {
		case i < 0:
		case from == by.Person:
			return storage.Challenge{}, inbox.Refuse(inbox.RematchAsked, open[i].ID)
		default:
			return open[i], nil
		}
	}
	return storage.Challenge{}, nil
}

// welcome refuses a challenge where its server or its opponent wants none.
func welcome(r storage.Reader, by inbox.By, terms Terms) error {
	to := terms.To
	place, err := r.Place(by.Place)
	if err != nil {
		return err
	}
	if place.Server != 0 {
		server, err := r.Server(place.Server)
		if err != nil {
			return err
		}
		if rooms := server.Settings.Rooms; len(rooms) > 0 && !slices.Contains(rooms, place.Address.ID) && !slices.Contains(rooms, terms.Within) {
			return inbox.Refuse(inbox.NotHere, 0)
		}
	}
	if to == 0 {
		return nil
	}
	opponent, err := r.Person(to)
	if err == nil && (len(opponent.Identities) == 0 || slices.Contains(opponent.Blocked, by.Person)) {
		err = inbox.Refuse(inbox.NotWanted, 0)
	}
	return err
}

// Announce says where a challenge is known what has become of it.
func Announce(w storage.Writer, at time.Time, by inbox.By, c storage.Challenge, what inbox.What) error {
	e := storage.Entry{Place: c.Place, Game: c.ID, At: at, Kind: string(what), By: by.Person}
	if c.After != 0 {
		e.Facts = map[string]string{inbox.FactAfter: strconv.FormatUint(uint64(c.After), 10)}
	}
	err := w.Post(e)
	if c.Seat != 0 && c.Seat != c.Place {
		e.Place = c.Seat
		err = errors.Join(err, w.Post(e))
	}
	return err
}

// AcceptChallenge makes a game of a challenge to the asker, or to anyone.
func (s *Challenges) AcceptChallenge(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	heads := s.coin()
	done, err := s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (inbox.Done, error) {
		near, err := beside(w.Reader, by.Place, c.Place)
		switch {
		case err != nil:
			return inbox.Done{}, err
		case c.From == by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.OwnChallenge, id)
		case c.To != 0 && c.To != by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.NotForYou, id)
		case c.To == 0 && !near:
			return inbox.Done{}, inbox.Refuse(inbox.Elsewhere, id)
		}
		return s.start(w, by, c, heads, c.Seat)
	})
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) && no.Why == inbox.NoSuchChallenge {
		if g, lost := s.games.stored(ctx, id); lost == nil && !g.Over() && len(g.Moves) == 0 && plays(&g, by.Person) {
			return inbox.Done{What: inbox.Began, Game: id}, nil // the button was pressed twice
		}
	}
	return done, err
}

func plays(g *storage.Game, p storage.PersonID) bool {
	_, ok := g.SideOf(p)
	return ok
}

// beside reports whether two places are the same, or belong to the same server.
func beside(r storage.Reader, one, other storage.PlaceID) (bool, error) {
	if one == other {
		return true, nil
	}
	a, err := r.Place(one)
	if err != nil {
		return false, err
	}
	b, err := r.Place(other)
	return a.Server != 0 && a.Server == b.Server, err
}

// Join makes a game of the challenge that a code is for, whomever it is to: who makes a
// challenge to somebody gives the code to nobody else. The asker plays where he is.
func (s *Challenges) Join(ctx context.Context, by inbox.By, code string) (inbox.Done, error) {
	heads := s.coin()
	done, err := s.redeem(ctx, by, Tidy(code), func(w storage.Writer, link storage.Link) (inbox.Done, error) {
		if link.Challenge == 0 {
			return inbox.Done{}, inbox.Refuse(inbox.OtherCode, 0)
		}
		c, err := w.Challenge(link.Challenge)
		switch {
		case err != nil:
			return inbox.Done{}, err
		case c.From == by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.OwnChallenge, c.ID)
		}
		near, err := beside(w.Reader, by.Place, c.Place)
		if err != nil {
			return inbox.Done{}, err
		}
		seat := by.Place
		if near {
			seat = 0
		}
		done, err := s.start(w, by, c, heads, seat)
		return done, errors.Join(err, w.DeleteChallenge(c))
	})
	if no := (*inbox.Refusal)(nil); errors.As(err, &no) && no.Why == inbox.BadCode {
		err = inbox.Refuse(inbox.BadInvitation, 0)
	}
	return done, err
}

// start makes a game of a challenge that the asker takes up, who plays it at seat if that
// is not 0.
func (s *Challenges) start(w storage.Writer, by inbox.By, c storage.Challenge, heads bool, seat storage.PlaceID) (inbox.Done, error) {
	if err := freeFor(w.Reader, by.Person, inbox.TooManyGames); err != nil {
		return inbox.Done{}, err
	}
	if err := freeFor(w.Reader, c.From, inbox.OpponentBusy); err != nil {
		return inbox.Done{}, err
	}
	g, err := s.begin(c, by.Person, heads)
	if err != nil {
		return inbox.Done{}, err
	}
	if side, ok := g.SideOf(by.Person); ok && seat != c.Place {
		g.Seats[side] = seat
	}
	if err := moveSeat(w.Reader, &g, by); err != nil {
		return inbox.Done{}, err
	}
	if err := s.clocks.keepTime(w, &storage.Game{}, &g); err != nil {
		return inbox.Done{}, err
	}
	if err := errors.Join(w.PutGame(storage.Game{}, g), came(w, &g)); err != nil {
		return inbox.Done{}, err
	}
	return inbox.Done{What: inbox.Began, Game: c.ID}, s.inbox.Post(w, &g, inbox.Said{What: inbox.Began, By: by.Person})
}

// JoinCode is the code of a challenge by the asker or to him, or of an open one that was
// made where he is.
func (s *Challenges) JoinCode(ctx context.Context, by inbox.By, id storage.GameID) (string, error) {
	code := NewCode()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		c, err := w.Challenge(id)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return inbox.Refuse(inbox.NoSuchChallenge, id)
		case err != nil:
			return err
		}
		near, err := beside(w.Reader, by.Place, c.Place)
		switch {
		case err != nil:
			return err
		case c.From != by.Person && c.To != by.Person && (c.To != 0 || !near):
			return inbox.Refuse(inbox.NotForYou, id)
		case c.Code != "":
			code = c.Code
			return nil
		}
		was := c // made before there were codes
		c.Code = code
		return errors.Join(w.DeleteChallenge(was), w.PutChallenge(c))
	})
	return code, err
}

// begin is the game that a challenge becomes.
func (s *Challenges) begin(c storage.Challenge, opponent storage.PersonID, heads bool) (storage.Game, error) {
	v := s.games.Variant(c.Variant)
	if v == nil {
		return storage.Game{}, inbox.Refuse(inbox.NoSuchVariant, c.ID)
	}
	pos, err := v.Position("")
	if err != nil {
		return storage.Game{}, err
	}
	g := storage.Game{
		ID: c.ID, Variant: c.Variant, Players: [2]storage.PersonID{c.From, opponent}, Rated: c.Rated,
		Place: c.Place, Began: s.now(), Changed: s.now(), FEN: pos.FEN(), Turn: SideToMove(pos), Pace: c.Pace,
		Result: rules.Unfinished.String(),
	}
	if c.Color == "black" || c.Color == "random" && heads {
		g.Players[storage.White], g.Players[storage.Black] = opponent, c.From
	}
	return g, nil
}

// DeclineChallenge ends a challenge to the asker.
func (s *Challenges) DeclineChallenge(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (inbox.Done, error) {
		switch {
		case c.From == by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.OwnChallenge, id)
		case c.To == 0:
			return inbox.Done{}, inbox.Refuse(inbox.ForAnyone, id)
		case c.To != by.Person:
			return inbox.Done{}, inbox.Refuse(inbox.NotForYou, id)
		}
		return inbox.Done{What: inbox.Declined, Game: id}, Announce(w, s.now(), by, c, inbox.Declined)
	})
}

// CancelChallenge takes the asker's own challenge back.
func (s *Challenges) CancelChallenge(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	return s.answerChallenge(ctx, by, id, func(w storage.Writer, c storage.Challenge) (inbox.Done, error) {
		if c.From != by.Person {
			return inbox.Done{}, inbox.Refuse(inbox.NotYourChallenge, id)
		}
		return inbox.Done{What: inbox.Cancelled, Game: id}, Announce(w, s.now(), by, c, inbox.Cancelled)
	})
}

// answerChallenge carries an answer out and removes the challenge.
func (s *Challenges) answerChallenge(ctx context.Context, by inbox.By, id storage.GameID,
	answer func(storage.Writer, storage.Challenge) (inbox.Done, error),
) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		c, err := w.Challenge(id)
		switch {
		case errors.Is(err, storage.ErrNotFound):
			return inbox.Done{}, inbox.Refuse(inbox.NoSuchChallenge, id)
		case err != nil:
			return inbox.Done{}, err
		}
		done, err := answer(w, c)
		if err != nil {
			return inbox.Done{}, err
		}
		return done, w.DeleteChallenge(c)
	})
}

// Rematch challenges the opponent of a game that has ended to another, with the
// colours swapped.
func (s *Challenges) Rematch(ctx context.Context, by inbox.By, id storage.GameID) (inbox.Done, error) {
	g, err := s.games.stored(ctx, id)
	if err != nil {
		return inbox.Done{}, err
	}
	side, ok := g.SideOf(by.Person)
	switch {
	case !ok:
		return inbox.Done{}, inbox.Refuse(inbox.NotPlaying, id)
	case !g.Over():
		return inbox.Done{}, inbox.Refuse(inbox.NotOver, id)
	}
	return s.Challenge(ctx, by, Terms{
		After: id, To: g.Players[1-side], Seat: g.Seat(1 - side), Variant: g.Variant, Color: strings.ToLower(rules.Color(1 - side).String()), Rated: g.Rated, Pace: g.Pace,
	})
}

// came notes that a game was begun from an account that is a player's by a link.
func came(w storage.Writer, g *storage.Game) error {
	for side, id := range g.Players {
		p, err := w.Person(id)
		if err != nil {
			return err
		}
		if len(p.Joined) == 0 {
			continue
		}
		seat, err := w.Place(g.Seat(side))
		if err != nil {
			return err
		}
		for _, j := range p.Joined {
			if j.Account.Platform != seat.Address.Platform {
				continue
			}
			if err := w.PutCame(j.As, g.ID, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// Challenges are the open challenges by a person and to him by name, in order of
// number.
func (s *Challenges) Challenges(ctx context.Context, p storage.PersonID) (by, to []storage.Challenge, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		ids, err := r.ChallengesBy(p)
		if err != nil {
			return err
		}
		if by, err = storage.All(r.ReadChallenges(ids)); err != nil {
			return err
		}
		if ids, err = r.ChallengesTo(p); err != nil {
			return err
		}
		to, err = storage.All(r.ReadChallenges(ids))
		return err
	})
	return by, to, err
}

// ChallengeOf reads an open challenge; NoSuchChallenge if it is gone.
func (s *Challenges) ChallengeOf(ctx context.Context, id storage.GameID) (storage.Challenge, error) {
	var c storage.Challenge
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		c, err = r.Challenge(id)
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		err = inbox.Refuse(inbox.NoSuchChallenge, id)
	}
	return c, err
}
