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
	var untold []storage.Place
	now := s.now()
	for _, p := range places {
		was := p
		if p.Tried = now; p.Gone.IsZero() {
			p.Gone = now
		}
		if now.Sub(p.LossTold) >= match.Day {
			p.LossTold = now
			untold = append(untold, p)
		}
		if err := w.PutPlace(was, p); err != nil {
			return err
		}
	}
	return s.tellLost(w, untold)
}

// tellLost tells those who play at places at which nothing can be said any more, at home and
// once each: of a room they played in, or that their opponent cannot be reached.
func (s *Places) tellLost(w storage.Writer, places []storage.Place) error {
	type news struct {
		to   storage.PersonID
		what inbox.What
		by   storage.PersonID // who cannot be reached
	}
	var order []news
	games := map[news][]string{}
	for _, p := range places {
		ids, err := w.Here(p.ID)
		if err != nil {
			return err
		}
		for g, err := range w.Read(ids) {
			if err != nil {
				return err
			}
			for side, id := range g.Players {
				seat := g.Seat(side)
				who, err := w.Person(id)
				if storage.Lost(err) {
					continue
				}
				if err != nil {
					return err
				}
				n := news{to: id, what: inbox.RoomLost}
				if who.Home == p.ID && seat == p.ID {
					n = news{to: g.Players[1-side], what: inbox.OpponentLost, by: id}
				} else if seat != p.ID {
					continue
				}
				if games[n] == nil {
					order = append(order, n)
				}
				games[n] = append(games[n], fmt.Sprint(g.ID))
			}
		}
	}
	for _, n := range order {
		if err := s.tellAtHome(w, n.to, storage.Entry{Kind: string(n.what), By: n.by, Facts: map[string]string{inbox.FactGames: strings.Join(games[n], " ")}}); err != nil {
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
	ids, err := w.Here(p.ID)
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if g.ID == but || g.Changed.Unix() < p.Gone.Unix() || !slices.Contains(g.Places(), p.ID) {
			continue
		}
		e := s.inbox.Entry(&g, inbox.Said{What: inbox.Began, Ply: len(g.Moves)})
		if len(g.Moves) > 0 {
			if e, err = s.lastMove(&g); err != nil {
				continue // such a game is set aside where it is played
			}
		}
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

// lastMove is what is said of the last move of a game.
func (s *Places) lastMove(g *storage.Game) (storage.Entry, error) {
	v := s.games.Variant(g.Variant)
	if v == nil {
		return storage.Entry{}, inbox.Refuse(inbox.NoSuchVariant, g.ID)
	}
	pos, err := v.Position(g.Before)
	if err != nil {
		return storage.Entry{}, err
	}
	m, err := pos.ParseCoordinate(g.Moves[len(g.Moves)-1])
	if err != nil {
		return storage.Entry{}, err
	}
	by := g.Players[match.SideToMove(pos)]
	return s.inbox.Entry(g, inbox.Said{What: inbox.Moved, Ply: len(g.Moves), By: by, Facts: map[string]string{inbox.FactMove: pos.Chat(m)}}), nil
}
