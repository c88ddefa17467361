package storage_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
)

// TestADatabaseOfSchema1IsBroughtUpToDate opens a file that the program wrote when
// games had no time limit: game 1 goes on with Black to move, 2 is an open challenge,
// 3 has ended, and 4 has just begun.
func TestADatabaseOfSchema1IsBroughtUpToDate(t *testing.T) {
	packed, err := os.Open("testdata/v1.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	old, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.db")
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time, there is nothing to bring up to date
		db, err := bolt.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		store, err := storage.Open(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		view(t, store, checkMigrated(t))
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func checkMigrated(t *testing.T) func(r storage.Reader) error {
	return func(r storage.Reader) error {
		here, err := r.Here(1)
		if err != nil {
			return err
		}
		if !slices.Equal(here, []storage.GameID{1, 4}) {
			t.Errorf("in progress at the place are %v", here)
		}
		for id, turn := range map[storage.GameID]storage.Side{1: storage.White, 3: storage.Black, 4: storage.White} {
			g, err := r.Game(id)
			if err != nil {
				return err
			}
			if g.Turn != turn || g.Pace != (storage.Pace{}) || !g.Clock.Wake.IsZero() {
				t.Errorf("game %d: turn %d, pace %v, clock %v", id, g.Turn, g.Pace, g.Clock)
			}
		}
		c, err := r.Challenge(2)
		if c.Variant != "stealth" || !c.Expires.IsZero() {
			t.Errorf("challenge 2: %v", c)
		}
		return err
	}
}
