package fake

import (
	"errors"
	"testing"
	"time"

	"chimera/bot/maintenance"
	"chimera/storage"
)

// Forsaken lets the time be over in which the open challenges that are stored wait for people.
func Forsaken(t testing.TB, store *storage.Store, upkeep *maintenance.Keeper) {
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
	if err := errors.Join(err, upkeep.Tick(t.Context())); err != nil {
		t.Fatal(err)
	}
}
