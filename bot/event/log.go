package event

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chimera/storage"
)

// Log remembers which messages were carried out, and how. It is safe for concurrent use.
type Log struct {
	store *storage.Store
	now   func() time.Time
}

// New makes a Log over a store. now is the wall clock.
func New(store *storage.Store, now func() time.Time) *Log { return &Log{store, now} }

// SecondWord is how long the first of two words (to resign, to abort) counts.
const SecondWord = 2 * time.Minute

// Again is what became of a message that has come before, nil if it has not. words are
// what Refused was told.
func (s *Log) Again(ctx context.Context, by By) (again *Done, words string, err error) {
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		again, words, err = Before(r, by.Message)
		return err
	})
	return again, words, err
}

// Refused remembers that the asker's request was refused, and in which words, so that its
// message changes nothing when it comes again. It does nothing where the request was
// carried out.
func (s *Log) Refused(ctx context.Context, by By, words string) error {
	if by.Message.ID == "" {
		return nil
	}
	_, err := s.once(ctx, by, words, func(storage.Writer) (Done, error) { return Done{Kind: Refused}, nil })
	return err
}

// Remember keeps what became of a message, and in which words it was refused if it was.
func (s *Log) Remember(w storage.Writer, m storage.MessageID, done Done, words string) error {
	answer, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return w.PutSeen(m, storage.Seen{At: s.now(), Answer: answer, Words: words})
}

// Before is Again within a transaction.
func Before(r storage.Reader, m storage.MessageID) (again *Done, words string, err error) {
	before, err := r.Seen(m)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil, "", nil
	case err != nil:
		return nil, "", err
	}
	again = new(Done)
	return again, before.Words, json.Unmarshal(before.Answer, again)
}

// errNothing ends a transaction that has found its message carried out before.
var errNothing = errors.New("event: nothing to do")

// Once carries out a request that is no change of a game, unless its message has
// been before.
func (s *Log) Once(ctx context.Context, by By, do func(storage.Writer) (Done, error)) (Done, error) {
	return s.once(ctx, by, "", do)
}

func (s *Log) once(ctx context.Context, by By, words string, do func(storage.Writer) (Done, error)) (done Done, err error) {
	err = s.store.Update(ctx, func(w storage.Writer) error {
		before, _, err := Before(w.Reader, by.Message)
		if err != nil {
			return err
		}
		if before != nil {
			done = *before
			return errNothing
		}
		if done, err = do(w); err != nil {
			return err
		}
		return s.Remember(w, by.Message, done, words)
	})
	if err != nil && !errors.Is(err, errNothing) {
		return Done{}, err
	}
	return done, nil
}

// Offer is one that the asker makes now.
func (s *Log) Offer(by By) *storage.Offer { return &storage.Offer{By: by.Person, At: s.now()} }

// Second reports whether the first word was this person's, and not long ago.
func (s *Log) Second(first *storage.Offer, by By) bool {
	return first != nil && first.By == by.Person && s.now().Sub(first.At) <= SecondWord
}

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
