package event

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chimera/storage"
)

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
	again, _, err := s.Again(ctx, by)
	if again != nil || err != nil || by.Message.ID == "" {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		again, _, err := Before(w.Reader, by.Message)
		if again != nil || err != nil {
			return err
		}
		return s.Remember(w, by.Message, Done{Kind: Refused}, words)
	})
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
	var done Done
	err := s.store.Update(ctx, func(w storage.Writer) error {
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
		return s.Remember(w, by.Message, done, "")
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
