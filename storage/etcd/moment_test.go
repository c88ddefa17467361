package etcd_test

import (
	"errors"
	"testing"

	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// TestAMomentAsksOnceWhatIsNew counts the trips to a cluster of several reads, a refusal and a
// commit.
func TestAMomentAsksOnceWhatIsNew(t *testing.T) {
	t.Parallel()
	address := etcdtest.Start(t, 1, nil).Address("db")
	db, other := opened(t, address), opened(t, address)
	kvtest.Must(t, other.Update(t.Context(), put("1")))
	read := func(r kv.Reader) error {
		values, err := r.GetAll([]byte("a"), []byte("b"))
		if err == nil && string(values[0]) != "1" {
			t.Errorf("a is %q", values[0])
		}
		return err
	}
	refusal := errors.New("refused")
	ctx := kv.AsOfNow(t.Context())
	steps := []struct {
		name  string
		trips int64
		do    func() error
	}{
		{"the first read, of unknown keys", 1, func() error { return db.View(ctx, read) }},
		{"another read", 0, func() error { return db.View(ctx, read) }},
		{"a refusal", 0, func() error {
			err := db.Update(ctx, func(w kv.Writer) error { return errors.Join(read(w), refusal) })
			if errors.Is(err, refusal) {
				err = nil
			}
			return err
		}},
		{"an update", 1, func() error {
			return db.Update(ctx, func(w kv.Writer) error { return errors.Join(read(w), w.Put([]byte("b"), nil)) })
		}},
		{"a read of what it has stored", 0, func() error {
			return db.View(ctx, func(r kv.Reader) error {
				value, err := r.Get([]byte("b"))
				if value == nil {
					t.Error("b is not there")
				}
				return err
			})
		}},
		{"a read at no such moment", 1, func() error { return db.View(t.Context(), read) }},
		{"a refusal at no such moment", 1, func() error { return db.Update(t.Context(), func(w kv.Writer) error { return read(w) }) }},
		{"a read at the next moment", 1, func() error { return db.View(kv.AsOfNow(t.Context()), read) }},
	}
	for _, step := range steps {
		before := db.Trips.Load()
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
		if trips := db.Trips.Load() - before; trips != step.trips {
			t.Errorf("%s took %d trips; want %d", step.name, trips, step.trips)
		}
	}
}
