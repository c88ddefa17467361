package kvtest

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"chimera/storage/kv"
)

func allIsFilled(t *testing.T, open Opener) {
	db := fresh(t, open)
	want := map[string]string{"a": "1", "empty": "", "\x00": "0", "\xff\xff": "2", "long": strings.Repeat("v", kv.MaxValueSize), strings.Repeat("k", kv.MaxKeySize): "3"}
	for i := range kv.MaxUpdateWrites + 100 {
		want[fmt.Sprintf("many/%d", i)] = strings.Repeat("x", 1000)
	}
	var memory Disk
	source := memory.Open("source")
	bytes := 0
	for some := range slices.Chunk(slices.Collect(maps.Keys(want)), 100) {
		update(t, source, func(w kv.Writer) error {
			for _, key := range some {
				bytes += len(key) + len(want[key])
				if err := putAll(w, key, want[key]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if size, err := kv.Fill(t.Context(), source, db); err != nil || size != int64(bytes) {
		t.Fatalf("Fill: %d bytes of %d: %v", size, bytes, err)
	}
	equals(t, db, want)
	back := memory.Open("back")
	if _, err := kv.Fill(t.Context(), db, back); err != nil {
		t.Errorf("Fill: %v", err)
	}
	equals(t, back, want)
	_, err := kv.Fill(t.Context(), source, db)
	wantErr(t, "Fill", err, kv.ErrNotEmpty)
	equals(t, db, want)
}

// errCut is what ends a cut database.
var errCut = errors.New("cut")

// cut is a database of which all but the last pair can be read.
type cut struct{ kv.DB }

func (c cut) View(ctx context.Context, fn func(kv.Reader) error) error {
	return c.DB.View(ctx, func(r kv.Reader) error { return fn(cutReader{r}) })
}

type cutReader struct{ kv.Reader }

func (r cutReader) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		var last *kv.Item
		for item, err := range r.Reader.Scan(start, end) {
			if last != nil && !yield(*last, err) {
				return
			}
			last = &item
		}
		yield(kv.Item{}, errCut)
	}
}

// fillingIsBegunAnew breaks the filling off, and begins again into what that has left.
func fillingIsBegunAnew(t *testing.T, open Opener) {
	var memory Disk
	db, source := fresh(t, open), memory.Open("source")
	for i := range 3 {
		put(t, source, fmt.Sprint(i), strings.Repeat("v", kv.MaxUpdateSize/2))
	}
	_, err := kv.Fill(t.Context(), cut{source}, db)
	wantErr(t, "Fill", err, errCut)
	view(t, db, func(r kv.Reader) error {
		wantErr(t, "Whole", kv.Whole(r), kv.ErrUnfinished)
		return nil
	})
	_, err = kv.Fill(t.Context(), db, memory.Open("third"))
	wantErr(t, "Fill", err, kv.ErrUnfinished)

	other := memory.Open("other")
	put(t, other, "a", "1")
	if _, err := kv.Fill(t.Context(), other, db); err != nil {
		t.Errorf("Fill: %v", err)
	}
	holds(t, db, "a=1")
}
