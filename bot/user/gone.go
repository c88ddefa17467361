package user

import (
	"errors"
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
	if err == nil && (place.Gone.IsZero() || s.now().Sub(place.Tried) >= limit.GoneFor) {
		err = s.markLostAndTell(w, place)
	}
	if err != nil || event.PayloadOf[event.AtHome](&e).Home {
		return false, err
	}
	_, homes, err := homesFor(w.Reader, e)
	for _, home := range homes {
		if home != 0 {
			told, err = true, errors.Join(err, tellAt(w, home, e))
		}
	}
	return told, err
}

// TellHome tells an entry at home to those whom it concerns at its place, where nothing can be said
// now. It reports whether that reaches all of them.
func (s *Users) TellHome(w storage.Writer, e storage.Entry) (all bool, err error) {
	all, homes, err := homesFor(w.Reader, e)
	for _, id := range homes {
		home, err2 := w.Places().Find(id)
		err = errors.Join(err, err2)
		if home.ID == 0 || !home.Tried.IsZero() {
			all = false
			continue
		}
		err = errors.Join(err, tellAt(w, id, e))
	}
	return all, err
}

// homesFor are the private chats of those who would hear of an entry at its place and nowhere else, 0
// for people who have no other than that place. known is false where the entry concerns nobody.
func homesFor(r storage.Reader, e storage.Entry) (known bool, homes []storage.PlaceID, err error) {
	if e.Game == 0 {
		return false, nil, nil
	}
	people, g, err := concerned(r, e.Game)
	for _, p := range people {
		if side, plays := g.SideOf(p.ID); plays && g.Seat(side) != e.Place {
			continue // they are told where they play
		}
		if p.Home == e.Place {
			p.Home = 0
		}
		homes = append(homes, p.Home)
	}
	return len(people) > 0, homes, err
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
	return s.back(w, place, seen, false)
}

// back notes that something can be said at a place again, and lets a job, begun here or later, show
// there what was missed, except of one game.
func (s *Users) back(w storage.Writer, p storage.Place, but storage.GameID, later bool) error {
	missed := storage.Job{Kind: missedJob, Of: uint64(p.ID), At: p.Gone, But: but}
	p.Gone, p.Tried = time.Time{}, time.Time{}
	if err := w.Places().Put(p); err != nil || later {
		return errors.Join(err, w.Jobs().Put(missed))
	}
	return storage.BeginJob(w, missed, s.showMore)
}
