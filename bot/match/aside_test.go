package match_test

import (
	"errors"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestADeadlineOfARecordThatIsNotThereIsDroppedForGood(t *testing.T) {
	var memory kvtest.Disk
	store, err := storage.Open(t.Context(), memory.Open("due"))
	must(t, err)
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	s := serve(store, func() time.Time { return now }, func() bool { return true })
	err = store.Update(t.Context(), func(w storage.Writer) error {
		for _, kind := range []string{storage.DueGame, storage.DueChallenge, storage.DueVacation} {
			if err := w.RestoreDue(storage.Deadline{At: now.Add(-time.Hour), Kind: kind, ID: 77}); err != nil {
				return err
			}
		}
		return nil
	})
	must(t, errors.Join(err, s.Tick(t.Context())))
	if due, err := s.NextDue(t.Context()); err != nil || !due.IsZero() {
		t.Errorf("something is due still, at %v: %v", due, err)
	}
}
