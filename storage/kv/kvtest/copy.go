package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"chimera/storage/kv"
)

// copier is a new database that can be copied as a file. The test is skipped if the engine has
// no files.
func copier(t *testing.T, open Opener) copying {
	t.Helper()
	return asCopier(t, fresh(t, open))
}

// copying is a database that is kept in a file.
type copying interface {
	kv.DB
	kv.Copier
}

func asCopier(t *testing.T, db kv.DB) copying {
	t.Helper()
	c, ok := db.(copying)
	if !ok {
		t.Skip("the engine has no files to copy: package kv fills others with what it holds")
	}
	return c
}

// copied is what Copy writes, which must be as long as it said.
func copied(t *testing.T, db kv.Copier) []byte {
	t.Helper()
	var b bytes.Buffer
	begun := 0
	var said int64
	err := db.Copy(t.Context(), func(size int64) (io.Writer, error) {
		begun++
		said = size
		return &b, nil
	})
	if err != nil || begun != 1 || said != int64(b.Len()) {
		t.Errorf("Copy: %v; begun %d times, for %d bytes, of which came %d", err, begun, said, b.Len())
	}
	return b.Bytes()
}

// asFile opens a copy as a database of its own.
func asFile(t *testing.T, open Opener, b []byte) copying {
	t.Helper()
	path := filepath.Join(t.TempDir(), "copy")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	t.Cleanup(func() { closeDB(t, db) })
	return asCopier(t, db)
}

func copyHolds(t *testing.T, open Opener) {
	db := copier(t, open)
	holds(t, asFile(t, open, copied(t, db)), "")
	put(t, db, "a", "1", "b", "", "c", "3")
	one := asFile(t, open, copied(t, db))
	update(t, db, func(w kv.Writer) error { return errors.Join(putAll(w, "a", "2"), w.Delete([]byte("c"))) })
	holds(t, one, "a=1 b= c=3")
	holds(t, asFile(t, open, copied(t, db)), "a=2 b=")

	put(t, one, "d", "4") // it is a database like any other
	holds(t, one, "a=1 b= c=3 d=4")
	holds(t, asFile(t, open, copied(t, one)), "a=1 b= c=3 d=4")
	holds(t, db, "a=2 b=")
}

// copyIsOfOneMoment counts up in updates whose whole effect follows from the count,
// and asks of a copy that it holds exactly what one count left.
func copyIsOfOneMoment(t *testing.T, open Opener) {
	const slots, copies, during = 60, 8, 20
	db := copier(t, open)
	value := func(n int) string { return string(bytes.Repeat([]byte{byte(n)}, 1+n*37%3000)) }
	count := func(w kv.Writer) error {
		if err := increment(w, "n"); err != nil {
			return err
		}
		text, err := w.Get([]byte("n"))
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(string(text))
		return errors.Join(err, putAll(w, fmt.Sprintf("slot/%d", n%slots), value(n)))
	}
	var returned, begun atomic.Int64
	step := make(chan struct{}, 1)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				begun.Add(1)
				update(t, db, count)
				returned.Add(1)
				select {
				case step <- struct{}{}:
				default:
				}
			}
		})
	}
	for range copies {
		<-step
		before := returned.Load()
		var b bytes.Buffer
		writes := 0
		err := db.Copy(t.Context(), func(int64) (io.Writer, error) {
			return writer(func(p []byte) (int, error) {
				if writes++; writes == 2 { // in the midst of the copy, updates return
					for now := returned.Load(); returned.Load() < now+during; {
						<-step
					}
				}
				return b.Write(p)
			}), nil
		})
		after := begun.Load()
		if err != nil {
			t.Errorf("Copy: %v", err)
		}
		view(t, asFile(t, open, b.Bytes()), func(r kv.Reader) error {
			text, err := r.Get([]byte("n"))
			if err != nil {
				return err
			}
			n, err := strconv.Atoi(string(text))
			if err != nil {
				return err
			}
			if int64(n) < before || int64(n) > after {
				t.Errorf("the copy is of %d updates; %d had returned before, %d were begun after", n, before, after)
			}
			got, err := contents(r)
			if err != nil {
				return err
			}
			for slot := max(1, n-slots+1); slot <= n; slot++ {
				if key := fmt.Sprintf("slot/%d", slot%slots); got[key] != value(slot) {
					t.Errorf("after %d updates %s is not of update %d", n, key, slot)
				}
			}
			if want := min(n, slots) + 1; len(got) != want {
				t.Errorf("after %d updates there are %d keys; want %d", n, len(got), want)
			}
			return nil
		})
	}
	close(done)
	wg.Wait()
}

// writer is a function as an io.Writer.
type writer func(p []byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

func copyFails(t *testing.T, open Opener) {
	db := copier(t, open)
	put(t, db, "a", "1", "b", string(make([]byte, 100_000)))
	full := errors.New("full")
	err := db.Copy(t.Context(), func(int64) (io.Writer, error) { return nil, full })
	wantErr(t, "Copy that does not begin", err, full)

	whole := len(copied(t, db))
	for _, room := range []int{0, 1, 5000, whole / 2, whole - 1} {
		left := room
		err := db.Copy(t.Context(), func(int64) (io.Writer, error) {
			return writer(func(p []byte) (int, error) {
				n := min(left, len(p))
				if left -= n; n < len(p) {
					return n, full
				}
				return n, nil
			}), nil
		})
		wantErr(t, fmt.Sprintf("Copy into %d bytes", room), err, full)
	}
	put(t, db, "b", "2")
	holds(t, asFile(t, open, copied(t, db)), "a=1 b=2")
}

func copyIsLeft(t *testing.T, open Opener) {
	db := copier(t, open)
	put(t, db, "a", string(make([]byte, 100_000)))
	err := db.Copy(canceled(t), func(int64) (io.Writer, error) {
		t.Error("Copy has begun")
		return io.Discard, nil
	})
	wantErr(t, "Copy", err, context.Canceled)

	ctx, cancel := context.WithCancel(t.Context())
	err = db.Copy(ctx, func(int64) (io.Writer, error) {
		return writer(func(p []byte) (int, error) {
			cancel()
			return len(p), nil
		}), nil
	})
	wantErr(t, "Copy", err, context.Canceled)
	put(t, db, "a", "1")
	holds(t, db, "a=1")
}

func closeWaitsForCopy(t *testing.T, open Opener) {
	db := copier(t, open)
	put(t, db, "a", "1")
	var b bytes.Buffer
	var closing sync.WaitGroup
	err := db.Copy(t.Context(), func(int64) (io.Writer, error) {
		closing.Go(func() { closeDB(t, db) })
		for db.View(t.Context(), func(kv.Reader) error { return nil }) == nil {
			continue // until closing has begun
		}
		return &b, nil
	})
	if err != nil {
		t.Errorf("Copy: %v", err)
	}
	closing.Wait()
	wantErr(t, "Copy", db.Copy(t.Context(), func(int64) (io.Writer, error) {
		t.Error("Copy has begun")
		return &b, nil
	}), kv.ErrClosed)
	holds(t, asFile(t, open, b.Bytes()), "a=1")
}
