package match

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"chimera/bot/limit"
	"chimera/storage"
)

// Bounds of links.
const (
	LinkFor    = 15 * time.Minute // a code is good for
	CodeLength = 12
)

// newCode is a code that nobody guesses: 60 bits.
func newCode() string { return rand.Text()[:CodeLength] }

// NewLink is a one-time code with which the asker's account on another platform becomes
// the same person. An earlier one ends. The same message gets the same code, while that is
// good.
func (s *Service) NewLink(ctx context.Context, by By) (string, error) {
	code := newCode()
	err := s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.Person(by.Person)
		if err != nil {
			return err
		}
		again, err := seen(w.Reader, by.Message)
		if err != nil {
			return err
		}
		was := p
		if p.Link != "" {
			link, err := w.Link(p.Link)
			if err == nil && again != nil && !s.now().After(link.Expires) {
				code = p.Link
				return nil
			}
			if err := w.DropLink(p.Link); err != nil {
				return err
			}
		}
		p.Link = code
		return errors.Join(
			w.PutPerson(was, p), w.PutLink(code, storage.Link{Person: p.ID, Expires: s.now().Add(LinkFor)}),
			s.remember(w, by.Message, Done{What: Chose}, ""),
		)
	})
	return code, err
}

// UseLink makes the asker the person whose code it is: his account, games, challenges
// and results become that person's. The code is used up.
func (s *Service) UseLink(ctx context.Context, by By, code string) (Done, error) {
	code = tidy(code)
	return s.redeem(ctx, by, code, func(w storage.Writer, link storage.Link) (Done, error) {
		switch link.Person {
		case 0:
			return Done{}, &Refusal{Why: OtherCode}
		case by.Person:
			return Done{}, &Refusal{Why: SamePerson}
		}
		me, err := w.Person(by.Person)
		if err != nil {
			return Done{}, err
		}
		into, err := w.Person(link.Person)
		if err != nil {
			return Done{}, err
		}
		if err := w.DropLink(code); err != nil {
			return Done{}, err
		}
		return Done{What: Chose}, s.unite(w, me, into)
	})
}

// IsCode reports whether a text has the form of the codes that are given out.
func IsCode(text string) bool {
	text = tidy(text)
	return len(text) == CodeLength && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

// tidy is a code as it was given out, of how somebody has typed it.
func tidy(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// redeem carries out what a code is for, unless the asker has guessed too often.
func (s *Service) redeem(ctx context.Context, by By, code string, do func(storage.Writer, storage.Link) (Done, error)) (Done, error) {
	done, err := s.once(ctx, by, func(w storage.Writer) (Done, error) {
		me, err := w.Person(by.Person)
		if err != nil {
			return Done{}, err
		}
		if me.Guesses >= limit.Guesses && s.now().Sub(me.Guessed) < limit.GuessTime {
			return Done{}, &Refusal{Why: TooManyGuesses}
		}
		link, err := w.Link(code)
		switch {
		case errors.Is(err, storage.ErrNotFound), err == nil && !link.Expires.IsZero() && s.now().After(link.Expires):
			return Done{}, &Refusal{Why: BadCode}
		case err != nil:
			return Done{}, err
		}
		return do(w, link)
	})
	if no := (*Refusal)(nil); errors.As(err, &no) && no.Why == BadCode {
		err = errors.Join(err, s.guessed(ctx, by.Person))
	}
	return done, err
}

// guessed counts a code that was wrong.
func (s *Service) guessed(ctx context.Context, id storage.PersonID) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.Person(id)
		if err != nil {
			return err
		}
		was := p
		if s.now().Sub(p.Guessed) >= limit.GuessTime {
			p.Guesses, p.Guessed = 0, s.now()
		}
		p.Guesses++
		return w.PutPerson(was, p)
	})
}

// unite makes one person of two. The vacation of the one who goes ends; that of the other
// is for the games that come too.
func (s *Service) unite(w storage.Writer, from, into storage.Person) error {
	now, clocks, err := s.running(w.Reader)
	if err != nil {
		return err
	}
	switch {
	case from.Away() && into.Away():
		err = s.resume(w, from, now, clocks) // they stop again
	case from.Away():
		err = s.comeBack(w, from, now, clocks, 0)
	case into.Away():
		err = s.tellOpponents(w, from.ID, WentAway, awayFacts(&into, clocks), 0)
	}
	if err != nil {
		return err
	}
	if from, err = w.Person(from.ID); err != nil {
		return err
	}
	playing, err := w.Playing(from.ID)
	if err != nil {
		return err
	}
	played, err := w.Played(from.ID)
	if err != nil {
		return err
	}
	for g, err := range w.Read(append(playing, played...)) {
		if err != nil {
			return err
		}
		side, _ := g.SideOf(from.ID)
		if g.Players[1-side] == into.ID {
			return &Refusal{Why: PlayEachOther}
		}
		was := g
		g.Players[side] = into.ID
		for _, o := range []*storage.Offer{g.Draw, g.Takeback, g.Resign, g.Abort} {
			if o != nil && o.By == from.ID {
				o.By = into.ID
			}
		}
		if !g.Over() && g.Pace.Move > 0 && g.Turn == side {
			if into.Away() {
				g.Clock.Stopped = now
			}
			s.setWake(&g, &into, now, clocks)
		}
		if err := errors.Join(w.PutGame(was, g), renameResult(w, &g)); err != nil {
			return err
		}
	}
	if err := s.uniteChallenges(w, from.ID, into.ID); err != nil {
		return err
	}
	if err := beWary(w, from.ID, into.ID); err != nil {
		return err
	}
	if into, err = w.Person(into.ID); err != nil { // who may have blocked himself
		return err
	}
	career, err := w.Career(from.ID)
	if err != nil {
		return err
	}
	joined, err := w.Career(into.ID)
	if err != nil {
		return err
	}
	for _, server := range career.Servers {
		joined.Join(server)
	}
	if err := w.PutCareer(into.ID, joined); err != nil {
		return err
	}
	if from.Link != "" {
		if err := w.DropLink(from.Link); err != nil {
			return err
		}
	}
	if err := s.sayBy(w, from.ID, into.ID); err != nil {
		return err
	}
	// Identities leave the one before they come to the other, whose index stays.
	was, gone := into, nobody(from.ID)
	into.Identities = append(slices.Clone(into.Identities), from.Identities...)
	into.Link = ""
	into.Blocked = slices.DeleteFunc(distinct(slices.Concat(into.Blocked, from.Blocked)), func(id storage.PersonID) bool { return id == into.ID })
	into.Chats = distinct(slices.Concat(into.Chats, chats(&from)))
	if into.Home == 0 {
		into.Home = from.Home
	}
	if err := errors.Join(w.PutPerson(from, gone), w.PutPerson(was, into)); err != nil {
		return err
	}
	if err := s.uniteTallies(w, from.ID, into.ID); err != nil {
		return err
	}
	return s.recountNow(w)
}

// sayBy lets what waits to be said of a person be said of another.
func (s *Service) sayBy(w storage.Writer, from, into storage.PersonID) error {
	waiting, err := w.Outbox(0, math.MaxInt)
	if err != nil {
		return err
	}
	for _, e := range waiting {
		if e.By != from {
			continue
		}
		e.By = into
		if err := w.Retry(e); err != nil {
			return err
		}
	}
	return nil
}

// renameResult writes a game's result again, if leaderboards know of it, when the game
// has got another player.
func renameResult(w storage.Writer, g *storage.Game) error {
	if !g.Counted {
		return nil
	}
	return eachServerOf(w.Reader, g, func(server storage.ServerID, result storage.Result) error {
		listed, err := w.HasResult(server, g.Changed, g.ID)
		if err != nil || !listed {
			return err
		}
		return w.AddResult(server, g.Changed, result)
	})
}

// uniteTallies adds a person's points of this week and month to another's.
func (s *Service) uniteTallies(w storage.Writer, from, into storage.PersonID) error {
	theirs, err := w.Listing(from)
	if err != nil {
		return err
	}
	if err := w.List(from, theirs, storage.Listing{}); err != nil {
		return err
	}
	was, err := w.Listing(into)
	if err != nil {
		return err
	}
	now := was
	for _, both := range [][2]*storage.Tally{{&theirs.Week, &now.Week}, {&theirs.Month, &now.Month}} {
		theirs, mine := both[0], both[1]
		switch {
		case theirs.Since > mine.Since:
			*mine = *theirs
			continue
		case theirs.Since < mine.Since:
			continue
		}
		for server, kinds := range theirs.Scores {
			for kind, score := range kinds {
				add(mine, server, kind, score)
			}
		}
	}
	return errors.Join(w.List(into, was, now), s.list(w, into))
}

// uniteChallenges gives a person's challenges to another; those between the two go.
func (s *Service) uniteChallenges(w storage.Writer, from, into storage.PersonID) error {
	by, err := w.ChallengesBy(from)
	if err != nil {
		return err
	}
	to, err := w.ChallengesTo(from)
	if err != nil {
		return err
	}
	for c, err := range w.ReadChallenges(append(by, to...)) {
		if err != nil {
			return err
		}
		if err := w.DeleteChallenge(c); err != nil {
			return err
		}
		if c.From == from {
			c.From = into
		}
		if c.To == from {
			c.To = into
		}
		if c.From == c.To {
			if err := s.announce(w, By{Person: into}, c, Cancelled); err != nil {
				return err
			}
			continue
		}
		if err := w.PutChallenge(c); err != nil {
			return err
		}
	}
	return nil
}

// Unlink lets an account be no longer the asker's: who uses it begins as a new person, of
// whom those who were wary of the asker still are.
func (s *Service) Unlink(ctx context.Context, by By, account storage.Address) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		p, err := w.Person(by.Person)
		if err != nil {
			return Done{}, err
		}
		if len(p.Identities) < 2 {
			return Done{}, &Refusal{Why: OneAccount}
		}
		was := p
		p.Identities = slices.DeleteFunc(slices.Clone(p.Identities), func(a storage.Address) bool { return a == account })
		p.Home = 0
		if p.Chats, err = chatsBut(w.Reader, p.Chats, account.Platform); err != nil {
			return Done{}, err
		}
		return Done{What: Chose}, errors.Join(w.PutPerson(was, p), leaveSeats(w, p.ID, account.Platform), stayWary(w, p, account))
	})
}

// chatsBut are those of some chats that are not on a platform.
func chatsBut(r storage.Reader, chats []storage.PlaceID, platform string) ([]storage.PlaceID, error) {
	var rest []storage.PlaceID
	for _, id := range chats {
		place, err := r.Place(id)
		if err != nil {
			return nil, err
		}
		if place.Address.Platform != platform {
			rest = append(rest, id)
		}
	}
	return rest, nil
}

// leaveSeats lets a person play games no more where he has no account, but where they
// began.
func leaveSeats(w storage.Writer, id storage.PersonID, platform string) error {
	playing, err := w.Playing(id)
	if err != nil {
		return err
	}
	for g, err := range w.Read(playing) {
		if err != nil {
			return err
		}
		side, _ := g.SideOf(id)
		if g.Seats[side] == 0 {
			continue
		}
		seat, err := w.Place(g.Seats[side])
		if err != nil {
			return err
		}
		if seat.Address.Platform != platform {
			continue
		}
		was := g
		g.Seats[side] = 0
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	return nil
}
