package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"chimera/storage/kv"
)

// An Opener opens the database at a path, makes it if there is none, and fails
// the test if it cannot. It may be called again with the same path after the
// database was closed.
type Opener func(t testing.TB, path string) kv.DB

// Run checks that the databases open gives keep the contract of package kv.
func Run(t *testing.T, open func(t testing.TB, path string) kv.DB) {
	tests := []struct {
		name string
		run  func(t *testing.T, open Opener)
	}{
		{"a new database is empty", newIsEmpty},
		{"an absent value is nil and an empty one is not", absentIsNil},
		{"put replaces and delete removes", putReplaces},
		{"keys and values have limits", limits},
		{"an update has limits, if any, that leave it whole", updatesHaveLimits},
		{"many values come in the order of their keys", getAllIsInOrder},
		{"a scan is ascending and half open", scanIsHalfOpen},
		{"a prefix is scanned and nothing else", scanPrefix},
		{"a scan can be left early and begun again", scanAgain},
		{"a scan does not see what is written during it", scanIsStable},
		{"an update reads what it wrote", updateReadsOwnWrites},
		{"a scan merges what is pending with what is stored", scanMerges},
		{"bytes read are the reader's own", bytesReadAreOwn},
		{"bytes written are copied", bytesWrittenAreCopied},
		{"an error drops the writes and comes back as it is", errorDrops},
		{"a panic drops the writes and goes on in the caller", panicDrops},
		{"an ended goroutine drops the writes", goexitDrops},
		{"neighbours survive errors and panics", neighboursSurvive},
		{"concurrent increments add up", incrementsAddUp},
		{"concurrent conditions hold", conditionsHold},
		{"a view does not change while it lasts", viewIsStable},
		{"views see whole updates", viewsSeeWholeUpdates},
		{"a done context runs nothing", doneContext},
		{"a moment contains what its own handle stores later", momentIsOwn},
		{"a transaction is of no use after its end", overIsOver},
		{"a copy holds what was stored", copyHolds},
		{"a copy is of one moment while updates go on", copyIsOfOneMoment},
		{"a copy that cannot be written leaves the database alone", copyFails},
		{"a done context ends a copy", copyIsLeft},
		{"close waits for a copy", closeWaitsForCopy},
		{"all that another holds fills a database, and never one that holds something", allIsFilled},
		{"filling that broke off is begun anew", fillingIsBegunAnew},
		{"an update outlives its database", updateIsDurable},
		{"a closed database refuses", closedRefuses},
		{"close waits for what runs", closeWaits},
		{"closing during updates loses none that succeeded", closeDuringUpdates},
		{"a random history agrees with a map", randomHistory},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, open) })
	}
}

// fresh opens a new database that is closed when the test ends.
func fresh(t *testing.T, open Opener) kv.DB {
	t.Helper()
	db := open(t, filepath.Join(t.TempDir(), "db"))
	t.Cleanup(func() { closeDB(t, db) })
	return db
}

func closeDB(t *testing.T, db kv.DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// view fails the test with every error of fn and of its transaction.
func view(t *testing.T, db kv.DB, fn func(r kv.Reader) error) {
	t.Helper()
	if err := db.View(t.Context(), fn); err != nil {
		t.Errorf("View: %v", err)
	}
}

func update(t *testing.T, db kv.DB, fn func(w kv.Writer) error) {
	t.Helper()
	if err := db.Update(t.Context(), fn); err != nil {
		t.Errorf("Update: %v", err)
	}
}

// put stores keys and values given by turns.
func put(t *testing.T, db kv.DB, pairs ...string) {
	t.Helper()
	update(t, db, func(w kv.Writer) error { return putAll(w, pairs...) })
}

func putAll(w kv.Writer, pairs ...string) error {
	for pair := range slices.Chunk(pairs, 2) {
		if err := w.Put([]byte(pair[0]), []byte(pair[1])); err != nil {
			return err
		}
	}
	return nil
}

// list spells a range as "key=value key=value".
func list(r kv.Reader, start, end []byte) (string, error) {
	var b bytes.Buffer
	for item, err := range r.Scan(start, end) {
		if err != nil {
			return "", err
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=%s", item.Key, item.Value)
	}
	return b.String(), nil
}

// has fails the test unless the range from start to end is want.
func has(t *testing.T, r kv.Reader, start, end []byte, want string) {
	t.Helper()
	if got, err := list(r, start, end); err != nil || got != want {
		t.Errorf("scan from %q to %q = %q, %v; want %q", start, end, got, err, want)
	}
}

// holds fails the test unless want is everything the database holds.
func holds(t *testing.T, db kv.DB, want string) {
	t.Helper()
	view(t, db, func(r kv.Reader) error {
		has(t, r, nil, nil, want)
		return nil
	})
}

// contents returns everything a transaction sees, and checks the order.
func contents(r kv.Reader) (map[string]string, error) {
	all := make(map[string]string)
	var last []byte
	for item, err := range r.Scan(nil, nil) {
		if err != nil {
			return nil, err
		}
		if bytes.Compare(last, item.Key) >= 0 {
			return nil, fmt.Errorf("%q came after %q", item.Key, last)
		}
		last = item.Key
		all[string(item.Key)] = string(item.Value)
	}
	return all, nil
}

// equals fails the test unless the database holds exactly want.
func equals(t *testing.T, db kv.DB, want map[string]string) {
	t.Helper()
	if got := Contents(t, db); !maps.Equal(got, want) {
		t.Errorf("the database holds %q; want %q", got, want)
	}
}

// Contents is everything a database holds.
func Contents(t testing.TB, db kv.DB) (all map[string]string) {
	t.Helper()
	err := db.View(context.Background(), func(r kv.Reader) (err error) {
		all, err = contents(r)
		return err
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
	return all
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v; want %v", what, err, want)
	}
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// Random is a source of chance; if the test fails, it tells the seed.
func Random(t testing.TB) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Must ends a test that cannot go on.
func Must(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
