package event

import (
	"time"

	"chimera/storage"
)

// Said is one thing that happened in a game.
type Said struct {
	What  What
	Ply   int // how many moves had been played
	By    storage.PersonID
	Facts map[string]string
}

// Post tells all places of a game that something has happened.
func (s *Inbox) Post(w storage.Writer, g *storage.Game, what Said) error {
	for _, place := range g.Places() {
		e := s.Entry(g, what)
		e.Place = place
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return nil
}

// answerSoon is how long what leads to the computer's turn waits for its answer, to be told with
// that: it mostly has one in a moment.
const answerSoon = 2 * time.Second

// Entry is what waits in the outbox about a game.
func (s *Inbox) Entry(g *storage.Game, what Said) storage.Entry {
	e := storage.Entry{
		Place: g.Place, Game: g.ID, Ply: what.Ply, At: s.now(),
		Kind: string(what.What), By: what.By, Facts: what.Facts,
	}
	if !g.Over() && g.Runs() {
		e.Due = g.Due()
	}
	if g.Awaited() != 0 {
		e.Next = e.At.Add(answerSoon)
	}
	return e
}
