package people

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/storage"
)

// lose notes that nothing can be said at places any more, and tells those who play there,
// once a day at most: a place at which people go on speaking may be tried again and again.
func (s *Places) lose(w storage.Writer, places ...storage.Place) error {
	var untold []storage.PlaceID
	now := s.now()
	for _, p := range places {
		if p.Tried = now; p.Gone.IsZero() {
			p.Gone = now
		}
		if now.Sub(p.LossTold) >= match.Day {
			p.LossTold = now
			untold = append(untold, p.ID)
		}
		if err := w.PutPlace(p); err != nil {
			return err
		}
	}
	return s.tellLost(w, untold)
}

// loss is what somebody is told of places at which nothing can be said any more: of a room
// they played in, or that their opponent cannot be reached.
type loss struct {
	to   storage.PersonID
	what inbox.What
	by   storage.PersonID // who cannot be reached
}

// tellLost tells those who play at some places of that, at home and once each.
func (s *Places) tellLost(w storage.Writer, places []storage.PlaceID) error {
	var order []loss
	games := map[loss][]string{}
	for _, place := range places {
		for g, err := range w.Read(w.Here(place)) {
			if err != nil {
				return err
			}
			for who, err := range w.ReadPeople(g.Players[:]) {
				if err != nil {
					return err
				}
				side, _ := g.SideOf(who.ID) // read by its number
				if g.Seat(side) != place {
					continue
				}
				l := loss{to: who.ID, what: inbox.RoomLost}
				if who.Home == place {
					l = loss{to: g.Players[1-side], what: inbox.OpponentLost, by: who.ID}
				}
				if games[l] == nil {
					order = append(order, l)
				}
				games[l] = append(games[l], fmt.Sprint(g.ID))
			}
		}
	}
	for _, l := range order {
		e := storage.Entry{Kind: string(l.what), By: l.by, Facts: map[string]string{inbox.FactGames: strings.Join(games[l], " ")}}
		if err := s.tellAtHome(w, l.to, e); err != nil {
			return err
		}
	}
	return nil
}

// tellAtHome tells a person something in their private chat, if there is one that is open.
func (s *Places) tellAtHome(w storage.Writer, id storage.PersonID, e storage.Entry) error {
	who, err := w.Person(id)
	if storage.Lost(err) || err == nil && who.Home == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	home, err := w.Place(who.Home)
	if err != nil || !home.Tried.IsZero() {
		return err
	}
	e.Place, e.At = home.ID, s.now()
	return w.Post(e)
}

// showMissed shows at a place, at which something can be said again, the games there that
// went on meanwhile, but for one.
func (s *Places) showMissed(w storage.Writer, p storage.Place, but storage.GameID) error {
	for g, err := range w.Read(w.Here(p.ID)) {
		if err != nil {
			return err
		}
		if g.ID == but || g.Changed.Unix() < p.Gone.Unix() || !slices.Contains(g.Places(), p.ID) {
			continue
		}
		said := inbox.Said{What: inbox.Began, Ply: len(g.Moves)}
		if len(g.Moves) > 0 {
			before, m, err := s.games.LastMove(&g)
			if err != nil {
				continue // such a game is set aside where it is played
			}
			said.What, said.By = inbox.Moved, g.Players[match.SideToMove(before)]
			said.Facts = map[string]string{inbox.FactMove: before.Chat(m)}
		}
		e := s.inbox.Entry(&g, said)
		e.Place = p.ID
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return s.showEnded(w, p)
}

// showEnded tells at a place which games ended while that could not be said.
func (s *Places) showEnded(w storage.Writer, p storage.Place) error {
	_, dead, err := w.EntriesAt(p.ID)
	for _, e := range dead {
		if inbox.What(e.Kind) == inbox.Ended && e.At.Unix() >= p.Gone.Unix() {
			err = errors.Join(err, w.Revive(e))
		}
	}
	return err
}
