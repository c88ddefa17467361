package user

import (
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

// PlaceGone notes that nothing can be said at the place of an entry any more, and tells the players of
// its game at home what the entry says; told is false if that reaches nobody. The bot may be let in
// again without hearing of it: after limit.GoneFor the place is tried again.
func (s *Users) PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error) {
	place, err := w.Places().Get(e.Place)
	if err != nil {
		return false, err
	}
	if place.Gone.IsZero() || s.now().Sub(place.Tried) >= limit.GoneFor {
		if err := s.markLostAndTell(w, place); err != nil {
			return false, err
		}
	}
	if event.PayloadOf[event.AtHome](&e).Home || e.Game == 0 {
		return false, nil
	}
	people, g, err := concernedIn(w.Reader, e.Game)
	if err != nil {
		return false, err
	}
	for _, p := range people {
		side, plays := g.SideOf(p.ID)
		if plays && g.Seat(side) != e.Place || p.Home == 0 || p.Home == e.Place {
			continue // they are told where they play, or nowhere
		}
		if err := tellAt(w, p.Home, e); err != nil {
			return false, err
		}
		told = true
	}
	return told, nil
}

// TellHome tells an entry at home to those whom it concerns at its place, where nothing can be said
// now. It reports whether that reaches all of them.
func (s *Users) TellHome(w storage.Writer, e storage.Entry) (all bool, err error) {
	if e.Game == 0 {
		return false, nil
	}
	people, g, err := concernedIn(w.Reader, e.Game)
	if err != nil {
		return false, err
	}
	all = len(people) > 0
	for _, p := range people {
		if side, plays := g.SideOf(p.ID); plays && g.Seat(side) != e.Place {
			continue // they are told where they play
		}
		home := storage.Place{}
		if p.Home != 0 {
			if home, err = w.Places().Get(p.Home); err != nil {
				return false, err
			}
		}
		if home.ID == 0 || home.ID == e.Place || !home.Tried.IsZero() {
			all = false
			continue
		}
		if err := tellAt(w, home.ID, e); err != nil {
			return false, err
		}
	}
	return all, nil
}

// concernedIn are those whom a game concerns, and the game, as far as it can be read.
func concernedIn(r storage.Reader, id storage.GameID) (people []storage.Person, g storage.Game, err error) {
	if people, err = concerned(r, id); err != nil {
		return nil, g, err
	}
	if g, err = r.Games().Get(id); storage.Missing(err) {
		err = nil
	}
	return people, g, err
}

// tellAt tells an entry at a person's home.
func tellAt(w storage.Writer, home storage.PlaceID, e storage.Entry) error {
	e.Place, e.Tries, e.Fault, e.Next = home, 0, "", time.Time{}
	event.AddPayload(&e, event.AtHome{Home: true})
	return w.Post(e)
}

// PlaceBack notes that an entry was said at a place at which nothing could be said before, and shows
// there what else was missed. It is called in the transaction that removes the entry.
func (s *Users) PlaceBack(w storage.Writer, e storage.Entry) error {
	place, err := w.Places().Get(e.Place)
	if err != nil || place.Gone.IsZero() {
		return err
	}
	seen := storage.GameID(0) // whose board was shown
	if slices.Contains([]event.Kind{event.Began, event.Moved, event.TookBack, event.Ended}, event.Kind(e.Kind)) {
		seen = e.Game
	}
	return s.back(w, place, seen)
}

// back notes that something can be said at a place again, and shows there what was missed, except of
// one game.
func (s *Users) back(w storage.Writer, p storage.Place, but storage.GameID) error {
	missed, err := reopen(w, p, but)
	if err != nil {
		return err
	}
	return storage.BeginJob(w, missed, s.showMore)
}

// reopen notes that something can be said at a place again, and returns the job that shows there what
// was missed.
func reopen(w storage.Writer, p storage.Place, but storage.GameID) (storage.Job, error) {
	since := p.Gone
	p.Gone, p.Tried = time.Time{}, time.Time{}
	return storage.Job{Kind: missedJob, Of: uint64(p.ID), At: since, But: but}, w.Places().Put(p)
}
