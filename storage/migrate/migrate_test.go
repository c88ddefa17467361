package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
	"chimera/storage/migrate"
)

// past gives each move of a game a key, in place of the rules; "none" is no move.
func past(g *storage.Game) (keys []uint64, err error) {
	for i, m := range g.Moves {
		if m == "none" {
			return nil, errors.New("no such move")
		}
		keys = append(keys, uint64(i+1))
	}
	return keys, nil
}

// opened brings a database up to date and opens it.
func opened(t *testing.T, db kv.DB) *storage.Store {
	t.Helper()
	kvtest.Must(t, migrate.Run(t.Context(), db, past))
	s, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	return s
}

func view(t *testing.T, s *storage.Store, fn func(storage.Reader) error) {
	t.Helper()
	kvtest.Must(t, s.View(t.Context(), fn))
}

// inFile12 checks a file that the program of schema 12 wrote: 1 is a game of chess that has ended, 2
// one of Brigade Chess whose pawn went sideways and back, 3 has just begun, and 4 is an open challenge.
func inFile12(t *testing.T) func(storage.Reader) error {
	return func(r storage.Reader) error {
		for id, want := range map[storage.GameID]int{1: 4, 2: 5, 3: 0} {
			g, err := r.Games().Get(id)
			if err != nil {
				return err
			}
			if len(g.Moves) != want || len(g.Past) != want {
				t.Errorf("game %d has %d moves and %d keys of its past, want %d", id, len(g.Moves), len(g.Past), want)
			}
		}
		open, err := r.ChallengesIn(1)
		if !slices.Equal(open, []storage.GameID{4}) {
			t.Errorf("open in the server are %v", open)
		}
		standings, err2 := r.Standings(1)
		if chess := standings.Standings["chess"]; chess.Games() != 1 {
			t.Errorf("person 1 has %+v", standings)
		}
		return errors.Join(err, err2)
	}
}

const file12 = "testdata/v12.db.gz"

func TestADatabaseOfSchema12IsBroughtUpToDate(t *testing.T) {
	path := kvtest.Unpacked(t, file12)
	for range 2 { // the second time, there is nothing to bring up to date
		db, err := bolt.Open(path)
		kvtest.Must(t, err)
		store := opened(t, db)
		view(t, store, inFile12(t))
		kvtest.Must(t, store.Check(t.Context(), func(fault string) { t.Error(fault) }))
		kvtest.Must(t, store.Close())
	}
}

// filled is a database of some records, as an earlier version may have written them.
func filled(t *testing.T, records map[string]string) kv.DB {
	t.Helper()
	db := new(kvtest.Disk).Open("db")
	for some := range slices.Chunk(slices.Sorted(maps.Keys(records)), 100) {
		kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) (err error) {
			for _, key := range some {
				err = errors.Join(err, w.Put([]byte(key), []byte(records[key])))
			}
			return err
		}))
	}
	return db
}

func number(n uint64) string { return string(storage.Number(n)) }

// TestAGameGetsItsPastBack has one of schema 12 that forgot it at a pawn's move, one that cannot be
// played and one that cannot be read, and the same of schema 13.
func TestAGameGetsItsPastBack(t *testing.T) {
	game := func(n int, move string) string {
		return "\x01" + fmt.Sprintf(`{"ID":%d,"Variant":"brigade","Moves":["e2e3","h7h6",%q],"Past":[9],"Result":"1-0","Revision":7}`, n, move)
	}
	for _, schema := range []uint64{12, 13} {
		db := filled(t, map[string]string{
			"meta/schema":       number(schema),
			"game/" + number(1): game(1, "e3d3"),
			"game/" + number(2): game(2, "none"),
			"game/" + number(3): "?",
		})
		view(t, opened(t, db), func(r storage.Reader) error {
			for id, want := range map[storage.GameID][]uint64{1: {1, 2, 3}, 2: {9}} {
				if g, err := r.Games().Get(id); err != nil || !slices.Equal(g.Past, want) || g.Revision != 7 || len(g.Moves) != 3 {
					t.Errorf("game %d: %+v (%v), want the past %v", id, g, err, want)
				}
			}
			if _, err := r.Games().Get(3); !errors.Is(err, kv.ErrCorrupt) {
				t.Errorf("game 3: %v", err)
			}
			return nil
		})
	}
}

// TestJoinsGoOnAsJobs has a link, an unlinked account, somebody forgotten, and a join that cannot be read.
func TestJoinsGoOnAsJobs(t *testing.T) {
	for _, schema := range []uint64{12, 13, 14} {
		db := ofSchema(t, schema, map[string]string{
			"join/" + number(2): "\x01" + `{"Of":2,"From":2,"Into":1,"Ready":true,"Played":true,"Next":7,"Counted":true}`,
			"join/" + number(4): "\x01" + `{"Of":4,"From":3,"Into":4,"Ready":true}`,
			"join/" + number(5): "\x01" + `{"Of":5}`,
			"join/" + number(6): "?",
		})
		view(t, opened(t, db), func(r storage.Reader) error {
			jobs, err := r.Jobs().List()
			if want := []storage.Job{
				{Kind: storage.ForgetJob, Of: 5},
				{Kind: storage.JoinJob, Of: 2, Into: 1, Part: 2, Game: 7, Counted: true},
				{Kind: storage.SplitJob, Of: 4, Into: 3, Part: 1},
			}; !slices.Equal(jobs, want) {
				t.Errorf("schema %d: jobs %+v, want %+v", schema, jobs, want)
			}
			return err
		})
	}
}

// ofSchema is filled, with checksums if the schema has them.
func ofSchema(t *testing.T, schema uint64, records map[string]string) kv.DB {
	t.Helper()
	records["meta/schema"] = number(schema)
	if schema == 14 {
		records["meta/schema"] = "\x00\x00\x00\x0e"
		for key, value := range records {
			records[key] = string(storage.Seal([]byte(key), []byte(value)))
		}
	}
	return filled(t, records)
}

// TestTheStandingsThatHoldStay has those of somebody under either letter, and of others under one, and
// keys that are of no use any more.
func TestTheStandingsThatHoldStay(t *testing.T) {
	of := func(p uint64) string { return "player/" + number(p) + "rated" }
	for _, schema := range []uint64{12, 13, 14} {
		for holds, want := range map[string]map[string]string{
			"":  {of(1): "one", of(2): "other"},
			"a": {of(1): "one", of(2): "other"},
			"b": {of(1): "draft", of(3): "\xff"},
		} {
			records := map[string]string{"passend/1": "", "solverend/1": "", of(1) + "a": "one", of(1) + "b": "draft", of(2) + "a": "other", of(3) + "b": "\xff"}
			if holds != "" {
				records["meta/careers"] = holds
			}
			db := ofSchema(t, schema, records)
			opened(t, db)
			found := kvtest.Contents(t, db)
			delete(found, "meta/schema")
			for key, value := range want {
				want[key] = string(storage.Seal([]byte(key), []byte(value)))
			}
			if !maps.Equal(found, want) {
				t.Errorf("schema %d, where %q holds: %q, want %q", schema, holds, found, want)
			}
		}
	}
}

func TestADatabaseThatIsTooOldIsRefusedAndLeftAsItIs(t *testing.T) {
	for schema := range uint64(11) {
		db := filled(t, map[string]string{"meta/schema": number(schema + 1), "game/" + number(1): "?"})
		before := kvtest.Contents(t, db)
		if err := migrate.Run(t.Context(), db, past); err == nil || !strings.Contains(err.Error(), "start the version of") {
			t.Errorf("schema %d: %v", schema+1, err)
		}
		if !maps.Equal(kvtest.Contents(t, db), before) {
			t.Error("something has changed")
		}
	}
}

// TestAnUpgradeGoesOnWhereItWasKilled kills it in every transaction.
func TestAnUpgradeGoesOnWhereItWasKilled(t *testing.T) {
	for _, schema := range []uint64{12, 14} {
		t.Run(fmt.Sprint("schema ", schema), func(t *testing.T) { goesOnFrom(t, schema) })
	}
}

func goesOnFrom(t *testing.T, schema uint64) {
	t.Helper()
	records := map[string]string{
		"game/" + number(1): "\x01" + `{"ID":1,"Moves":["e2e3"],"Result":"1-0"}`, "join/" + number(4): "\x01" + `{"Of":4,"From":3,"Into":4}`,
		"meta/careers": "b", "player/" + number(1) + "rateda": "draft", "player/" + number(1) + "ratedb": "one",
	}
	for n := range uint64(2000) {
		records["challenge/"+number(n+2)] = "\x01{}"
	}
	for n := range uint64(8) {
		records["card/"+number(n)] = strings.Repeat("x", kv.MaxValueSize/8)
	}
	whole := ofSchema(t, schema, maps.Clone(records))
	opened(t, whole)
	want := kvtest.Contents(t, whole)
	for updates := 0; ; updates++ {
		db := ofSchema(t, schema, maps.Clone(records))
		err := migrate.Run(t.Context(), &kvtest.Frail{DB: db, Left: updates}, past)
		if err != nil && !errors.Is(err, kvtest.ErrKilled) {
			t.Fatalf("after %d updates: %v", updates, err)
		}
		if _, err2 := storage.Open(t.Context(), db); (err2 == nil) != (err == nil) || err2 != nil && !errors.Is(err2, storage.ErrOlder) {
			t.Errorf("after %d updates, opening it gives %v", updates, err2)
		}
		opened(t, db)
		if found := kvtest.Contents(t, db); !maps.Equal(found, want) {
			t.Errorf("killed after %d updates it has led to something else", updates)
		}
		if err == nil {
			if updates < 5 {
				t.Errorf("it took no more than %d transactions", updates)
			}
			return
		}
	}
}

// TestNobodyOfAnEarlierVersionWritesOnceAnUpgradeHasBegun has a store open while a newer program
// begins.
func TestNobodyOfAnEarlierVersionWritesOnceAnUpgradeHasBegun(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	s := opened(t, db)
	visit := func(w storage.Writer) error {
		_, err := w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{})
		return err
	}
	kvtest.Must(t, s.Update(t.Context(), visit))
	select {
	case <-s.Outdated():
		t.Error("it is said to be outdated before it is")
	default:
	}
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return storage.PutSchema(w, storage.Current+1) }))
	before := kvtest.Contents(t, db)
	if err := s.Update(t.Context(), visit); !errors.Is(err, storage.ErrNewer) || errors.Is(err, storage.ErrNotSaved) {
		t.Errorf("it wrote: %v", err)
	}
	<-s.Outdated()
	if !maps.Equal(kvtest.Contents(t, db), before) {
		t.Error("something has changed")
	}
}

// TestSeveralProcessesThatBeginAtOnceUpgradeOnce has four of them share a database whose roles one
// holds at a time.
func TestSeveralProcessesThatBeginAtOnceUpgradeOnce(t *testing.T) {
	db, err := bolt.Open(kvtest.Unpacked(t, file12))
	kvtest.Must(t, err)
	shared := &sharing{DB: db, free: make(chan struct{}, 1)}
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if err := migrate.Run(t.Context(), shared, past); err != nil {
				t.Error(err)
			}
		})
	}
	running.Wait()
	if shared.outside.Load() > 0 {
		t.Errorf("%d updates were not by whoever held the role", shared.outside.Load())
	}
	s := opened(t, db)
	view(t, s, inFile12(t))
	kvtest.Must(t, s.Close())
}

// sharing is a database of several processes, of which one holds a role.
type sharing struct {
	kv.DB
	free    chan struct{} // full while the role is held
	outside atomic.Int64  // updates while it was free
}

func (s *sharing) Hold(ctx context.Context, _ string) (func(context.Context) error, error) {
	select {
	case s.free <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return func(context.Context) error {
		<-s.free
		return nil
	}, nil
}

func (s *sharing) Held(ctx context.Context) error { return ctx.Err() }

func (s *sharing) Lost() <-chan struct{} { return nil }

func (s *sharing) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if len(s.free) == 0 {
		s.outside.Add(1)
	}
	return s.DB.Update(ctx, fn)
}

func TestADatabaseThatIsNewOrNewerIsLeftAlone(t *testing.T) {
	db := new(kvtest.Disk).Open("db")
	if err := migrate.Run(t.Context(), &kvtest.Frail{DB: db}, past); err != nil {
		t.Errorf("an empty one: %v", err)
	}
	opened(t, db)
	if err := migrate.Run(t.Context(), &kvtest.Frail{DB: db}, past); err != nil {
		t.Errorf("one of today: %v", err)
	}
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error { return storage.PutSchema(w, storage.Current+1) }))
	if err := migrate.Run(t.Context(), &kvtest.Frail{DB: db}, past); !errors.Is(err, storage.ErrNewer) {
		t.Errorf("one of tomorrow: %v", err)
	}
}
