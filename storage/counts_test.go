package storage_test

import (
	"errors"
	"path/filepath"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

func TestRecordsAreCounted(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) error {
		for _, name := range []string{"alice", "bob", "alice"} {
			if _, err := w.Meet(storage.Address{Platform: "console", ID: name}, name); err != nil {
				return err
			}
		}
		for id := storage.GameID(1); id <= 3; id++ {
			if err := w.PutChallenge(storage.Challenge{ID: id, From: 1, To: 2, Place: 1}); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, s, func(r storage.Reader) error {
		got, err := r.Counts()
		if want := (storage.Counts{Challenges: 3, People: 2}); got != want {
			t.Errorf("counted %+v; want %+v", got, want)
		}
		return err
	})
}

func TestSchemaIsReadAndNotWritten(t *testing.T) {
	db, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2 {
		if _, err := storage.Schema(t.Context(), db); !errors.Is(err, kv.ErrNotDatabase) {
			t.Errorf("no records: %v", err)
		}
	}
	if _, err := storage.Open(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if version, err := storage.Schema(t.Context(), db); version == 0 || err != nil {
		t.Errorf("version %d, %v", version, err)
	}
	for value, want := range map[string]error{"\x00\x00\x00\x00\x00\x00\x00\x63": storage.ErrNewer, "?": kv.ErrCorrupt} {
		err := db.Update(t.Context(), func(w kv.Writer) error { return w.Put([]byte("meta/schema"), []byte(value)) })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := storage.Schema(t.Context(), db); !errors.Is(err, want) {
			t.Errorf("%q: %v; want %v", value, err, want)
		}
	}
}
