package user

import (
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/storage"
)

// markLostAndTell notes that nothing can be said at a place any more, and tells those who play there,
// once a day at most: a place at which people go on speaking may be tried again and again.
func (s *Users) markLostAndTell(w storage.Writer, p storage.Place) error {
	untold, err := markLost(w, p, s.now())
	if err != nil || !untold {
		return err
	}
	return storage.BeginJob(w, storage.Job{Kind: lossJob, Of: uint64(p.ID)}, s.tellLost)
}

// markLost notes that nothing can be said at a place any more, and whether those who play there
// are to be told.
func markLost(w storage.Writer, p storage.Place, now time.Time) (untold bool, err error) {
	if p.Tried = now; p.Gone.IsZero() {
		p.Gone = now
	}
	if untold = now.Sub(p.LossTold) >= match.Day; untold {
		p.LossTold = now
	}
	return untold, w.Places().Put(p)
}

// tellLost tells some more of those who play at a place.
func (s *Users) tellLost(w storage.Writer, t *storage.Job) (more bool, err error) {
	return s.tellLostAt(w, []storage.PlaceID{storage.PlaceID(t.Of)}, t)
}

// loss is what somebody is told about places at which nothing can be said any more: that a room in
// which they play is gone, or that their opponent cannot be reached.
type loss struct {
	to   storage.PersonID
	what event.Kind
	by   storage.PersonID // who cannot be reached
}

// tellLostAt tells those who play at some places, which are in order of number, that these cannot be
// reached: about the next games there, at home, and once each.
func (s *Users) tellLostAt(w storage.Writer, places []storage.PlaceID, t *storage.Job) (more bool, err error) {
	var order []loss
	games := map[loss]event.Games{}
	left := toldGames
	for _, place := range places {
		if place < t.Place {
			continue
		}
		more, err = storage.Batch(w.Games().Each(w.Here(place)), &left, func(g storage.Game) (bool, error) {
			if place == t.Place && g.ID <= t.Game {
				return false, nil
			}
			t.Place, t.Game = place, g.ID
			players, err := w.People().All(g.Players[:])
			for _, who := range players {
				side, _ := g.SideOf(who.ID) // read by its number
				if g.Seat(side) != place {
					continue
				}
				l := loss{to: who.ID, what: event.RoomLost}
				if who.Home == place {
					l = loss{to: g.Players[1-side], what: event.OpponentLost, by: who.ID}
				}
				if games[l] == nil {
					order = append(order, l)
				}
				games[l] = append(games[l], g.ID)
			}
			return true, err
		})
		if more || err != nil {
			break
		}
	}
	for _, l := range order {
		err = errors.Join(err, s.tellAtHome(w, l.to, event.Event{Kind: l.what, By: l.by, Payload: event.Unreachable{Games: games[l]}}))
	}
	return more, err
}

// tellAtHome tells a person something in their private chat, if there is one that is open.
func (s *Users) tellAtHome(w storage.Writer, id storage.PersonID, what event.Event) error {
	who, err := w.People().Find(id)
	home, err2 := w.Places().Find(who.Home)
	if err := errors.Join(err, err2); err != nil || home.ID == 0 || !home.Tried.IsZero() {
		return err
	}
	return w.Post(what.Entry(home.ID, s.now()))
}

// showMore shows some more of what was missed at a place that can be reached again: games there that
// have gone on meanwhile, except one that was shown, and then those that have ended.
func (s *Users) showMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	p, err := w.Places().Get(storage.PlaceID(t.Of))
	if err != nil || !p.Gone.IsZero() {
		return false, err // it will be shown when that is over
	}
	left := toldGames
	more, err = storage.Batch(w.Games().Each(w.Here(p.ID)), &left, func(g storage.Game) (bool, error) {
		if g.ID <= t.Game {
			return false, nil
		}
		t.Game = g.ID
		if g.ID == t.But || g.Changed.Unix() < t.At.Unix() || !slices.Contains(g.Places(), p.ID) {
			return true, nil
		}
		return true, s.showGame(w, p.ID, &g)
	})
	if more || err != nil {
		return more, err
	}
	return showEnded(w, p.ID, t.At)
}

// showGame shows a game in progress at a place.
func (s *Users) showGame(w storage.Writer, at storage.PlaceID, g *storage.Game) error {
	said := event.Event{Kind: event.Began, Ply: len(g.Moves)}
	if len(g.Moves) > 0 {
		before, m, err := s.match.LastMove(g)
		if err != nil {
			return nil // such a game is set aside where it is played
		}
		said.Kind, said.By = event.Moved, g.Players[match.SideToMove(before)]
		said.Payload = event.Position{Move: before.Chat(m)}
	}
	return w.Post(s.events.Entry(g, at, said))
}

// showEnded tells some of what could not be said at a place: that games there have ended.
func showEnded(w storage.Writer, at storage.PlaceID, since time.Time) (more bool, err error) {
	_, dead, err := w.EntriesAt(at)
	left := toldGames
	return storage.Batch(storage.Items(dead, err), &left, func(e storage.Entry) (bool, error) {
		if event.Kind(e.Kind) != event.Ended || e.At.Unix() < since.Unix() {
			return false, nil
		}
		return true, w.Revive(e)
	})
}
