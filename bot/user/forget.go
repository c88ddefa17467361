package user

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Forget forgets the asker at the second word; a first word is kept, or refused if sure. Their games
// in progress end, their challenges are withdrawn, and ended games keep a number without a name in
// their place. It refuses NotAsked and StillJoining.
func (s *Users) Forget(ctx context.Context, by event.By, sure bool) (event.Done, error) {
	if err := s.settle(ctx, by.Person); err != nil {
		return event.Done{}, err
	}
	done, err := s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		p, err := w.People().Get(by.Person)
		switch first := !p.Forget.IsZero() && s.now().Sub(p.Forget) <= event.SecondWord; {
		case err != nil:
			return event.Done{}, err
		case first:
			return event.Done{Kind: event.Forgot}, s.forget(w, p.ID)
		case sure:
			return event.Done{}, event.Refuse(event.NotAsked, 0)
		}
		p.Forget = s.now()
		return event.Done{Kind: event.ForgetAsked}, w.People().Put(p)
	})
	if err == nil && done.Kind == event.Forgot {
		err = s.jobs().Finish(ctx, s.store)
	}
	return done, err
}

// Stay takes back the asker's first word to be forgotten. It refuses NotAsked.
func (s *Users) Stay(ctx context.Context, by event.By) (event.Done, error) {
	return s.change(ctx, by, event.Stays, func(_ storage.Writer, p *storage.Person) error {
		if p.Forget.IsZero() {
			return event.Refuse(event.NotAsked, 0)
		}
		p.Forget = time.Time{}
		return nil
	})
}

// ForgetPerson is Forget for an operator; it forgets the person that id has become by links.
func (s *Users) ForgetPerson(ctx context.Context, id storage.PersonID) error {
	p, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Person, error) { return r.PersonNow(id) })
	if _, computer := p.On(storage.Computer); computer {
		return errors.New("that is the computer, which is nobody who could be forgotten")
	}
	if err := cmp.Or(err, s.settle(ctx, p.ID)); err != nil {
		return err
	}
	err = s.store.Update(ctx, func(w storage.Writer) error { return s.forget(w, p.ID) })
	return errors.Join(err, s.jobs().Finish(ctx, s.store))
}

func (s *Users) forget(w storage.Writer, id storage.PersonID) error {
	if err := settled(w.Reader, id); err != nil {
		return err
	}
	return storage.BeginJob(w, storage.Job{Kind: storage.ForgetJob, Of: uint64(id)}, s.forgetMore)
}

// forgetMore ends some more of a person's games, then removes some more of everything else about them,
// and finally the person. Until then they remain who they were.
func (s *Users) forgetMore(w storage.Writer, j *storage.Job) (more bool, err error) {
	p, err := w.People().Get(storage.PersonID(j.Of))
	if err != nil {
		return false, err
	}
	others := phrase.Each(p.Joined, func(j storage.Joined) storage.PersonID { return j.As })
	were := append([]storage.PersonID{p.ID}, others...)
	parts := []func() (bool, error){
		func() (bool, error) { return s.Withdraw(w, p.ID) },
		func() (bool, error) { return s.forfeitSome(w, p.ID) },
		func() (bool, error) { return s.dropChallenges(w, p.ID) },
		func() (bool, error) { return s.forgetChats(w, &p) },
	}
	for _, id := range were {
		parts = append(parts, func() (bool, error) { return replaceBlocked(w, id) }, func() (bool, error) { return dropCame(w, id) })
	}
	if more, err := inTurn(parts...); more || err != nil {
		return more, err
	}
	err = errors.Join(w.Links().Delete(p.Link), w.DropSessions(p.ID), w.ForgetSolver(p.ID))
	for _, id := range were { // leave a nameless record in their place, for the games that they have played
		err = errors.Join(err, w.People().Put(storage.Person{ID: id, Name: storage.Nobody, Settings: storage.Settings{Unranked: true}}))
	}
	return false, err
}

// forfeitSome ends some games in progress of somebody who leaves them for good.
func (s *Users) forfeitSome(w storage.Writer, p storage.PersonID) (more bool, err error) {
	left := fewGames
	more, err = storage.Batch(w.Games().Each(w.Playing(p)), &left, func(g storage.Game) (bool, error) {
		return true, s.match.Forfeit(w, g, p)
	})
	return more || left < fewGames, err // whatever follows has a step of its own
}

// dropChallenges takes back some challenges by a person, and declines some to them.
func (s *Users) dropChallenges(w storage.Writer, p storage.PersonID) (more bool, err error) {
	return storage.Batch(storage.Items(challengesOf(w.Reader, p)), new(toldGames), func(c storage.Challenge) (bool, error) {
		what := event.Cancelled
		if c.To == p {
			what = event.Declined
		}
		return true, errors.Join(w.Challenges().Delete(c.ID), match.TellChallenge(w, s.now(), p, c, what))
	})
}

// dropCame forgets of some games that they came with a linked account.
func dropCame(w storage.Writer, p storage.PersonID) (more bool, err error) {
	ids, err := w.ToGive(storage.Job{Kind: storage.SplitJob, Of: uint64(p)}, manyDrops)
	for _, id := range ids {
		err = errors.Join(err, w.PutCame(p, id, false))
	}
	return len(ids) > 0, err
}

// forgetChats forgets some of a person's private chats, with what waits to be said there. A chat where
// others play too is not private.
func (s *Users) forgetChats(w storage.Writer, p *storage.Person) (more bool, err error) {
	private := p.AllChats()
	for _, a := range append(slices.Clone(p.Identities), OnPages(p.ID)) { // a chat may have the same number as the account in it
		more, err := forgetAbout(w, a)
		place, err2 := w.PlaceAt(a)
		if err := errors.Join(err, storage.UnlessNew(err2)); more || err != nil {
			return more, err
		}
		if place.ID != 0 && place.Server == 0 {
			private = append(private, place.ID)
		}
	}
	for _, id := range Distinct(private) {
		if more, err := s.forgetChat(w, id); more || err != nil {
			return more, err
		}
	}
	return false, nil
}

// forgetChat makes a place stop following games, some at a time; if no games are played there, it is
// forgotten.
func (s *Users) forgetChat(w storage.Writer, id storage.PlaceID) (more bool, err error) {
	left := toldGames
	more, err = storage.Batch(w.Games().Each(w.Here(id)), &left, func(g storage.Game) (bool, error) {
		if !slices.Contains(g.Also, id) {
			return false, nil
		}
		g.Also = slices.DeleteFunc(slices.Clone(g.Also), func(p storage.PlaceID) bool { return p == id })
		return true, w.Games().Put(g)
	})
	if more = more || left < toldGames; more || err != nil {
		return more, err
	}
	here, err := w.Here(id)
	place, err2 := w.Places().Get(id)
	waiting, dead, err3 := w.EntriesAt(id)
	if err := errors.Join(err, err2, err3); err != nil || len(here) > 0 {
		return false, err
	}
	left = manyDrops
	drop := func(all []storage.Entry, drop func(storage.Entry) error) func() (bool, error) {
		return func() (bool, error) {
			return storage.Batch(storage.Items(all, nil), &left, func(e storage.Entry) (bool, error) { return true, drop(e) })
		}
	}
	more, err = inTurn(
		drop(waiting, func(e storage.Entry) error { return w.Delivered(e.Queue(), e.ID) }),
		drop(dead, w.DropUndeliverable),
		func() (bool, error) { return forgetAbout(w, place.Address) },
	)
	if more || err != nil {
		return more, err
	}
	return false, w.ForgetPlace(place, s.now())
}

// forgetAbout forgets some of what an adapter remembers about an account or a chat.
func forgetAbout(w storage.Writer, a storage.Address) (more bool, err error) {
	if a.ID == "" {
		return false, nil
	}
	var kinds []string
	for _, end := range limit.Ends {
		if end.Kind != "" {
			kinds = append(kinds, end.Kind)
		}
	}
	return w.ForgetAbout(a.Platform, a.ID, kinds, manyDrops)
}

// Record is what is stored of a person.
type Record struct {
	Person     storage.Person
	Challenges []storage.Challenge `json:",omitempty"` // by them, and to them by name
	Games      []storage.Game      `json:",omitempty"` // with their conditional moves, not the opponent's
	Ratings    storage.Standings   `json:",omitzero"`
	Puzzles    []storage.Solver    `json:",omitempty"` // of the day, in each server
	Leagues    []storage.Member    `json:",omitempty"` // that they are in
	SignedIn   []time.Time         `json:",omitempty"` // until when each of their links to pages is valid
}

// Record is what is stored of a person.
func (s *Users) Record(ctx context.Context, id storage.PersonID) (Record, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (record Record, err error) {
		var faults [7]error
		var sessions []storage.Session
		record.Person, faults[0] = r.People().Get(id)
		record.Challenges, faults[1] = challengesOf(r, id)
		record.Ratings, faults[2] = r.Standings(id)
		record.Puzzles, faults[3] = r.Solvers().List(id)
		record.Games, faults[4] = r.Games().All(r.GamesOf(id))
		sessions, faults[5] = r.SessionsOf(id)
		record.Leagues, faults[6] = r.MembersAs(&record.Person)
		record.Person.Forget = time.Time{}
		record.SignedIn = phrase.Each(sessions, func(s storage.Session) time.Time { return s.Ends })
		for i := range record.Games {
			g := &record.Games[i]
			for side := range g.Plans {
				if g.Players[side] != id {
					g.Plans[side] = nil
				}
			}
		}
		return record, errors.Join(faults[:]...)
	})
}
