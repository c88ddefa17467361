package kvtest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"chimera/storage/kv"
)

func errorDrops(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "1")
	refusal := errors.New("refused")
	err := db.Update(t.Context(), func(w kv.Writer) error {
		if err := errors.Join(putAll(w, "a", "2", "c", "2"), w.Delete([]byte("b"))); err != nil {
			return err
		}
		return refusal
	})
	if err != refusal { //nolint:errorlint // as it is, not wrapped
		t.Errorf("Update returned %v", err)
	}
	if err := db.View(t.Context(), func(kv.Reader) error { return refusal }); err != refusal { //nolint:errorlint // as it is, not wrapped
		t.Errorf("View returned %v", err)
	}
	holds(t, db, "a=1 b=1")
}

func panicDrops(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1")
	value := &struct{ int }{7}
	caught := func(call func()) (p any) {
		defer func() { p = recover() }()
		call()
		return nil
	}
	for range 3 {
		p := caught(func() {
			_ = db.Update(t.Context(), func(w kv.Writer) error {
				if err := putAll(w, "a", "2", "b", "2"); err != nil {
					return err
				}
				panic(value)
			})
		})
		if p != value {
			t.Errorf("Update panicked with %v", p)
		}
		p = caught(func() { _ = db.View(t.Context(), func(kv.Reader) error { panic(value) }) })
		if p != value {
			t.Errorf("View panicked with %v", p)
		}
	}
	p := caught(func() {
		_ = db.Update(t.Context(), func(w kv.Writer) error {
			for _, err := range w.Scan(nil, nil) {
				if err == nil {
					panic(value)
				}
			}
			return nil
		})
	})
	if p != value {
		t.Errorf("a scan in Update panicked with %v", p)
	}
	p = caught(func() {
		_ = db.View(t.Context(), func(r kv.Reader) error {
			for _, err := range r.Scan(nil, nil) {
				var absent *struct{ int }
				absent.int++
				return err
			}
			return nil
		})
	})
	if _, ok := p.(runtime.Error); !ok {
		t.Errorf("a scan in View panicked with %v", p)
	}
	holds(t, db, "a=1")
	put(t, db, "c", "3")
	holds(t, db, "a=1 c=3")
}

func goexitDrops(t *testing.T, open Opener) {
	db := fresh(t, open)
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = db.Update(t.Context(), func(w kv.Writer) error {
			if err := putAll(w, "a", "1"); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		})
	})
	wg.Go(func() {
		_ = db.View(t.Context(), func(kv.Reader) error {
			runtime.Goexit()
			return nil
		})
	})
	wg.Wait()
	put(t, db, "b", "2")
	holds(t, db, "b=2")
}

// neighboursSurvive gives shared commits every chance to mix up the functions
// that take part in them.
func neighboursSurvive(t *testing.T, open Opener) {
	const goroutines, rounds = 24, 12
	db := fresh(t, open)
	refusal := errors.New("refused")
	start := make(chan struct{})
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			<-start
			for round := range rounds {
				id := fmt.Sprintf("%02d/%02d", g, round)
				err := kept(db, t.Context(), func(w kv.Writer) error {
					if err := putAll(w, id, "x", "shared", id); err != nil {
						return err
					}
					switch (g + round) % 3 {
					case 0:
						return refusal
					case 1:
						panic(refusal)
					}
					return nil
				})
				if want := (g+round)%3 != 2; errors.Is(err, refusal) != want || err != nil && !want {
					t.Errorf("%s: error %v", id, err)
				}
			}
		})
	}
	close(start)
	wg.Wait()

	view(t, db, func(r kv.Reader) error {
		all, err := contents(r)
		if err != nil {
			return err
		}
		for g := range goroutines {
			for round := range rounds {
				id := fmt.Sprintf("%02d/%02d", g, round)
				if _, ok := all[id]; ok != ((g+round)%3 == 2) {
					t.Errorf("%s is stored: %t", id, ok)
				}
			}
		}
		if _, ok := all[all["shared"]]; !ok {
			t.Errorf("shared is by %q, which was dropped", all["shared"])
		}
		return nil
	})
}

// kept is Update with a panic of an error turned into that error.
func kept(db kv.DB, ctx context.Context, fn func(kv.Writer) error) (err error) { //nolint:revive // reads like the method
	defer func() {
		if p := recover(); p != nil {
			err = p.(error)
		}
	}()
	return db.Update(ctx, fn)
}

// number is the number under key, 0 if there is none.
func number(r kv.Reader, key string) (int, error) {
	value, err := r.Get([]byte(key))
	if err != nil || value == nil {
		return 0, err
	}
	return strconv.Atoi(string(value))
}

// increment adds one to the number under key.
func increment(w kv.Writer, key string) error {
	n, err := number(w, key)
	return errors.Join(err, putAll(w, key, strconv.Itoa(n+1)))
}

func incrementsAddUp(t *testing.T, open Opener) { increments(t, several{fresh(t, open)}, 32, 16) }

func conditionsHold(t *testing.T, open Opener) { conditions(t, several{fresh(t, open)}, 16, 8) }

func viewIsStable(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "1", "c", "1")
	began, changed := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		<-began
		defer close(changed)
		update(t, db, func(w kv.Writer) error {
			return errors.Join(putAll(w, "b", "2", "d", "2"), w.Delete([]byte("c")))
		})
	})
	view(t, db, func(r kv.Reader) error {
		seen := ""
		for item, err := range r.Scan(nil, nil) {
			if err != nil {
				return err
			}
			if seen == "" {
				close(began)
				<-changed
			}
			seen += string(item.Key) + string(item.Value)
		}
		if seen != "a1b1c1" {
			t.Errorf("the scan saw %s", seen)
		}
		has(t, r, nil, nil, "a=1 b=1 c=1")
		return nil
	})
	wg.Wait()
	holds(t, db, "a=1 b=2 d=2")
}

func viewsSeeWholeUpdates(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "0", "z", "0")
	var writers, readers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 32 {
				update(t, db, func(w kv.Writer) error { return errors.Join(increment(w, "a"), increment(w, "z")) })
			}
		})
	}
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for last := 0; ; {
				view(t, db, func(r kv.Reader) error {
					a, err := r.Get([]byte("a"))
					if err != nil {
						return err
					}
					has(t, r, nil, nil, fmt.Sprintf("a=%s z=%s", a, a))
					n, err := strconv.Atoi(string(a))
					if n < last {
						t.Errorf("%d came after %d", n, last)
					}
					last = n
					return err
				})
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	holds(t, db, "a=128 z=128")
}

func doneContext(t *testing.T, open Opener) {
	db := fresh(t, open)
	ctx := canceled(t)
	wantErr(t, "View", db.View(ctx, func(kv.Reader) error {
		t.Error("View ran its function")
		return nil
	}), context.Canceled)
	wantErr(t, "Update", db.Update(ctx, func(kv.Writer) error {
		t.Error("Update ran its function")
		return nil
	}), context.Canceled)

	// Done while another holds the turn: it is not run, though its turn comes.
	ctx, cancel := context.WithCancel(t.Context())
	begun, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		update(t, db, func(w kv.Writer) error {
			close(begun)
			<-release
			return putAll(w, "a", "1")
		})
	})
	<-begun
	for range 4 {
		wg.Go(func() {
			wantErr(t, "Update", db.Update(ctx, func(kv.Writer) error {
				t.Error("Update ran its function")
				return nil
			}), context.Canceled)
		})
	}
	runtime.Gosched()
	cancel()
	close(release)
	wg.Wait()

	// Done after the function was begun: too late to matter.
	ctx, cancel = context.WithCancel(t.Context())
	if err := db.Update(ctx, func(w kv.Writer) error {
		cancel()
		return putAll(w, "b", "2")
	}); err != nil {
		t.Errorf("Update: %v", err)
	}
	holds(t, db, "a=1 b=2")
}

func updateIsDurable(t *testing.T, open Opener) {
	path := filepath.Join(t.TempDir(), "db")
	want := make(map[string]string)
	for round := range 4 {
		db := open(t, path)
		equals(t, db, want)
		for i := range 200 {
			want[fmt.Sprintf("%d", (i*7+round*31)%400)] = fmt.Sprintf("%d.%d", round, i)
		}
		update(t, db, func(w kv.Writer) error {
			for key, value := range want {
				if err := putAll(w, key, value); err != nil {
					return err
				}
			}
			return nil
		})
		gone := strconv.Itoa(round * 31)
		delete(want, gone)
		err := db.Update(kv.AtLeisure(t.Context()), func(w kv.Writer) error { return w.Delete([]byte(gone)) })
		wantErr(t, "Update", err, nil)
		closeDB(t, db)
	}
	db := open(t, path)
	defer closeDB(t, db)
	equals(t, db, want)
}

func closedRefuses(t *testing.T, open Opener) {
	path := filepath.Join(t.TempDir(), "db")
	db := open(t, path)
	put(t, db, "a", "1")
	for range 3 { // closing again does nothing
		closeDB(t, db)
		wantErr(t, "View", db.View(t.Context(), func(kv.Reader) error {
			t.Error("View ran its function")
			return nil
		}), kv.ErrClosed)
		wantErr(t, "Update", db.Update(t.Context(), func(kv.Writer) error {
			t.Error("Update ran its function")
			return nil
		}), kv.ErrClosed)
	}
	db = open(t, path)
	defer closeDB(t, db)
	holds(t, db, "a=1")
}

func closeWaits(t *testing.T, open Opener) {
	path := filepath.Join(t.TempDir(), "db")
	db := open(t, path)
	put(t, db, "a", "1")

	var begun, wg sync.WaitGroup
	release := make(chan struct{})
	var ended atomic.Int32
	begun.Add(2)
	wg.Go(func() {
		view(t, db, func(r kv.Reader) error {
			has(t, r, nil, nil, "a=1")
			begun.Done()
			<-release
			has(t, r, nil, nil, "a=1")
			ended.Add(1)
			return nil
		})
	})
	wg.Go(func() {
		update(t, db, func(w kv.Writer) error {
			begun.Done()
			<-release
			defer ended.Add(1)
			return putAll(w, "b", "2")
		})
	})
	begun.Wait()
	for range 2 { // whoever closes first, both wait
		wg.Go(func() {
			closeDB(t, db)
			if n := ended.Load(); n != 2 {
				t.Errorf("Close returned when %d of 2 had ended", n)
			}
		})
	}
	for db.View(t.Context(), func(kv.Reader) error { return nil }) == nil {
		runtime.Gosched() // until closing has begun
	}
	close(release)
	wg.Wait()

	db = open(t, path)
	defer closeDB(t, db)
	holds(t, db, "a=1 b=2")
}

func closeDuringUpdates(t *testing.T, open Opener) {
	path := filepath.Join(t.TempDir(), "db")
	db := open(t, path)
	var mu sync.Mutex
	want := make(map[string]string)
	first := make(chan struct{})
	var once sync.Once
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := 0; ; i++ {
				key := fmt.Sprintf("%d/%d", g, i)
				err := db.Update(t.Context(), func(w kv.Writer) error { return putAll(w, key, "x") })
				if err != nil {
					wantErr(t, "Update", err, kv.ErrClosed)
					return
				}
				mu.Lock()
				want[key] = "x"
				mu.Unlock()
				once.Do(func() { close(first) })
			}
		})
	}
	<-first
	closeDB(t, db)
	wg.Wait()

	db = open(t, path)
	defer closeDB(t, db)
	equals(t, db, want)
}
