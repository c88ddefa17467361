package people

import (
	"maps"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/storage"
)

// factHome is set in an entry that is said to a player because the place is gone.
const factHome = "home"

// PlaceGone notes that nothing can be said at the place of an entry any more, and
// tells the players of its game at home what the entry says. told is false where it
// reaches nobody. What keeps the bot out may pass without a word: after limit.GoneFor the
// place is tried again.
func (s *Places) PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error) {
	place, err := w.Place(e.Place)
	if err != nil {
		return false, err
	}
	if place.Gone.IsZero() || s.now().Sub(place.Tried) >= limit.GoneFor {
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
	for _, p := range people {
		side, plays := g.SideOf(p.ID)
		if plays && g.Seat(side) != e.Place || p.Home == 0 || p.Home == e.Place {
			continue // they are told where they play, or nowhere
		}
		home := e
		home.Place, home.Tries, home.Fault = p.Home, 0, ""
		home.Facts = map[string]string{factHome: "yes"}
		maps.Copy(home.Facts, e.Facts)
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
	p.Gone, p.Tried = time.Time{}, time.Time{}
	return w.PutPlace(p)
}
