package kv_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// specimen is a dump of three pairs.
func specimen(t *testing.T) []byte {
	t.Helper()
	var disk kvtest.Disk
	db := disk.Open("specimen")
	err := db.Update(t.Context(), func(w kv.Writer) error {
		return errors.Join(w.Put([]byte("a"), []byte("1")), w.Put([]byte("b"), nil), w.Put([]byte("c"), bytes.Repeat([]byte("x"), 300)))
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := kv.Dump(t.Context(), db, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestADumpWithAnyByteChangedIsRefused(t *testing.T) {
	whole := specimen(t)
	for i := range whole {
		for _, flip := range []byte{0x01, 0x80} {
			damaged := slices.Clone(whole)
			damaged[i] ^= flip
			var disk kvtest.Disk
			err := kv.Restore(t.Context(), bytes.NewReader(damaged), disk.Open("db"))
			if !errors.Is(err, kv.ErrNotDump) && !errors.Is(err, kv.ErrValueSize) {
				t.Errorf("byte %d of %d: %v", i, len(whole), err)
			}
		}
	}
}

func TestADumpOfAnotherLengthIsRefused(t *testing.T) {
	whole := specimen(t)
	for n := range whole {
		var disk kvtest.Disk
		if err := kv.Restore(t.Context(), bytes.NewReader(whole[:n]), disk.Open("db")); !errors.Is(err, kv.ErrNotDump) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
	var disk kvtest.Disk
	if err := kv.Restore(t.Context(), bytes.NewReader(append(whole, 'x')), disk.Open("db")); !errors.Is(err, kv.ErrNotDump) {
		t.Errorf("with a byte more: %v", err)
	}
}

func TestWhatIsNoDumpLeavesTheDatabaseEmpty(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("db")
	for _, text := range []string{"", "something else altogether", "chimera dump 2\nof the future"} {
		if err := kv.Restore(t.Context(), bytes.NewReader([]byte(text)), db); !errors.Is(err, kv.ErrNotDump) {
			t.Errorf("%q: %v", text, err)
		}
	}
	err := db.View(t.Context(), func(r kv.Reader) error {
		for item, err := range r.Scan(nil, nil) {
			t.Errorf("it holds %q (%v)", item.Key, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
