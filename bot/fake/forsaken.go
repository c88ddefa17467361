package fake

import (
	"context"
	"errors"
	"testing"
	"time"

	"chimera/storage"
)

// Forsaken ends the time for which the stored challenges wait for people, and lets a tick pass.
func Forsaken(t testing.TB, store *storage.Store, tick func(context.Context) error) {
	t.Helper()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		for c, err := range w.Challenges().Each(w.ChallengeIDs()) {
			if err != nil {
				return err
			}
			c.Patience = time.Now().Add(-time.Minute)
			if err := w.Challenges().Put(c); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, tick(t.Context())); err != nil {
		t.Fatal(err)
	}
}
