package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// during is an engine during whose updates something happens.
type during struct {
	kv.DB
	updates int
	happens func(nth int)
}

func (d *during) Update(ctx context.Context, fn func(kv.Writer) error) error {
	d.updates++
	d.happens(d.updates)
	return d.DB.Update(ctx, fn)
}

// TestACopyOutlivesThatWhatItReadsIsDropped changes what is copied, and drops what it was, when part
// of that has been read: once, and then as often as it is tried.
func TestACopyOutlivesThatWhatItReadsIsDropped(t *testing.T) {
	cluster := etcdtest.Start(t, 1, nil)
	address := cluster.Address("db")
	client := etcdtest.Client(t, address)
	opened := func() kv.DB { // which knows nothing yet
		t.Helper()
		db, err := openEngine(t.Context(), address, bolt.Open)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		return db
	}
	writer := opened()
	_, err := storage.Open(t.Context(), writer)
	must(t, err)
	put := func(key, value string) {
		t.Helper()
		must(t, writer.Update(t.Context(), func(w kv.Writer) error { return w.Put([]byte(key), []byte(value)) }))
	}
	for n := range 100 { // more than is read in one trip
		put(fmt.Sprintf("some/%02d", n), strings.Repeat("x", kv.MaxValueSize/8))
	}
	dropped := 0
	drop := func() {
		t.Helper()
		dropped++
		put("zzz", fmt.Sprint(dropped))
		etcdtest.Compact(t, client)
	}
	to := &during{DB: new(kvtest.Disk).Open("to"), happens: func(nth int) {
		if nth == 3 {
			drop()
		}
	}}
	if _, err := kv.Fill(t.Context(), opened(), to); err != nil || dropped != 1 {
		t.Fatalf("the copy, of what was dropped %d times: %v", dropped, err)
	}
	if is, want := kvtest.Contents(t, to), kvtest.Contents(t, writer); !maps.Equal(is, want) {
		t.Errorf("the copy has %d records, of %d", len(is), len(want))
	}
	never := &during{DB: new(kvtest.Disk).Open("never"), happens: func(int) { drop() }}
	if _, err := kv.Fill(t.Context(), opened(), never); err == nil || !strings.Contains(err.Error(), "has dropped the history") {
		t.Errorf("a copy that never comes to its end: %v", err)
	}
	if err := never.View(t.Context(), kv.Whole); !errors.Is(err, kv.ErrUnfinished) {
		t.Errorf("what it has filled is %v", err)
	}
}

func TestNoErrorTellsAPassword(t *testing.T) {
	for _, address := range []string{"etcd://bot:secret@h/p", "etcds://bot:secret@h/p", "https://bot:secret@h/p"} {
		for _, file := range []func(string) (*bolt.DB, error){bolt.Open, bolt.OpenReadOnly} {
			if _, err := openEngine(t.Context(), address, file); err == nil || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v", address, err)
			}
		}
	}
}
