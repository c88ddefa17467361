package storage_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// half is one of two handles of a database, which hears what the other stores.
type half struct {
	kv.DB
	other *half
	heard func(keys [][]byte)
}

func (h *half) Watch(heard func(keys [][]byte)) { h.heard = heard }
func (h *half) Close() error                    { return nil }

func (h *half) Update(ctx context.Context, fn func(kv.Writer) error) error {
	var w *noting
	err := h.DB.Update(ctx, func(inner kv.Writer) error {
		w = &noting{Writer: inner}
		return fn(w)
	})
	if err == nil && h.other.heard != nil {
		h.other.heard(w.keys)
	}
	return err
}

// noting notes what is written.
type noting struct {
	kv.Writer
	keys [][]byte
}

func (n *noting) Put(key, value []byte) error {
	if !slices.ContainsFunc(n.keys, func(known []byte) bool { return bytes.Equal(known, key) }) {
		n.keys = append(n.keys, slices.Clone(key))
	}
	return n.Writer.Put(key, value)
}

func TestWhatAnotherProcessStoresIsHeardOf(t *testing.T) {
	db := engine(t)
	one, two := &half{DB: db}, &half{DB: db}
	one.other, two.other = two, one
	var stores []*storage.Store
	for _, h := range []*half{one, two} {
		s, err := storage.Open(t.Context(), h)
		kvtest.Must(t, err)
		stores = append(stores, s)
	}
	var heard []string
	stores[1].OnPost(func(in []storage.Queue) { heard = append(heard, fmt.Sprint("posted ", in)) })
	stores[1].OnAwaited(func(games []storage.GameID) { heard = append(heard, fmt.Sprint("awaited ", games)) })
	stores[1].OnChange(func(games []storage.GameID) { heard = append(heard, fmt.Sprint("changed ", games)) })
	wantHeard := func(want ...string) {
		t.Helper()
		if !slices.Equal(heard, want) {
			t.Errorf("heard was %q, want %q", heard, want)
		}
		heard = nil
	}

	theirs := storage.Game{ID: 7, Levels: [2]int{3, 0}}
	update(t, stores[0], func(w storage.Writer) error {
		return errors.Join(w.Games().Put(theirs), w.Post(storage.Entry{Place: 2, Game: 7}))
	})
	wantHeard("awaited [7]", "changed [7]", "posted [{2 7}]")
	update(t, stores[0], func(w storage.Writer) error { return w.Games().Put(theirs) })
	wantHeard("awaited [7]", "changed [7]") // though it was awaited before
	update(t, stores[0], func(w storage.Writer) error { return w.Games().Put(storage.Game{ID: 8}) })
	wantHeard("changed [8]")
	update(t, stores[0], func(w storage.Writer) error { return w.Probe(theirs.Began) })
	wantHeard()
	update(t, stores[1], func(w storage.Writer) error { return w.Post(storage.Entry{Place: 3}) })
	wantHeard("posted [{3 0}]") // one's own once
	two.heard(nil)
	wantHeard("awaited []", "changed []", "posted []")
}
