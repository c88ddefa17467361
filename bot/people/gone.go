package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/storage"
)

// factHome is set in an entry that is said to a player because the place is gone.
const factHome = "home"

// GoneFor is how long nothing is said at a place that is gone, before it is tried again:
// what keeps the bot out may pass without a word.
const GoneFor = limit.GoneFor

// PlaceGone notes that nothing can be said at the place of an entry any more, and
// tells the players of its game at home what the entry says. told is false where it
// reaches nobody.
func (s *Places) PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error) {
	place, err := w.Place(e.Place)
	if err != nil {
		return false, err
	}
	if place.Gone.IsZero() || s.now().Sub(place.Tried) >= GoneFor {
		if err := s.lose(w, place); err != nil {
			return false, err
		}
	}
	if e.Facts[factHome] != "" || e.Game == 0 {
		return false, nil
	}
	people, err := concerned(w.Reader, e.Game)
	if err != nil {
		return false, err
	}
	g, err := w.Game(e.Game)
	if err != nil && !storage.Lost(err) {
		return false, err
	}
	for _, id := range people {
		if side, ok := g.SideOf(id); ok && g.Seat(side) != e.Place {
			continue // he is told there
		}
		p, err := w.Person(id)
		if storage.Lost(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if p.Home == 0 || p.Home == e.Place {
			continue
		}
		home := e
		home.Place, home.Tries, home.Fault = p.Home, 0, ""
		home.Facts = map[string]string{factHome: "yes"}
		for name, fact := range e.Facts {
			home.Facts[name] = fact
		}
		if err := w.Post(home); err != nil {
			return false, err
		}
		told = true
	}
	return told, nil
}

// PlaceBack notes that an entry could be said at a place at which nothing could be said
// before, and shows there what else was missed. It belongs into the transaction that
// crosses the entry off.
func (s *Places) PlaceBack(w storage.Writer, e storage.Entry) error {
	place, err := w.Place(e.Place)
	if err != nil || place.Gone.IsZero() {
		return err
	}
	seen := storage.GameID(0) // whose board was shown
	if slices.Contains([]inbox.What{inbox.Began, inbox.Moved, inbox.TookBack, inbox.Ended}, inbox.What(e.Kind)) {
		seen = e.Game
	}
	return s.back(w, place, seen)
}

// back notes that something can be said at a place again, and shows there what was missed
// but of one game.
func (s *Places) back(w storage.Writer, p storage.Place, but storage.GameID) error {
	if err := s.showMissed(w, p, but); err != nil {
		return err
	}
	was := p
	p.Gone, p.Tried = time.Time{}, time.Time{}
	return w.PutPlace(was, p)
}

// PeopleAt are those who play at a place.
func (s *Places) PeopleAt(ctx context.Context, at storage.Address) ([]storage.Person, error) {
	var games []storage.GameID
	err := s.store.View(ctx, func(r storage.Reader) error {
		place, err := r.PlaceAt(at)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		if err == nil {
			games, err = r.Here(place.ID)
		}
		return err
	})
	var all []storage.Person
	for _, id := range games {
		people, err2 := s.Concerned(ctx, id)
		if err2 != nil {
			return nil, err2
		}
		for _, p := range people {
			if !slices.ContainsFunc(all, func(known storage.Person) bool { return known.ID == p.ID }) {
				all = append(all, p)
			}
		}
	}
	return all, err
}

// Concerned are the people of a game or of a challenge; nobody if it is gone or cannot
// be read.
func (s *Places) Concerned(ctx context.Context, id storage.GameID) ([]storage.Person, error) {
	var people []storage.Person
	err := s.store.View(ctx, func(r storage.Reader) error {
		ids, err := concerned(r, id)
		if err != nil {
			return err
		}
		people = nil
		for _, id := range ids {
			p, err := r.Person(id)
			if storage.Lost(err) {
				continue
			}
			if err != nil {
				return err
			}
			people = append(people, p)
		}
		return nil
	})
	return people, err
}

// concerned are the people of a game or of a challenge; nobody if it is gone or cannot
// be read.
func concerned(r storage.Reader, id storage.GameID) ([]storage.PersonID, error) {
	g, err := r.Game(id)
	if err == nil {
		return g.Players[:], nil
	}
	if !storage.Lost(err) {
		return nil, err
	}
	c, err := r.Challenge(id)
	switch {
	case storage.Lost(err):
		return nil, nil
	case err != nil || c.To == 0:
		return []storage.PersonID{c.From}, err
	}
	return []storage.PersonID{c.From, c.To}, nil
}
