package match

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// The shortest and longest paces, and the usual one.
const (
	Day      = 24 * time.Hour
	MaxMove  = 14 * Day
	MaxBank  = 60 * Day
	PaceMove = 3 * Day
)

// How long a challenge stays open: to one person, and to whoever comes first.
const (
	openToOne = 7 * Day
	openToAll = 14 * Day
)

// OpenRung is how long a challenge on a ladder stays open. If it is not accepted by then, its opponent
// has as good as lost.
const OpenRung = 3 * Day

// patience is how long a challenge to whoever comes first waits before the computer may take it up.
const patience = time.Hour

// Challenge offers a game, and fills in whatever the challenge leaves open. If the opponent has
// offered the same rematch already, the game begins. It refuses NoSuchVariant, WithYourself, TooLong,
// RatedNeedsTime, RematchAsked, Rematched, NotHere, what Friendly does, TooManyGames, OpponentBusy,
// TooManyChallenges, TooManyHere and what MayClimb does.
func (s *Service) Challenge(ctx context.Context, by event.By, c storage.Challenge) (event.Done, error) {
	switch {
	case s.Variant(c.Variant) == nil:
		return event.Done{}, event.Refuse(event.NoSuchVariant, 0)
	case c.To == by.Person:
		return event.Done{}, event.Refuse(event.WithYourself, 0)
	case c.Pace.Move > MaxMove, c.Pace.Bank > MaxBank:
		return event.Done{}, event.Refuse(event.TooLong, 0)
	case c.Pace.Unlimited() && c.Rated:
		return event.Done{}, event.Refuse(event.RatedNeedsTime, 0)
	}
	code, heads := NewCode(), s.coin()
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		switch offered, err := rematchOf(w.Reader, by, &c); {
		case err != nil:
			return event.Done{}, err
		case offered.ID != 0:
			return s.start(w, by, offered, heads, offered.Seat)
		}
		id, err := w.NewGameID()
		m, err2 := s.Moment(w.Reader)
		if err := cmp.Or(welcome(w.Reader, by, c.To), roomFor(w.Reader, by, c.To), err, err2); err != nil {
			return event.Done{}, err
		}
		c := c
		c.ID, c.From, c.Place, c.At, c.Code, c.Expires = id, by.Person, by.Place, s.now(), code, m.Now.Add(openToOne)
		if c.To == 0 && !c.Waits {
			c.Expires, c.Patience, c.Public = m.Now.Add(openToAll), m.Now.Add(patience), by.Outside
		}
		if c.Ladder {
			c.Expires, err = m.Now.Add(OpenRung), s.MayClimb(w.Reader, &c)
		}
		if err != nil {
			return event.Done{}, err
		}
		if err = w.Challenges().Put(c); !by.Posted {
			err = errors.Join(err, TellChallenge(w, s.now(), by.Person, c, event.Challenged))
		}
		return event.Done{Kind: event.Challenged, Game: id}, err
	})
}

// roomFor refuses a challenge where its maker or the room has as many as allowed, or its maker plays
// as many games as allowed.
func roomFor(r storage.Reader, by event.By, to storage.PersonID) error {
	made, err := r.ChallengesBy(by.Person)
	here, err2 := r.ChallengesAt(by.Place)
	switch err := cmp.Or(freeFor(r, by.Person, event.TooManyGames), err, err2); {
	case err != nil:
		return err
	case len(made) >= limit.Challenges:
		return event.Refuse(event.TooManyChallenges, 0)
	case to == 0 && len(here) >= limit.RoomChallenges:
		return event.Refuse(event.TooManyHere, 0)
	}
	return nil
}

// freeFor refuses another game to a person who plays as many as allowed.
func freeFor(r storage.Reader, p storage.PersonID, why event.Why) error {
	games, err := r.Playing(p)
	if err == nil && len(games) >= limit.Games {
		err = event.Refuse(why, 0)
	}
	return err
}

// rematchOf is the rematch that the asker wants to offer, if their opponent has offered it already. It
// refuses one that the asker has offered already, and a second rematch of the same game.
func rematchOf(r storage.Reader, by event.By, wanted *storage.Challenge) (offered storage.Challenge, err error) {
	if wanted.After == 0 {
		return offered, nil
	}
	switch g, err := event.Named(r, wanted.After); {
	case err != nil:
		return offered, err
	case g.Again != 0:
		return offered, event.Refuse(event.Rematched, g.Again)
	}
	mine, err := r.ChallengesBy(by.Person)
	theirs, err2 := r.ChallengesBy(wanted.To)
	all, err := r.Challenges().All(slices.Concat(mine, theirs), err, err2)
	for _, c := range all {
		switch {
		case c.After == wanted.After && c.From == by.Person:
			return offered, event.Refuse(event.RematchAsked, c.ID)
		case c.After == wanted.After:
			return c, nil
		}
	}
	return offered, err
}

// welcome refuses a game that its server or its opponent (0 for anyone) does not want.
func welcome(r storage.Reader, by event.By, opponent storage.PersonID) error {
	place, err := r.Places().Get(by.Place)
	server, err2 := r.Servers().Find(place.Server)
	rooms := server.Settings.Rooms
	switch err := cmp.Or(err, err2); {
	case err != nil:
		return err
	case len(rooms) > 0 && !slices.Contains(rooms, place.Address.ID) && !slices.Contains(rooms, by.Within):
		return event.Refuse(event.NotHere, 0)
	case opponent == 0:
		return nil
	}
	return Friendly(r, by.Person, opponent)
}

// Friendly refuses a game with somebody who has no account any more, or where one has blocked the
// other: NoAccount, Unwanted or NotWanted.
func Friendly(r storage.Reader, asker, other storage.PersonID) error {
	me, err := r.People().Get(asker)
	switch opponent, err2 := r.People().Get(other); {
	case err != nil || err2 != nil:
		return errors.Join(err, err2)
	case slices.Contains(me.Blocked, other):
		return event.Refuse(event.Unwanted, 0)
	case len(opponent.Identities) == 0:
		return event.Refuse(event.NoAccount, 0)
	case slices.Contains(opponent.Blocked, asker):
		return event.Refuse(event.NotWanted, 0)
	}
	return nil
}

// TellChallenge tells the places that know of a challenge what has become of it.
func TellChallenge(w storage.Writer, at time.Time, by storage.PersonID, c storage.Challenge, what event.Kind) error {
	e := event.Event{Kind: what, By: by, Payload: event.Challenge{After: c.After}}.Entry(c.Place, at)
	e.Game = c.ID
	err := w.Post(e)
	if c.Seat != 0 && c.Seat != c.Place {
		e.Place = c.Seat
		err = errors.Join(err, w.Post(e))
	}
	return err
}

// AnswerChallenge begins the game of a challenge to the asker or to anyone, or ends the challenge. It
// refuses NoSuchChallenge; OwnChallenge, NotForYou and, if it is open to anyone, Elsewhere; to
// decline, ForAnyone; to cancel, NotYourChallenge; to accept, NotWanted, Unwanted, TooManyGames and
// OpponentBusy.
func (s *Service) AnswerChallenge(ctx context.Context, by event.By, id storage.GameID, how Answer) (event.Done, error) {
	done := event.Done{Kind: event.Declined, Game: id}
	if how == Cancel {
		done.Kind = event.Cancelled
	}
	return s.take(ctx, by, id, how, how == Accept, func(w storage.Writer, c storage.Challenge, heads bool) (event.Done, error) {
		switch {
		case how == Accept && c.Public:
			return s.start(w, by, c, heads, by.Place)
		case how == Accept:
			return s.start(w, by, c, heads, c.Seat)
		}
		err := errors.Join(TellChallenge(w, s.now(), by.Person, c, done.Kind), w.Challenges().Delete(c.ID))
		if how == Decline {
			err = errors.Join(err, s.unmet(w, &c))
		}
		return done, err
	})
}

// unmet handles a challenge that its opponent does not take up: on a ladder, they have as good as
// lost.
func (s *Service) unmet(w storage.Writer, c *storage.Challenge) error {
	if !c.Ladder {
		return nil
	}
	return s.Contest(w, &storage.Game{
		ID: c.ID, Variant: c.Variant, Ladder: c.Server, Players: [2]storage.PersonID{c.From, c.To}, Place: c.Place, Began: c.At,
		Result: rules.WhiteWins.String(), Ending: string(rules.ByTime),
	})
}

// take does something with a challenge if the asker may answer it in this way. The button that begins
// its game may be pressed twice.
func (s *Service) take(ctx context.Context, by event.By, id storage.GameID, how Answer, begins bool, do func(w storage.Writer, c storage.Challenge, heads bool) (event.Done, error)) (event.Done, error) {
	heads := begins && s.coin()
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		c, err := challenge(w.Reader, id)
		if err := cmp.Or(err, mayAnswer(w.Reader, by, &c, how)); err != nil {
			return event.Done{}, err
		}
		return do(w, c, heads)
	})
	if begins && event.IsRefused(err, event.NoSuchChallenge) {
		if g, lost := s.stored(ctx, id); lost == nil && !g.Over() && len(g.Moves) == 0 && slices.Contains(g.Players[:], by.Person) {
			return event.Done{Kind: event.Began, Game: id}, nil
		}
	}
	return done, err
}

// mayAnswer refuses an asker who may not answer a challenge in this way.
func mayAnswer(r storage.Reader, by event.By, c *storage.Challenge, how Answer) error {
	switch own := c.From == by.Person; {
	case how == Cancel && !own:
		return event.Refuse(event.NotYourChallenge, c.ID)
	case how == Cancel:
		return nil
	case own:
		return event.Refuse(event.OwnChallenge, c.ID)
	case isFor(c, by), how == Accept && c.Public && by.Outside:
		return nil
	case how == Decline && c.To == 0 && !c.Waits:
		return event.Refuse(event.ForAnyone, c.ID)
	case c.To != 0 || c.Waits:
		return event.Refuse(event.NotForYou, c.ID)
	}
	near, err := beside(r, by.Place, c.Place)
	if err == nil && !near && by.Outside {
		career, missing := r.Standings(by.Person) // of the server, if they play there
		near, err = c.Server != 0 && slices.Contains(career.Servers, c.Server), storage.UnlessMissing(missing)
	}
	if err == nil && !near {
		err = event.Refuse(event.Elsewhere, c.ID)
	}
	return err
}

// isFor reports whether a challenge names the asker.
func isFor(c *storage.Challenge, by event.By) bool {
	return c.To != 0 && c.To == by.Person || c.Waits && by.Called != "" && strings.EqualFold(c.Named, by.Called)
}

// challenge reads an open challenge; it refuses NoSuchChallenge.
func challenge(r storage.Reader, id storage.GameID) (storage.Challenge, error) {
	c, err := r.Challenges().Get(id)
	if errors.Is(err, storage.ErrNotFound) {
		err = event.Refuse(event.NoSuchChallenge, id)
	}
	return c, err
}

// beside reports whether two places are the same, or belong to the same server.
func beside(r storage.Reader, one, other storage.PlaceID) (bool, error) {
	if one == other {
		return true, nil
	}
	a, err := r.Places().Get(one)
	b, err2 := r.Places().Get(other)
	return a.Server != 0 && a.Server == b.Server, cmp.Or(err, err2)
}

// Join begins the game of the challenge that a code is for, whoever it is to: the code of a challenge
// to one person is given to nobody else. The asker plays where they are. It refuses OtherCode,
// OwnChallenge, BadInvitation, TooManyGuesses, NotWanted, Unwanted, TooManyGames and OpponentBusy.
func (s *Service) Join(ctx context.Context, by event.By, code string) (event.Done, error) {
	heads := s.coin()
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		link, err := s.CodeOf(w.Reader, by, Tidy(code))
		if err == nil && link.Challenge == 0 {
			err = event.Refuse(event.OtherCode, 0)
		}
		c, err2 := w.Challenges().Get(link.Challenge)
		near, err3 := beside(w.Reader, by.Place, c.Place)
		switch err := cmp.Or(err, err2, err3); {
		case err != nil:
			return event.Done{}, err
		case c.From == by.Person:
			return event.Done{}, event.Refuse(event.OwnChallenge, c.ID)
		case near:
			return s.start(w, by, c, heads, 0)
		}
		return s.start(w, by, c, heads, by.Place)
	})
	if err = s.CountGuess(ctx, by, err); event.IsRefused(err, event.BadCode) {
		err = event.Refuse(event.BadInvitation, 0)
	}
	return done, err
}

// start begins the game of an open challenge that the asker takes up; they play it at seat if that is
// not 0.
func (s *Service) start(w storage.Writer, by event.By, c storage.Challenge, heads bool, seat storage.PlaceID) (event.Done, error) {
	g, err := s.begin(c, by.Person, heads)
	me, err2 := w.People().Get(by.Person)
	busy := cmp.Or(freeFor(w.Reader, by.Person, event.TooManyGames), freeFor(w.Reader, c.From, event.OpponentBusy))
	if err := cmp.Or(Friendly(w.Reader, by.Person, c.From), busy, err, err2); err != nil {
		return event.Done{}, err
	}
	if side, ok := g.SideOf(by.Person); ok && seat != c.Place {
		g.Seats[side] = seat
	}
	err = errors.Join(playHere(w.Reader, &g, by, &me), s.keepTime(w.Reader, &storage.Game{}, &g, &me), rematched(w, c, &g))
	done, err2 := s.putNew(w, &g, event.Event{Kind: event.Began, By: by.Person})
	return done, errors.Join(err, err2, w.Challenges().Delete(c.ID))
}

// Pair begins a game that was drawn up for two people, who have not asked for it. The challenge, made
// in White's name, says its kind and pace and the seats of both.
func (s *Service) Pair(w storage.Writer, c storage.Challenge, season storage.SeasonID, part int) (storage.Game, error) {
	id, err := w.NewGameID()
	c.ID, c.Color = id, "white"
	g, err2 := s.begin(c, c.To, false)
	white, err3 := w.People().Get(c.From)
	if err := cmp.Or(err, err2, err3); err != nil {
		return g, err
	}
	if g.Season, g.Part = season, part; c.Seat != c.Place {
		g.Seats[storage.Black] = c.Seat
	}
	err = s.keepTime(w.Reader, &storage.Game{}, &g, &white)
	_, err2 = s.putNew(w, &g, event.Event{Kind: event.Began})
	return g, errors.Join(err, err2)
}

// putNew stores a game that begins, and posts an event about it.
func (s *Service) putNew(w storage.Writer, g *storage.Game, told event.Event) (event.Done, error) {
	err := errors.Join(w.Games().Put(*g), cameWith(w, g), s.events.Post(w, g, told))
	return event.Done{Kind: event.Began, Game: g.ID}, err
}

// rematched notes with a game that its rematch has begun, and carries over what [Service.Call] has set.
func rematched(w storage.Writer, c storage.Challenge, again *storage.Game) error {
	g, err := w.Games().Find(c.After)
	if err != nil || g.ID == 0 {
		return err // without the game, no second rematch can be asked for
	}
	again.Called, again.Turning = [2]string{g.Called[1], g.Called[0]}, g.Turning // as the colors are swapped too
	g.Again = c.ID
	return w.Games().Put(g)
}

// Call gives White and Black names that they go by in this game alone, and says whether its board turns to the player
// to move.
func (s *Service) Call(ctx context.Context, id storage.GameID, names [2]string, turning bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		return w.Games().Change(id, func(g *storage.Game) { g.Called, g.Turning = names, turning })
	})
}

// JoinCode is the code of a challenge by the asker or to them, or of an open one that was
// made where they are. It refuses NoSuchChallenge and NotForYou.
func (s *Service) JoinCode(ctx context.Context, by event.By, id storage.GameID) (string, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (string, error) {
		c, err := challenge(r, id)
		near, err2 := beside(r, by.Place, c.Place)
		if err = cmp.Or(err, err2); err == nil && c.From != by.Person && c.To != by.Person && (c.To != 0 || c.Waits || !near) {
			err = event.Refuse(event.NotForYou, id)
		}
		return c.Code, err
	})
}

// begin is the game that a challenge becomes.
func (s *Service) begin(c storage.Challenge, opponent storage.PersonID, heads bool) (storage.Game, error) {
	pos, err := s.position(&storage.Game{ID: c.ID, Variant: c.Variant}, "")
	if err != nil {
		return storage.Game{}, err
	}
	g := storage.Game{
		ID: c.ID, Variant: c.Variant, Players: [2]storage.PersonID{c.From, opponent}, Rated: c.Rated,
		Place: c.Place, Began: s.now(), Changed: s.now(), FEN: pos.FEN(), Turn: SideToMove(pos), Turned: s.now(), Pace: c.Pace,
		Result: rules.Unfinished.String(),
	}
	if c.Color == "black" || c.Color == "random" && heads {
		g.Players[storage.White], g.Players[storage.Black] = opponent, c.From
	}
	if c.Ladder {
		g.Ladder = c.Server
		g.Climbs, _ = g.SideOf(c.From)
	}
	return g, nil
}

// Rematch challenges the opponent of a game that has ended to another, with the colours swapped;
// against the computer, it begins at once. It refuses NotPlaying, NotOver and what Challenge and
// PlayComputer do.
func (s *Service) Rematch(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	g, err := s.stored(ctx, id)
	if err != nil {
		return event.Done{}, err
	}
	side, ok := g.SideOf(by.Person)
	color := strings.ToLower(rules.Color(1 - side).String())
	switch {
	case !ok:
		return event.Done{}, event.Refuse(event.NotPlaying, id)
	case !g.Over():
		return event.Done{}, event.Refuse(event.NotOver, id)
	case g.Levels[1-side] != 0:
		return s.PlayComputer(ctx, by, Practice{Variant: g.Variant, Level: g.Levels[1-side], Color: color, Face: g.Face})
	}
	return s.Challenge(ctx, by, storage.Challenge{
		After: id, To: g.Players[1-side], Seat: g.Seat(1 - side), Variant: g.Variant, Color: color, Rated: g.Rated, Pace: g.Pace,
	})
}

// cameWith notes that a game was begun from an account that the player has linked.
func cameWith(w storage.Writer, g *storage.Game) (err error) {
	for side, id := range g.Players {
		p, err2 := w.People().Get(id)
		seat, err3 := w.Places().Get(g.Seat(side))
		err = errors.Join(err, err2, err3)
		for _, j := range p.Joined {
			if j.Account.Platform == seat.Address.Platform {
				err = errors.Join(err, w.PutCame(j.As, g.ID, true))
			}
		}
	}
	return err
}

// Challenges are the open challenges by a person, and those to them by name, that the asker may see
// where they are, in order of number.
func (s *Service) Challenges(ctx context.Context, by event.By, p storage.PersonID) (made, pending []storage.Challenge, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		allowed, err := event.NewPermissions(r, by)
		theirs, err2 := r.Challenges().All(r.ChallengesBy(p))
		toThem, err3 := r.Challenges().All(r.ChallengesTo(p))
		err = cmp.Or(err, err2, err3)
		hidden := func(c storage.Challenge) bool {
			sees, err2 := allowed.SeesChallenge(c)
			err = cmp.Or(err, err2)
			return !sees
		}
		made, pending = slices.DeleteFunc(theirs, hidden), slices.DeleteFunc(toThem, hidden)
		return err
	})
	return made, pending, err
}

// Lobby are the challenges that the asker could join where they are, in order of number: those to
// whoever comes first, made there or elsewhere in the server, and those to them by name; of one kind
// of game, or of all for "". Outside of chats, these are the challenges of servers where they have
// played, and those that others have opened outside of chats.
func (s *Service) Lobby(ctx context.Context, by event.By, variant string) ([]storage.Challenge, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (all []storage.Challenge, err error) {
		place, err := r.Places().Find(by.Place)
		open, err2 := r.ChallengesAt(by.Place)
		if place.Server != 0 {
			open, err2 = r.ChallengesIn(place.Server)
		}
		if by.Outside {
			career, missing := r.Standings(by.Person)
			err = cmp.Or(err, storage.UnlessMissing(missing))
			for _, s := range append(career.Servers, storage.World) {
				near, err3 := r.ChallengesIn(s)
				open, err2 = append(open, near...), cmp.Or(err2, err3)
			}
		}
		toThem, err3 := r.ChallengesTo(by.Person)
		all, err = r.Challenges().All(slices.Compact(slices.Sorted(slices.Values(append(open, toThem...)))), err, err2, err3)
		return slices.DeleteFunc(all, func(c storage.Challenge) bool {
			other := variant != "" && c.Variant != variant
			return other || mayAnswer(r, by, &c, Accept) != nil || Friendly(r, by.Person, c.From) != nil
		}), err
	})
}

// ChallengeOf reads an open challenge; it refuses NoSuchChallenge.
func (s *Service) ChallengeOf(ctx context.Context, id storage.GameID) (storage.Challenge, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (storage.Challenge, error) { return challenge(r, id) })
}

// Limits of codes.
const (
	LinkFor    = 15 * time.Minute // a code is good for
	CodeLength = 12
)

// NewCode makes a code that cannot be guessed: 60 random bits.
func NewCode() string { return rand.Text()[:CodeLength] }

// IsCode reports whether a text has the form of our codes.
func IsCode(text string) bool {
	text = Tidy(text)
	return len(text) == CodeLength && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// Tidy is a code, as somebody typed it, in the form in which it was given out.
func Tidy(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// CodeOf is what a code is for, unless the asker has guessed too often.
func (s *Service) CodeOf(r storage.Reader, by event.By, code string) (storage.Link, error) {
	me, err := r.People().Get(by.Person)
	link, err2 := r.Links().Get(code)
	switch {
	case err != nil:
		return storage.Link{}, err
	case me.Guesses >= limit.Guesses && s.now().Sub(me.Guessed) < limit.GuessTime:
		return storage.Link{}, event.Refuse(event.TooManyGuesses, 0)
	case errors.Is(err2, storage.ErrNotFound), err2 == nil && !link.Expires.IsZero() && s.now().After(link.Expires):
		return link, event.Refuse(event.BadCode, 0)
	}
	return link, err2
}

// CountGuess counts a wrong code against the asker, and returns the error it was given.
func (s *Service) CountGuess(ctx context.Context, by event.By, err error) error {
	if !event.IsRefused(err, event.BadCode) {
		return err
	}
	return errors.Join(err, s.store.Update(ctx, func(w storage.Writer) error {
		return w.People().Change(by.Person, func(p *storage.Person) {
			if s.now().Sub(p.Guessed) >= limit.GuessTime {
				p.Guesses, p.Guessed = 0, s.now()
			}
			p.Guesses++
		})
	}))
}
