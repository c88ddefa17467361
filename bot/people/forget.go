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
)

// Forget removes the asker, at the second word; with sure, only then: his games in
// progress end, his challenges go, and what is left in games is a number without a
// name.
func (s *People) Forget(ctx context.Context, by inbox.By, sure bool) (inbox.Done, error) {
	if err := s.links.settleJoins(ctx, by.Person); err != nil {
		return inbox.Done{}, err
	}
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		if err != nil {
			return inbox.Done{}, err
		}
		if p.Forget.IsZero() || s.now().Sub(p.Forget) > inbox.SecondWord {
			if sure {
				return inbox.Done{}, inbox.Refuse(inbox.NotAsked, 0)
			}
			p.Forget = s.now()
			return inbox.Done{What: inbox.ForgetAsked}, w.PutPerson(p)
		}
		return inbox.Done{What: inbox.Forgot}, s.forget(w, p)
	})
}

// Stay takes back the asker's first word to be forgotten.
func (s *People) Stay(ctx context.Context, by inbox.By) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		p, err := w.Person(by.Person)
		p.Forget = time.Time{}
		return inbox.Done{What: inbox.Stays}, errors.Join(err, w.PutPerson(p))
	})
}

// ForgetPerson is Forget for an operator, of whoever a person has become by links.
func (s *People) ForgetPerson(ctx context.Context, id storage.PersonID) error {
	var p storage.Person
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		for ; id != 0 && err == nil; id = p.Into {
			p, err = r.Person(id)
		}
		return err
	})
	if err != nil {
		return err
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
	if busy, err := joining(w.Reader, p.ID); err != nil || busy {
		return errors.Join(err, inbox.Refuse(inbox.StillJoining, 0))
	}
	playing, err := w.Playing(p.ID)
	if err != nil {
		return err
	}
	for g, err := range w.Read(playing) {
		if err != nil {
			return err
		}
		if err := s.clocks.Forfeit(w, g, p.ID); err != nil {
			return err
		}
	}
	by, err := w.ChallengesBy(p.ID)
	if err != nil {
		return err
	}
	to, err := w.ChallengesTo(p.ID)
	if err != nil {
		return err
	}
	for c, err := range w.ReadChallenges(append(by, to...)) {
		if err != nil {
			return err
		}
		what := inbox.Cancelled
		if c.To == p.ID {
			what = inbox.Declined
		}
		if err := errors.Join(w.DeleteChallenge(c), match.Announce(w, s.now(), p.ID, c, what)); err != nil {
			return err
		}
	}
	if p.Link != "" {
		if err := w.DropLink(p.Link); err != nil {
			return err
		}
	}
	if err := errors.Join(s.forgetChats(w, &p), beWary(w, p.ID)); err != nil {
		return err
	}
	if p, err = w.Person(p.ID); err != nil {
		return err
	}
	for _, j := range p.Joined {
		if err != nil {
			return err
		}
		err = errors.Join(beWary(w, j.As), w.PutPerson(nobody(j.As)), w.PutJoin(storage.Join{Of: j.As}))
		if err != nil {
			return err
		}
	}
	return w.PutPerson(nobody(p.ID))
}

// nobody is what stays of a person for the games that he has played.
func nobody(id storage.PersonID) storage.Person {
	return storage.Person{ID: id, Name: storage.Nobody, Settings: storage.Settings{Unranked: true}}
}

// forgetChats forgets where a person alone was told things, and what waits to be said there.
// Where others play too it was not he alone.
func (s *People) forgetChats(w storage.Writer, p *storage.Person) error {
	private := p.AllChats()
	for _, a := range p.Identities { // a chat may have the number of who is in it
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
		if err := unfollow(w, id); err != nil {
			return err
		}
		here, err := w.Here(id)
		if err != nil {
			return err
		}
		place, err := w.Place(id)
		if err != nil {
			return err
		}
		if len(here) > 0 {
			continue
		}
		if err := errors.Join(forgetEntries(w, id), forgetAbout(w, place.Address), w.ForgetPlace(place, s.now())); err != nil {
			return err
		}
	}
	return nil
}

// forgetEntries forgets what was to be said at a place.
func forgetEntries(w storage.Writer, place storage.PlaceID) error {
	waiting, dead, err := w.EntriesAt(place)
	for _, e := range waiting {
		err = errors.Join(err, w.Delivered(e.ID))
	}
	for _, e := range dead {
		err = errors.Join(err, w.DropUndeliverable(e))
	}
	return err
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
	return w.ForgetAbout(a, kinds)
}

// unfollow lets a place be told of no game but those that are played there.
func unfollow(w storage.Writer, place storage.PlaceID) error {
	here, err := w.Here(place)
	if err != nil {
		return err
	}
	for g, err := range w.Read(here) {
		if err != nil {
			return err
		}
		was := g
		g.Also = slices.DeleteFunc(slices.Clone(g.Also), func(p storage.PlaceID) bool { return p == place })
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	return nil
}

// Record is what is stored of a person.
type Record struct {
	Person     storage.Person
	Challenges []storage.Challenge // by him, and to him by name
	Games      []storage.Game      // with his own conditional moves, and not the opponent's
	Ratings    storage.Career      `json:",omitzero"`
}

// Record is what is stored of a person.
func (s *People) Record(ctx context.Context, id storage.PersonID) (Record, error) {
	var record Record
	by, to, err := s.challenges.Challenges(ctx, id)
	if err != nil {
		return record, err
	}
	record.Challenges = append(by, to...)
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		if record.Person, err = r.Person(id); err != nil {
			return err
		}
		if record.Ratings, err = r.Career(id); err != nil {
			return err
		}
		playing, err := r.Playing(id)
		if err != nil {
			return err
		}
		played, err := r.Played(id)
		if err != nil {
			return err
		}
		record.Games, err = storage.All(r.Read(append(playing, played...)))
		return err
	})
	for i := range record.Games {
		g := &record.Games[i]
		for side := range g.Plans {
			if g.Players[side] != id {
				g.Plans[side] = nil
			}
		}
	}
	record.Person.Forget = time.Time{}
	return record, err
}
