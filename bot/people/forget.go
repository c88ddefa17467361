package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/storage"
	"chimera/storage/puzzles"
)

// Forget removes the asker, at the second word; with sure, only then: their games in
// progress end, their challenges go, and what is left in games is a number without a
// name. It refuses NotAsked and StillJoining.
func (s *People) Forget(ctx context.Context, by inbox.By, sure bool) (inbox.Done, error) {
	if err := s.links.settleJoins(ctx, by.Person); err != nil {
		return inbox.Done{}, err
	}
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		switch first := !p.Forget.IsZero() && s.now().Sub(p.Forget) <= inbox.SecondWord; {
		case err != nil:
			return inbox.Done{}, err
		case first:
			return inbox.Done{What: inbox.Forgot}, s.forget(w, p)
		case sure:
			return inbox.Done{}, inbox.Refuse(inbox.NotAsked, 0)
		}
		p.Forget = s.now()
		return inbox.Done{What: inbox.ForgetAsked}, w.PutPerson(p)
	})
}

// Stay takes back the asker's first word to be forgotten.
func (s *People) Stay(ctx context.Context, by inbox.By) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		return inbox.Done{What: inbox.Stays}, w.ChangePerson(by.Person, func(p *storage.Person) { p.Forget = time.Time{} })
	})
}

// ForgetPerson is Forget for an operator, of whoever a person has become by links.
func (s *People) ForgetPerson(ctx context.Context, id storage.PersonID) error {
	p, err := storage.Read(ctx, s.store, func(r storage.Reader) (p storage.Person, err error) {
		for ; id != 0 && err == nil; id = p.Into {
			p, err = r.Person(id)
		}
		return p, err
	})
	if err != nil {
		return err
	}
	if _, computer := p.On(storage.Computer); computer {
		return errors.New("that is the computer, which is nobody who could be forgotten")
	}
	if err := s.links.settleJoins(ctx, p.ID); err != nil {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		p, err := w.Person(p.ID)
		if err != nil {
			return err
		}
		return s.forget(w, p)
	})
}

func (s *People) forget(w storage.Writer, p storage.Person) error {
	if err := settled(w.Reader, p.ID); err != nil {
		return err
	}
	for g, err := range w.Read(w.Playing(p.ID)) {
		if err != nil {
			return err
		}
		if err := s.clocks.Forfeit(w, g, p.ID); err != nil {
			return err
		}
	}
	challenges, err := challengesOf(w.Reader, p.ID)
	if err != nil {
		return err
	}
	for _, c := range challenges {
		what := inbox.Cancelled
		if c.To == p.ID {
			what = inbox.Declined
		}
		if err := errors.Join(w.DeleteChallenge(c), match.TellChallenge(w, s.now(), p.ID, c, what)); err != nil {
			return err
		}
	}
	if err := errors.Join(w.DropLink(p.Link), w.DropPasses(p.ID), w.ForgetSolver(p.ID), s.forgetChats(w, &p), unwantedToo(w, p.ID)); err != nil {
		return err
	}
	for _, j := range p.Joined {
		if err := errors.Join(unwantedToo(w, j.As), w.PutPerson(nobody(j.As)), w.PutJoin(storage.Join{Of: j.As})); err != nil {
			return err
		}
	}
	return w.PutPerson(nobody(p.ID))
}

// nobody is what stays of a person for the games that they have played.
func nobody(id storage.PersonID) storage.Person {
	return storage.Person{ID: id, Name: storage.Nobody, Settings: storage.Settings{Unranked: true}}
}

// forgetChats forgets where a person alone was told things, and what waits to be said there.
// Where others play too it was not they alone.
func (s *People) forgetChats(w storage.Writer, p *storage.Person) error {
	private := p.AllChats()
	for _, a := range append(slices.Clone(p.Identities), OnPages(p.ID)) { // a chat may have the number of who is in it
		if err := forgetAbout(w, a); err != nil {
			return err
		}
		place, err := w.PlaceAt(a)
		switch {
		case errors.Is(err, storage.ErrNotFound):
		case err != nil:
			return err
		case place.Server == 0:
			private = append(private, place.ID)
		}
	}
	for _, id := range private {
		if err := s.forgetChat(w, id); err != nil {
			return err
		}
	}
	return nil
}

// forgetChat lets a place be told of no game but those that are played there; without any it
// is forgotten.
func (s *People) forgetChat(w storage.Writer, id storage.PlaceID) error {
	told, err := w.Here(id)
	if err != nil {
		return err
	}
	err = w.ChangeGames(told, func(g *storage.Game) (bool, error) {
		told := len(g.Also)
		g.Also = slices.DeleteFunc(g.Also, func(p storage.PlaceID) bool { return p == id })
		return len(g.Also) < told, nil
	})
	if err != nil {
		return err
	}
	if here, err := w.Here(id); err != nil || len(here) > 0 {
		return err
	}
	place, err := w.Place(id)
	if err != nil {
		return err
	}
	waiting, dead, err := w.EntriesAt(id)
	for _, e := range waiting {
		err = errors.Join(err, w.Delivered(e.Queue(), e.ID))
	}
	for _, e := range dead {
		err = errors.Join(err, w.DropUndeliverable(e))
	}
	return errors.Join(err, forgetAbout(w, place.Address), w.ForgetPlace(place, s.now()))
}

// forgetAbout forgets what an adapter remembers about an account, or of a chat.
func forgetAbout(w storage.Writer, a storage.Address) error {
	if a.ID == "" {
		return nil
	}
	var kinds []string
	for _, end := range limit.Ends {
		if end.Kind != "" {
			kinds = append(kinds, end.Kind)
		}
	}
	return w.ForgetAbout(a.Platform, a.ID, kinds)
}

// Record is what is stored of a person.
type Record struct {
	Person     storage.Person
	Challenges []storage.Challenge // by them, and to them by name
	Games      []storage.Game      // with their own conditional moves, and not the opponent's
	Ratings    storage.Career      `json:",omitzero"`
	Puzzles    []puzzles.Solver    `json:",omitempty"` // of the day, in each server
	SignedIn   []time.Time         `json:",omitempty"` // until when each of their links to pages is good
}

// Record is what is stored of a person.
func (s *People) Record(ctx context.Context, id storage.PersonID) (Record, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (record Record, err error) {
		if record.Person, err = r.Person(id); err != nil {
			return record, err
		}
		record.Person.Forget = time.Time{}
		if record.Challenges, err = challengesOf(r, id); err != nil {
			return record, err
		}
		if record.Ratings, err = r.Career(id); err != nil {
			return record, err
		}
		if record.Puzzles, err = r.SolverOf(id); err != nil {
			return record, err
		}
		passes, err := r.PassesOf(id)
		if err != nil {
			return record, err
		}
		for _, p := range passes {
			record.SignedIn = append(record.SignedIn, p.Ends)
		}
		playing, err := r.Playing(id)
		if err != nil {
			return record, err
		}
		played, err := r.Played(id)
		if err != nil {
			return record, err
		}
		record.Games, err = r.ReadAll(append(playing, played...))
		for i := range record.Games {
			g := &record.Games[i]
			for side := range g.Plans {
				if g.Players[side] != id {
					g.Plans[side] = nil
				}
			}
		}
		return record, err
	})
}
