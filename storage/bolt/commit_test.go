package bolt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// openAt opens a database and closes it when the test ends.
func openAt(t testing.TB, path string, options *bbolt.Options) *DB {
	t.Helper()
	db, err := open(path, options)
	kvtest.Must(t, err)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return db
}

// commits returns the number of the last commit.
func commits(t *testing.T, db *DB) (n int) {
	t.Helper()
	kvtest.Must(t, db.bolt.View(func(tx *bbolt.Tx) error { n = tx.ID(); return nil }))
	return n
}

// together runs updates that all wait while another update runs, and returns
// their errors.
func together(t *testing.T, db *DB, updates ...func(w kv.Writer) error) []error {
	t.Helper()
	var wg sync.WaitGroup
	release := make(chan struct{})
	wg.Go(func() {
		if err := db.Update(t.Context(), func(kv.Writer) error { <-release; return nil }); err != nil {
			t.Errorf("the update before: %v", err)
		}
	})
	synctest.Wait()
	errs := make([]error, len(updates))
	for i, fn := range updates {
		wg.Go(func() { errs[i] = db.Update(t.Context(), fn) })
	}
	synctest.Wait()
	close(release)
	wg.Wait()
	return errs
}

func putter(key string, size int) func(w kv.Writer) error {
	return func(w kv.Writer) error { return w.Put([]byte(key), make([]byte, size)) }
}

// stored fails the test unless these are all the keys.
func stored(t *testing.T, db *DB, want string) {
	t.Helper()
	if got := strings.Join(slices.Sorted(maps.Keys(kvtest.Contents(t, db))), ""); got != want {
		t.Errorf("stored is %q, want %q", got, want)
	}
}

// onNew tests a new database, with a clock that keeps nobody waiting.
func onNew(t *testing.T, options *bbolt.Options, test func(t *testing.T, db *DB)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, openAt(t, filepath.Join(t.TempDir(), "db"), options)) })
}

func TestUpdatesThatWaitShareOneCommit(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		before := commits(t, db)
		var updates []func(kv.Writer) error
		for i := range 26 {
			updates = append(updates, putter(string(rune('a'+i)), 1))
		}
		kvtest.Must(t, errors.Join(together(t, db, updates...)...))
		if n := commits(t, db) - before; n != 1 {
			t.Errorf("%d commits for %d updates", n, len(updates))
		}
		stored(t, db, "abcdefghijklmnopqrstuvwxyz")
	})
}

func TestAnUpdateThatNobodyWaitsForSharesTheNextCommit(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		before, begun := commits(t, db), time.Now()
		var wg sync.WaitGroup
		for _, key := range []string{"a", "b"} {
			wg.Go(func() {
				if err := db.Update(kv.AtLeisure(t.Context()), putter(key, 1)); err != nil {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		stored(t, db, "")
		kvtest.Must(t, db.Update(t.Context(), putter("c", 1)))
		wg.Wait()
		if n, took := commits(t, db)-before, time.Since(begun); n != 1 || took != 0 {
			t.Errorf("%d commits, after %v", n, took)
		}
		stored(t, db, "abc")
	})
}

func TestAnUpdateThatNobodyWaitsForIsStoredSoon(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		begun := time.Now()
		kvtest.Must(t, db.Update(kv.AtLeisure(t.Context()), putter("a", 1)))
		if took := time.Since(begun); took != leisure {
			t.Errorf("it took %v", took)
		}
		stored(t, db, "a")
	})
}

func TestUpdatesThatWriteNothingCommitNothing(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		before := commits(t, db)
		refusal := errors.New("refused")
		errs := together(
			t, db,
			func(w kv.Writer) error { return errors.Join(putter("a", 1)(w), refusal) },
			func(kv.Writer) error { return nil },
			func(kv.Writer) error { return refusal },
		)
		if !errors.Is(errs[0], refusal) || errs[1] != nil || !errors.Is(errs[2], refusal) {
			t.Errorf("errors %v", errs)
		}
		if n := commits(t, db) - before; n != 0 {
			t.Errorf("%d commits", n)
		}
	})
}

func TestALaterUpdateOfABatchSeesTheEarlier(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		n := 0
		grow := func(w kv.Writer) error {
			for _, err := range w.Scan(nil, nil) {
				if err != nil {
					return err
				}
				n++
			}
			return w.Put(fmt.Appendf(nil, "%d", n), nil)
		}
		kvtest.Must(t, errors.Join(together(t, db, grow, grow, grow, grow)...))
		if n != 0+1+2+3 {
			t.Errorf("four updates saw %d keys", n)
		}
	})
}

func TestAFailedCommitIsEveryonesErrorAndNoOnesWrite(t *testing.T) {
	small := options()
	small.MaxSize = growth + 64*PageSize // as on a full disk
	onNew(t, small, func(t *testing.T, db *DB) {
		kvtest.Must(t, db.Update(t.Context(), putter("z", 1)))
		errs := together(
			t, db,
			putter("a", 1),
			func(w kv.Writer) error { return errors.Join(putter("b", growth)(w), putter("bb", growth)(w)) },
			func(kv.Writer) error { return errors.New("refused for what will not be") },
			putter("c", 1),
		)
		for i, err := range errs {
			if !errors.Is(err, berrors.ErrMaxSizeReached) {
				t.Errorf("update %d: error %v", i, err)
			}
		}
		stored(t, db, "z")
		if err := db.Update(t.Context(), putter("y", 1)); err != nil {
			t.Errorf("an update that fits: %v", err)
		}
		stored(t, db, "yz")
	})
}

func TestAnUpdateInTheQueueIsLeftWhenItsContextIsDone(t *testing.T) {
	onNew(t, options(), func(t *testing.T, db *DB) {
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		kvtest.Must(t, db.Update(t.Context(), func(kv.Writer) error {
			wg.Go(func() {
				err := db.Update(ctx, func(kv.Writer) error {
					t.Error("it ran")
					return nil
				})
				if !errors.Is(err, context.Canceled) {
					t.Errorf("error %v", err)
				}
			})
			synctest.Wait()
			cancel()
			wg.Wait() // while the turn is still taken
			return nil
		}))
	})
}

func BenchmarkUpdate(b *testing.B) {
	for _, writers := range []int{1, 64} {
		b.Run(fmt.Sprintf("writers=%d", writers), func(b *testing.B) {
			db := openAt(b, filepath.Join(b.TempDir(), "db"), options())
			value := make([]byte, 200)
			var left atomic.Int64
			var wg sync.WaitGroup
			left.Store(int64(b.N))
			b.ResetTimer()
			for range writers {
				wg.Go(func() {
					for i := left.Add(-1); i >= 0; i = left.Add(-1) {
						err := db.Update(b.Context(), func(w kv.Writer) error {
							key := fmt.Appendf(nil, "game/%08d", i*7919%100_000)
							if _, err := w.Get(key); err != nil {
								return err
							}
							return w.Put(key, value)
						})
						if err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "commits/s")
		})
	}
}

func BenchmarkGet(b *testing.B) {
	db := openAt(b, filepath.Join(b.TempDir(), "db"), options())
	key := []byte("game/00000001")
	kvtest.Must(b, db.Update(b.Context(), putter(string(key), 200)))
	for b.Loop() {
		kvtest.Must(b, db.View(b.Context(), func(r kv.Reader) error {
			_, err := r.Get(key)
			return err
		}))
	}
}
