package storage

import (
	"context"
	"errors"
	"testing"
	"time"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// counted counts what an Observer is told.
type counted struct{ commits, conflicts, unsaved int }

func (t *counted) Commit(time.Time) { t.commits++ }
func (t *counted) Conflict()        { t.conflicts++ }
func (t *counted) Unsaved()         { t.unsaved++ }

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
	put := func(w Writer) error { return w.out.Put([]byte("a"), nil) }
	for name, c := range map[string]struct {
		engine func(kv.DB) kv.DB
		fn     func(Writer) error
		want   counted
	}{
		"it stores something": {nil, put, counted{commits: 1}},
		"it removes":          {nil, func(w Writer) error { return w.out.Delete([]byte("a")) }, counted{commits: 1}},
		"it only reads":       {nil, func(w Writer) error { _, err := w.kv.Get([]byte("a")); return err }, counted{}},
		"it refuses":          {nil, func(w Writer) error { return errors.Join(put(w), errRehearsed) }, counted{}},
		"it is run again":     {func(db kv.DB) kv.DB { return contested{db} }, put, counted{commits: 1, conflicts: 2}},
		"it cannot be stored": {func(db kv.DB) kv.DB { return &kvtest.Frail{DB: db} }, put, counted{unsaved: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var disk kvtest.Disk
			s, err := Open(t.Context(), disk.Open("db"))
			kvtest.Must(t, err)
			if c.engine != nil {
				s.db = c.engine(s.db)
			}
			var got counted
			s.Observe(&got)
			_ = s.Update(t.Context(), c.fn) // what becomes of it is counted
			if got != c.want {
				t.Errorf("counted %+v, want %+v", got, c.want)
			}
		})
	}
}
