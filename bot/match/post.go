package match

import "chimera/storage"

// said is one thing that happened in a game.
type said struct {
	what  What
	ply   int // how many moves had been played
	by    storage.PersonID
	facts map[string]string
}

// post tells all places of a game that something has happened.
func (s *Service) post(w storage.Writer, g *storage.Game, what said) error {
	for _, place := range g.Places() {
		e := s.entry(g, what)
		e.Place = place
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return nil
}

// entry is what waits in the outbox about a game.
func (s *Service) entry(g *storage.Game, what said) storage.Entry {
	e := storage.Entry{
		Place: g.Place, Game: g.ID, Ply: what.ply, At: s.now(),
		Kind: string(what.what), By: what.by, Facts: what.facts,
	}
	if !g.Over() && g.Runs() {
		e.Due = g.Due()
	}
	return e
}
