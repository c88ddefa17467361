package storage_test

import (
	"errors"
	"testing"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// TestEveryFlippedBitOfAStoredValueIsFound flips each bit of a value, of its checksum and of its
// key, one at a time, and reads it in every way.
func TestEveryFlippedBitOfAStoredValueIsFound(t *testing.T) {
	key := []byte("game/\x00\x00\x00\x00\x00\x00\x00\x01")
	value, err := storage.Encode(map[string]any{"ID": 1, "Rated": true})
	kvtest.Must(t, err)
	sealed := storage.Seal(key, value)
	for bit := range 8 * (len(key) + len(sealed)) {
		pair := append(append([]byte{}, key...), sealed...)
		pair[bit/8] ^= 1 << (bit % 8)
		foundUnsound(t, pair[:len(key)], pair[len(key):])
	}
	foundUnsound(t, []byte("game/\x00\x00\x00\x00\x00\x00\x00\x02"), sealed) // of another
	foundUnsound(t, key, value)                                              // without a checksum
}

func foundUnsound(t *testing.T, key, sealed []byte) {
	t.Helper()
	db := new(kvtest.Disk).Open("db")
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return w.Put(key, sealed) }))
	kvtest.Must(t, db.View(t.Context(), func(r kv.Reader) error {
		s := storage.Sealed{Reader: r}
		if value, err := s.Get(key); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%q under %q is read as %q: %v", sealed, key, value, err)
		}
		all, err := s.GetAll(key)
		if err != nil {
			return err
		}
		var found map[string]any
		if err := storage.Decode(all[0], &found); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%q under %q is read as %v: %v", sealed, key, found, err)
		}
		for item, err := range s.Scan(nil, nil) {
			if err := errors.Join(err, storage.Decode(item.Value, &found)); !errors.Is(err, kv.ErrCorrupt) {
				t.Errorf("%q under %q is come upon as %v: %v", sealed, key, found, err)
			}
		}
		return nil
	}))
}

func TestADamagedKeyThatSaysAllByBeingThereSaysNothing(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	err := db.Update(t.Context(), func(w kv.Writer) error {
		sealed := storage.SealTo(w)
		return errors.Join(storage.Mark(sealed, []byte("one"), true), w.Put([]byte("two"), storage.Seal([]byte("six"), nil)))
	})
	kvtest.Must(t, err)
	kvtest.Must(t, db.View(t.Context(), func(r kv.Reader) error {
		for item, err := range (storage.Sealed{Reader: r}).Scan(nil, nil) {
			if string(item.Key) != "one" || len(item.Value) > 0 || err != nil {
				t.Errorf("%q has %q: %v", item.Key, item.Value, err)
			}
		}
		return nil
	}))
}
