package event

import (
	"time"

	"chimera/storage"
)

// Event is one thing that has happened.
type Event struct {
	Kind    Kind
	Ply     int // how many moves of its game had been played
	By      storage.PersonID
	Payload any // of its kind, or nil
}

// Entry is the stored form of an event of no game in particular, which waits in the outbox to be
// told at a place.
func (e Event) Entry(at storage.PlaceID, now time.Time) storage.Entry {
	return storage.Entry{Place: at, Ply: e.Ply, At: now, Kind: string(e.Kind), By: e.By, Facts: encode(e.Payload)}
}

// Post tells all places of a game that something has happened.
func (s *Log) Post(w storage.Writer, g *storage.Game, what Event) error {
	for _, place := range g.Places() {
		if err := w.Post(s.Entry(g, place, what)); err != nil {
			return err
		}
	}
	return nil
}

// answerSoon is how long an event that leads to the computer's turn waits for its answer, to be
// told with that: it mostly follows in a moment.
const answerSoon = 2 * time.Second

// Entry is the stored form of an event in a game.
func (s *Log) Entry(g *storage.Game, at storage.PlaceID, what Event) storage.Entry {
	e := what.Entry(at, s.now())
	e.Game = g.ID
	if !g.Over() && g.Runs() {
		e.Due = g.Due()
	}
	if g.Awaited() != 0 {
		e.Next = e.At.Add(answerSoon)
	}
	return e
}
