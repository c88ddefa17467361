package kvtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chimera/storage/kv"
)

// several are handles of one database, as different processes have them.
type several []kv.DB

// RunSeveral checks that several handles of one database keep the contract of package kv
// together.
func RunSeveral(t *testing.T, open Opener) {
	for _, test := range []struct {
		name string
		run  func(t *testing.T, dbs several)
	}{
		{"what one has stored the others see at once", severalSee},
		{"a refusal is of the newest state", severalRefuse},
		{"a moment contains what was stored before it", momentContains},
		{"a moment refuses nothing that was stored before it", momentRefuses},
		{"what is seen at a moment is never seen as it was before", momentGoesOn},
		{"what is stored at a moment conflicts with what came after it", momentConflicts},
		{"increments add up", severalIncrement},
		{"conditions hold", severalConditions},
		{"what is deleted is noticed as what is new", severalCount},
		{"the last one stays", severalLeave},
		{"what is moved about stays as much", severalMove},
		{"large updates are whole", severalWhole},
		{"who reads much comes to an end", severalPatient},
		{"a role is held by one", severalRoles},
		{"what the others store is heard of", severalHear},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "db")
			dbs := make(several, 3)
			for i := range dbs {
				db := open(t, path)
				t.Cleanup(func() { closeDB(t, db) })
				dbs[i] = db
			}
			test.run(t, dbs)
		})
	}
}

// everywhere does something in some goroutines of each handle.
func (dbs several) everywhere(goroutines int, do func(db kv.DB, n int)) {
	var wg sync.WaitGroup
	for i, db := range dbs {
		for g := range goroutines {
			wg.Go(func() { do(db, i*goroutines+g) })
		}
	}
	wg.Wait()
}

// rounds is how often a test does something.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/4)
	}
	return n
}

func severalSee(t *testing.T, dbs several) {
	for round := range rounds(40) {
		writer, reader := dbs[round%3], dbs[(round+1+round%2)%3]
		put(t, writer, "a", strconv.Itoa(round), "b"+strconv.Itoa(round%2), "x")
		update(t, writer, func(w kv.Writer) error { return w.Delete([]byte("b" + strconv.Itoa((round+1)%2))) })
		holds(t, reader, fmt.Sprintf("a=%d b%d=x", round, round%2))
	}
}

func severalRefuse(t *testing.T, dbs several) {
	for round := range rounds(40) {
		put(t, dbs[round%3], "a", strconv.Itoa(round))
		refuses(t.Context(), t, dbs[(round+1)%3], strconv.Itoa(round))
	}
}

// refuses lets an update be refused for what is under the key a, which is to be want.
func refuses(ctx context.Context, t *testing.T, db kv.DB, want string) {
	t.Helper()
	var saw string
	refusal := errors.New("refused")
	err := db.Update(ctx, func(w kv.Writer) error {
		value, err := w.Get([]byte("a"))
		saw = string(value)
		return errors.Join(err, refusal)
	})
	wantErr(t, "Update", err, refusal)
	if saw != want {
		t.Errorf("it was refused for %s; want %s", saw, want)
	}
}

func severalIncrement(t *testing.T, dbs several) { increments(t, dbs, 6, rounds(12)) }

// increments has goroutines of each handle increment one number, and one of their own.
func increments(t *testing.T, dbs several, goroutines, n int) {
	dbs.everywhere(goroutines, func(db kv.DB, g int) {
		for range n {
			update(t, db, func(w kv.Writer) error {
				return errors.Join(increment(w, "n"), increment(w, fmt.Sprint("own", g)))
			})
		}
	})
	want := map[string]string{"n": strconv.Itoa(goroutines * n * len(dbs))}
	for g := range goroutines * len(dbs) {
		want[fmt.Sprint("own", g)] = strconv.Itoa(n)
	}
	for _, db := range dbs {
		equals(t, db, want)
	}
}

func severalConditions(t *testing.T, dbs several) { conditions(t, dbs, 5, rounds(8)) }

// conditions is write skew, which serializable transactions exclude: each takes a thing only if
// no one has taken any.
func conditions(t *testing.T, dbs several, goroutines, n int) {
	taken := errors.New("taken")
	for round := range n {
		prefix := fmt.Sprintf("%d/", round)
		var winners atomic.Int32
		dbs.everywhere(goroutines, func(db kv.DB, n int) {
			err := db.Update(t.Context(), func(w kv.Writer) error {
				for _, err := range w.Scan(kv.Prefix([]byte(prefix))) {
					return errors.Join(err, taken)
				}
				return putAll(w, prefix+strconv.Itoa(n), "")
			})
			if err == nil {
				winners.Add(1)
			} else {
				wantErr(t, "Update", err, taken)
			}
		})
		if n := winners.Load(); n != 1 {
			t.Errorf("%d took the same thing", n)
		}
	}
}

// count is how many keys have a prefix.
func count(r kv.Reader, prefix string) (n int, err error) {
	for _, err := range r.Scan(kv.Prefix([]byte(prefix))) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// sum is that of the numbers whose keys have a prefix.
func sum(r kv.Reader, prefix string) (all int, err error) {
	for item, err := range r.Scan(kv.Prefix([]byte(prefix))) {
		n, err2 := strconv.Atoi(string(item.Value))
		if err := errors.Join(err, err2); err != nil {
			return 0, err
		}
		all += n
	}
	return all, nil
}

// severalCount keeps the number of keys of a range beside them, each time counted anew, while
// all add some and delete some.
func severalCount(t *testing.T, dbs several) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	n := rounds(24)
	agrees := func(r kv.Reader) error {
		there, err := count(r, "thing/")
		if err != nil {
			return err
		}
		noted, err := r.Get([]byte("count"))
		if err == nil && string(noted) != strconv.Itoa(there) {
			err = fmt.Errorf("there are %d and %s are noted", there, noted)
		}
		return err
	}
	put(t, dbs[0], "count", "0")
	dbs.everywhere(3, func(db kv.DB, g int) {
		rng := rand.New(rand.NewPCG(seed, uint64(g)))
		for range n {
			key, add := fmt.Appendf(nil, "thing/%d", rng.IntN(20)), rng.IntN(2) == 0
			update(t, db, func(w kv.Writer) error {
				if err := agrees(w); err != nil {
					return err
				}
				change := w.Delete
				if add {
					change = func(key []byte) error { return w.Put(key, nil) }
				}
				if err := change(key); err != nil {
					return err
				}
				there, err := count(w, "thing/")
				return errors.Join(err, putAll(w, "count", strconv.Itoa(there)))
			})
			view(t, db, agrees)
		}
	})
	for _, db := range dbs {
		view(t, db, agrees)
	}
}

// severalLeave lets each delete its own key if there is another: nothing but what is gone tells
// them of each other.
func severalLeave(t *testing.T, dbs several) {
	const goroutines = 3
	for round := range rounds(16) {
		prefix := fmt.Sprintf("%d/", round)
		update(t, dbs[0], func(w kv.Writer) error {
			for n := range goroutines * len(dbs) {
				if err := putAll(w, prefix+strconv.Itoa(n), ""); err != nil {
					return err
				}
			}
			return nil
		})
		dbs.everywhere(goroutines, func(db kv.DB, g int) {
			update(t, db, func(w kv.Writer) error {
				if n, err := count(w, prefix); err != nil || n < 2 {
					return err
				}
				return w.Delete([]byte(prefix + strconv.Itoa(g)))
			})
		})
		left := 0
		view(t, dbs[1], func(r kv.Reader) (err error) {
			left, err = count(r, prefix)
			return err
		})
		if left != 1 {
			t.Errorf("%d stayed", left)
		}
	}
}

// severalMove moves amounts between keys, of which nobody ever sees another sum.
func severalMove(t *testing.T, dbs several) {
	const keys, each = 8, 100
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	n := rounds(24)
	name := func(i int) string { return fmt.Sprint("purse/", i) }
	for i := range keys {
		put(t, dbs[0], name(i), strconv.Itoa(each))
	}
	adds := func(r kv.Reader) error {
		all, err := sum(r, "")
		if err == nil && all != keys*each {
			err = fmt.Errorf("there are %d; want %d", all, keys*each)
		}
		return err
	}
	dbs.everywhere(3, func(db kv.DB, g int) {
		rng := rand.New(rand.NewPCG(seed, uint64(g)))
		for range n {
			from, to, amount := rng.IntN(keys), rng.IntN(keys-1), rng.IntN(50)
			if to >= from {
				to++
			}
			update(t, db, func(w kv.Writer) error {
				values, err := w.GetAll([]byte(name(from)), []byte(name(to)))
				if err != nil {
					return err
				}
				a, err := strconv.Atoi(string(values[0]))
				b, err2 := strconv.Atoi(string(values[1]))
				return errors.Join(err, err2, putAll(w, name(from), strconv.Itoa(a-amount), name(to), strconv.Itoa(b+amount)))
			})
			view(t, db, adds)
		}
	})
}

// severalWhole writes as many keys as one Update may, all with the same value.
func severalWhole(t *testing.T, dbs several) {
	n := rounds(4)
	dbs.everywhere(1, func(db kv.DB, g int) {
		for round := range n {
			value := fmt.Sprint(g, " ", round)
			update(t, db, func(w kv.Writer) error {
				for i := range kv.MaxUpdateWrites {
					if err := putAll(w, strconv.Itoa(i), value); err != nil {
						return err
					}
				}
				return nil
			})
			view(t, db, func(r kv.Reader) error {
				all, err := contents(r)
				for key, value := range all {
					if value != all["0"] {
						t.Errorf("%s is of %s, and 0 of %s", key, value, all["0"])
						break
					}
				}
				if len(all) != kv.MaxUpdateWrites {
					t.Errorf("there are %d keys", len(all))
				}
				return err
			})
		}
	})
}

// severalPatient reads what the others change without end, more of it than is easily compared.
func severalPatient(t *testing.T, dbs several) {
	const keys = 200
	update(t, dbs[0], func(w kv.Writer) error {
		for i := range keys {
			if err := putAll(w, fmt.Sprint("n/", i), "0"); err != nil {
				return err
			}
		}
		return nil
	})
	done := make(chan struct{})
	var others sync.WaitGroup
	for i, db := range dbs[1:] {
		others.Go(func() {
			for n := 0; ; n++ {
				select {
				case <-done:
					return
				default:
					update(t, db, func(w kv.Writer) error { return increment(w, fmt.Sprint("n/", (n*7+i)%keys)) })
				}
			}
		})
	}
	for round := range 3 {
		update(t, dbs[0], func(w kv.Writer) error {
			all, err := sum(w, "n/")
			return errors.Join(err, putAll(w, fmt.Sprint("sum/", round), strconv.Itoa(all)))
		})
	}
	close(done)
	others.Wait()
}

func severalRoles(t *testing.T, dbs several) {
	roles := func(n int) kv.Roles { return kv.RolesOf(dbs[n]) }
	leave, err := roles(0).Hold(t.Context(), "bell")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := roles(0).Hold(t.Context(), "bell"); err != nil {
		t.Errorf("who holds the role: %v", err)
	}
	if _, err := roles(1).Hold(t.Context(), "book"); err != nil || roles(1).Held(t.Context()) != nil {
		t.Errorf("another role: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	heard := make(chan error)
	go func() {
		_, err := roles(1).Hold(ctx, "bell")
		heard <- err
	}()
	cancel()
	wantErr(t, "Hold, left early", <-heard, context.Canceled)

	var ringing atomic.Int32
	var wg sync.WaitGroup
	for n := 1; n < len(dbs); n++ {
		wg.Go(func() {
			for range 5 {
				leave, err := roles(n).Hold(t.Context(), "bell")
				if err != nil {
					t.Errorf("Hold: %v", err)
					return
				}
				if n := ringing.Add(1); n != 1 {
					t.Errorf("%d hold the role", n)
				}
				if err := roles(n).Held(t.Context()); err != nil {
					t.Errorf("Held: %v", err)
				}
				ringing.Add(-1)
				if err := leave(t.Context()); err != nil {
					t.Errorf("leave: %v", err)
				}
			}
		})
	}
	ringing.Add(1)
	if err := roles(0).Held(t.Context()); err != nil {
		t.Errorf("Held: %v", err)
	}
	ringing.Add(-1)
	if err := leave(t.Context()); err != nil {
		t.Errorf("leave: %v", err)
	}
	wg.Wait()
}

func severalHear(t *testing.T, dbs several) {
	const enough = 100
	heard := make(chan string, enough)
	dbs[1].(kv.Watcher).Watch(func(keys [][]byte) {
		for _, key := range keys {
			heard <- string(key)
		}
	})
	put(t, dbs[0], "a", "1")
	put(t, dbs[1], "own", "1")
	update(t, dbs[2], func(w kv.Writer) error { return errors.Join(w.Delete([]byte("a")), w.Put([]byte("b"), []byte("1"))) })
	put(t, dbs[0], "c", "1")
	for _, want := range []string{"a", "a or b", "a or b", "c"} {
		if got := <-heard; !strings.Contains(want, got) {
			t.Fatalf("%s was heard of; want %s", got, want)
		}
	}
	put(t, dbs[2], "b", "2")
	<-heard
	holds(t, dbs[1], "b=2 c=1 own=1")
}
