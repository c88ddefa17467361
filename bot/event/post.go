package event

import (
	"time"

	"chimera/storage"
)

// Said is one thing that happened in a game.
type Event struct {
	Kind    Kind
	Ply     int // how many moves had been played
	By      storage.PersonID
	Payload map[string]string
}

// Post tells all places of a game that something has happened.
func (s *Log) Post(w storage.Writer, g *storage.Game, what Event) error {
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
func (s *Log) Entry(g *storage.Game, what Event) storage.Entry {
	e := storage.Entry{
		Place: g.Place, Game: g.ID, Ply: what.Ply, At: s.now(),
		Kind: string(what.Kind), By: what.By, Facts: what.Payload,
	}
	if !g.Over() && g.Runs() {
		e.Due = g.Due()
	}
	if g.Awaited() != 0 {
		e.Next = e.At.Add(answerSoon)
	}
	return e
}
