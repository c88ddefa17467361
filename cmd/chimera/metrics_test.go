package main

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"chimera/bot/metrics"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestAnEngineThatIsCountedKeepsItsContract(t *testing.T) {
	disks := map[string]*kvtest.Disk{}
	kvtest.Run(t, func(t testing.TB, path string) kv.DB {
		if disks[t.Name()] == nil {
			disks[t.Name()] = &kvtest.Disk{}
		}
		return counting(disks[t.Name()].Open(path), metrics.New("test"))
	})
}

// contested is an engine that runs each function three times before it stores anything, as one
// whose processes get in each other's way.
type contested struct{ kv.DB }

var errRehearsed = errors.New("once more")

func (c contested) Update(ctx context.Context, fn func(kv.Writer) error) error {
	for range 2 {
		_ = c.DB.Update(ctx, func(w kv.Writer) error { return errors.Join(fn(w), errRehearsed) }) // it is not meant to be kept
	}
	return c.DB.Update(ctx, fn)
}

func TestTransactionsAreCountedByWhatBecomesOfThem(t *testing.T) {
	put := func(w kv.Writer) error { return w.Put([]byte("a"), nil) }
	full := &fillable{commit: make(chan struct{}, 1)}
	for name, c := range map[string]struct {
		engine                      func(kv.DB) kv.DB
		fn                          func(kv.Writer) error
		commits, conflicts, unsaved float64
	}{
		"it stores something": {nil, put, 1, 0, 0},
		"it removes":          {nil, func(w kv.Writer) error { return w.Delete([]byte("a")) }, 1, 0, 0},
		"it only reads":       {nil, func(w kv.Writer) error { _, err := w.Get([]byte("a")); return err }, 0, 0, 0},
		"it refuses":          {nil, func(w kv.Writer) error { return errors.Join(put(w), errRehearsed) }, 0, 0, 0},
		"it is run again":     {func(db kv.DB) kv.DB { return contested{db} }, put, 1, 2, 0},
		"the disk is full":    {func(db kv.DB) kv.DB { full.DB = db; full.full.Store(true); return full }, put, 0, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var disk kvtest.Disk
			engine := disk.Open("db")
			if c.engine != nil {
				engine = c.engine(engine)
			}
			m := metrics.New("test")
			server := httptest.NewServer(m.Handler())
			defer server.Close()
			_ = counting(engine, m).Update(t.Context(), c.fn) // what becomes of it is counted
			now := scrape(t, server.URL)
			got := [3]float64{now.sum("chimera_commit_seconds_count"), now.sum("chimera_conflicts_total"), now.sum("chimera_unsaved_total")}
			if want := [3]float64{c.commits, c.conflicts, c.unsaved}; got != want {
				t.Errorf("commits, conflicts, unsaved are %v; want %v", got, want)
			}
		})
	}
}
