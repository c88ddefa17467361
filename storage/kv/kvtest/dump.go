package kvtest

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"chimera/storage/kv"
)

func dumped(t *testing.T, db kv.DB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := kv.Dump(t.Context(), db, &b); err != nil {
		t.Errorf("Dump: %v", err)
	}
	return b.Bytes()
}

func dumpIsRestored(t *testing.T, open Opener) {
	db := fresh(t, open)
	want := map[string]string{"a": "1", "empty": "", "\x00": "0", "\xff\xff": "2", "long": strings.Repeat("v", kv.MaxValueSize), strings.Repeat("k", kv.MaxKeySize): "3"}
	for i := range kv.MaxUpdateWrites + 100 {
		want[fmt.Sprintf("many/%d", i)] = strings.Repeat("x", 1000)
	}
	var b bytes.Buffer
	var memory Disk
	source := memory.Open("source")
	for some := range slices.Chunk(slices.Collect(maps.Keys(want)), 100) {
		update(t, source, func(w kv.Writer) error {
			for _, key := range some {
				if err := putAll(w, key, want[key]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	b.Write(dumped(t, source))
	if err := kv.Restore(t.Context(), bytes.NewReader(b.Bytes()), db); err != nil {
		t.Fatalf("Restore: %v", err)
	}
	equals(t, db, want)
	if !bytes.Equal(dumped(t, db), b.Bytes()) {
		t.Error("the dump of what was restored is another")
	}
	wantErr(t, "Restore", kv.Restore(t.Context(), &b, db), kv.ErrNotEmpty)
	equals(t, db, want)
}

// restoreIsBegunAnew breaks a dump off, and restores it into what that has left.
func restoreIsBegunAnew(t *testing.T, open Opener) {
	var memory Disk
	db, source := fresh(t, open), memory.Open("source")
	for i := range 3 {
		put(t, source, fmt.Sprint(i), strings.Repeat("v", kv.MaxUpdateSize/2))
	}
	all := dumped(t, source)
	wantErr(t, "Restore", kv.Restore(t.Context(), bytes.NewReader(all[:len(all)-1]), db), kv.ErrNotDump)
	view(t, db, func(r kv.Reader) error {
		wantErr(t, "Whole", kv.Whole(r), kv.ErrUnfinished)
		return nil
	})
	wantErr(t, "Dump", kv.Dump(t.Context(), db, io.Discard), kv.ErrUnfinished)

	other := memory.Open("other")
	put(t, other, "a", "1")
	if err := kv.Restore(t.Context(), bytes.NewReader(dumped(t, other)), db); err != nil {
		t.Errorf("Restore: %v", err)
	}
	holds(t, db, "a=1")
}
