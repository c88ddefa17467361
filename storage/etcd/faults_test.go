package etcd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"

	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// opened opens a database that is closed when the test ends.
func opened(t testing.TB, address string) *etcd.DB {
	t.Helper()
	db := open(t, address)
	t.Cleanup(func() { kvtest.Must(t, db.Close()) })
	return db
}

func put(value string) func(kv.Writer) error {
	return func(w kv.Writer) error { return w.Put([]byte("a"), []byte(value)) }
}

// holdRole has a handle hold a role, once nobody else does.
func holdRole(t testing.TB, db *etcd.DB, role string) {
	t.Helper()
	_, err := db.Hold(t.Context(), role)
	kvtest.Must(t, err)
}

// holds fails the test unless a is a value.
func holds(t *testing.T, db kv.DB, want string) {
	t.Helper()
	err := db.View(t.Context(), func(r kv.Reader) error {
		got, err := r.Get([]byte("a"))
		if string(got) != want {
			t.Errorf("a has %d bytes that end in %q; want %d", len(got), got[max(0, len(got)-20):], len(want))
		}
		return err
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
}

// increment adds one to the number under n, and notes by what.
func increment(by string) func(kv.Writer) error {
	return func(w kv.Writer) error {
		value, err := w.Get([]byte("n"))
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(value))
		return errors.Join(w.Put([]byte("n"), []byte(strconv.Itoa(n+1))), w.Put([]byte("by/"+by), nil))
	}
}

// increments are those of n, by what did them; n must be as many.
func increments(t *testing.T, db kv.DB) map[string]bool {
	t.Helper()
	by := map[string]bool{}
	kvtest.Must(t, db.View(t.Context(), func(r kv.Reader) error {
		n, err := r.Get([]byte("n"))
		clear(by)
		for item, err := range r.Scan(kv.Prefix([]byte("by/"))) {
			if err != nil {
				return err
			}
			by[strings.TrimPrefix(string(item.Key), "by/")] = true
		}
		if string(n) != strconv.Itoa(len(by)) {
			t.Errorf("n is %s, by %d", n, len(by))
		}
		return err
	}))
	return by
}

func TestAnUnansweredCommitIsMadeOnce(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	link := etcdtest.NewLink(t, cluster.Hosts())
	db := opened(t, link.Address("db", "lease=60s"))
	rng := kvtest.Random(t)
	link.Lose(func() bool { return rng.IntN(6) == 0 })
	const goroutines = 4
	rounds := 40
	if testing.Short() {
		rounds = 10
	}
	var work sync.WaitGroup
	var made atomic.Int64
	for g := range goroutines {
		work.Go(func() {
			for i := 0; i < rounds || db.Unanswered.Load() == 0; i++ {
				if err := db.Update(t.Context(), increment(fmt.Sprint(g, " ", i))); err != nil {
					t.Errorf("Update: %v", err)
				}
				made.Add(1)
			}
		})
	}
	work.Wait()
	link.Lose(nil)
	if n := len(increments(t, db)); n != int(made.Load()) {
		t.Errorf("%d increments are there of %d", n, made.Load())
	}
}

func TestAHandleWhoseLeaseIsOverIsLost(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	address := cluster.Address("db")
	db, client := opened(t, address), etcdtest.Client(t, address)
	holdRole(t, db, "bell")
	etcdtest.Revoke(t, client, 1)
	other := opened(t, address)
	holdRole(t, other, "bell")
	if err := db.Update(t.Context(), put("1")); !errors.Is(err, kv.ErrLost) {
		t.Errorf("Update: %v", err)
	}
	<-db.Lost()
	if err := db.Held(t.Context()); !errors.Is(err, kv.ErrLost) {
		t.Errorf("Held: %v", err)
	}
	if err := db.View(t.Context(), func(kv.Reader) error { return nil }); !errors.Is(err, kv.ErrLost) {
		t.Errorf("View: %v", err)
	}
	holds(t, other, "")
}

func TestAHandleThatIsCutOffHoldsNoRoleBeforeAnotherDoes(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	link := etcdtest.NewLink(t, cluster.Hosts())
	db, other := opened(t, link.Address("db", "lease=2s")), opened(t, cluster.Address("db"))
	leave, err := db.Hold(t.Context(), "bell")
	kvtest.Must(t, err)
	link.Cut()
	failed := make(chan error, 1)
	go func() { failed <- db.Update(t.Context(), put("1")) }()
	holdRole(t, other, "bell")
	if err := db.Held(t.Context()); err == nil {
		t.Error("two hold the role")
	}
	<-db.Lost()
	if err := leave(t.Context()); !errors.Is(err, kv.ErrLost) {
		t.Errorf("leave: %v", err)
	}
	if err := <-failed; !errors.Is(err, kv.ErrLost) {
		t.Errorf("Update: %v", err)
	}
}

func TestAFullClusterSaysSoAndRecovers(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, func(c *embed.Config) { c.QuotaBackendBytes = 4 << 20 })
	address := cluster.Address("db")
	db, client := opened(t, address), etcdtest.Client(t, address)
	value := strings.Repeat("v", 1<<19)
	var err error
	stored := 0
	for ; err == nil; stored++ {
		err = db.Update(t.Context(), put(value+strconv.Itoa(stored)))
	}
	if !strings.Contains(err.Error(), "etcd is full") {
		t.Fatalf("Update: %v", err)
	}
	holds(t, db, value+strconv.Itoa(stored-2))

	etcdtest.MakeRoom(t, client)
	if err := db.Update(t.Context(), put("1")); err != nil {
		t.Errorf("Update when there is room again: %v", err)
	}
	holds(t, db, "1")
}

func TestWhatReadsLongerThanHistoryLastsBeginsAgain(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	address := cluster.Address("db")
	db, other, client := opened(t, address), opened(t, address), etcdtest.Client(t, address)
	runs, drops := 0, 1
	read := func(r kv.Reader) error {
		runs++
		if _, err := r.Get([]byte("b")); err != nil {
			return err
		}
		if runs <= drops {
			if err := other.Update(t.Context(), put("2")); err != nil {
				return err
			}
			etcdtest.Compact(t, client)
		}
		value, err := r.Get([]byte("a"))
		if err == nil && string(value) != "2" {
			t.Errorf("a is %q", value)
		}
		return err
	}
	if err := db.View(t.Context(), read); err != nil || runs != 2 {
		t.Errorf("View ran %d times: %v", runs, err)
	}
	runs = 0
	again := opened(t, address) // which knows nothing yet
	if err := again.Update(t.Context(), func(w kv.Writer) error { return errors.Join(read(w), w.Put([]byte("b"), nil)) }); err != nil || runs < 2 {
		t.Errorf("Update ran %d times: %v", runs, err)
	}
	runs, drops = 0, math.MaxInt
	err := opened(t, address).View(t.Context(), read)
	if err == nil || !strings.Contains(err.Error(), "history") {
		t.Errorf("a View that never comes to its end ran %d times: %v", runs, err)
	}
}

// TestWhoHasMissedSomethingHearsThatAnythingMayHaveChanged cuts the watch of a handle off until
// etcd has dropped what it should have told.
func TestWhoHasMissedSomethingHearsThatAnythingMayHaveChanged(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	link := etcdtest.NewLink(t, cluster.Hosts())
	address := cluster.Address("db")
	db, other, client := opened(t, link.Address("db", "lease=60s")), opened(t, address), etcdtest.Client(t, address)
	heard := make(chan [][]byte, 1)
	db.Watch(func(keys [][]byte) { heard <- keys })
	cut := make(chan struct{})
	once := sync.OnceFunc(func() { close(cut) })
	link.Lose(func() bool { once(); return true })
	for range 2 {
		kvtest.Must(t, other.Update(t.Context(), increment("other")))
	}
	etcdtest.Compact(t, client)
	<-cut
	link.Lose(nil)
	if keys := <-heard; keys != nil {
		t.Errorf("it has heard of %q", keys)
	}
	kvtest.Must(t, other.Update(t.Context(), put("1")))
	if keys := <-heard; len(keys) != 1 || string(keys[0]) != "a" {
		t.Errorf("later it has heard of %q", keys)
	}
}

// TestAQuietDatabaseIsReadAfterOthersWereCompacted has a handle that has heard of nothing new fall
// behind what the cluster keeps, since that was about others.
func TestAQuietDatabaseIsReadAfterOthersWereCompacted(t *testing.T) {
	t.Parallel()
	address := etcdtest.Start(t, 1, nil).Address("db")
	writer, client := opened(t, address), etcdtest.Client(t, address)
	kvtest.Must(t, writer.Update(t.Context(), put("1")))
	read := func(r kv.Reader) error {
		value, err := r.Get([]byte("a"))
		if err == nil && string(value) != "1" {
			t.Errorf("a is %q", value)
		}
		return err
	}
	for name, do := range map[string]func(db *etcd.DB) error{
		"View":   func(db *etcd.DB) error { return db.View(t.Context(), read) },
		"Update": func(db *etcd.DB) error { return db.Update(t.Context(), func(w kv.Writer) error { return read(w) }) },
	} {
		db := opened(t, address)
		etcdtest.Compact(t, client)
		if err := do(db); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAMemberThatStopsIsNotMissed stops one after the other, the leader first.
func TestAMemberThatStopsIsNotMissed(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 3, nil)
	db := opened(t, cluster.Address("db"))
	stop := make(chan struct{})
	step := make(chan struct{})
	var work sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for g := range 3 {
		work.Go(func() {
			for i := 0; ; i++ {
				if err := db.Update(t.Context(), increment(fmt.Sprint(g, " ", i))); err != nil {
					t.Errorf("Update: %v", err)
				}
				mu.Lock()
				total++
				mu.Unlock()
				select {
				case <-stop:
					return
				case step <- struct{}{}:
				default:
				}
			}
		})
	}
	stops := 3
	if testing.Short() {
		stops = 1
	}
	first := leader(t, db)
	for i := range stops {
		<-step
		cluster.Stop((first + i) % 3)
		for range 20 { // it goes on
			<-step
		}
		if next := leader(t, db); i == 0 && next == first {
			t.Errorf("member %d leads still", first)
		}
		cluster.Restart((first + i) % 3)
	}
	close(stop)
	work.Wait()
	if n := len(increments(t, db)); n != total {
		t.Errorf("%d increments are there of %d", n, total)
	}
}

// TestAFunctionThatLosesOftenIsRunAlone has somebody commit during each run of a function, which
// is a conflict each time, until nobody can.
func TestAFunctionThatLosesOftenIsRunAlone(t *testing.T) {
	t.Parallel()
	address := etcdtest.Start(t, 1, nil).Address("db")
	db, other := opened(t, address), opened(t, address)
	alone := 0
	var late sync.WaitGroup
	err := db.Update(t.Context(), func(w kv.Writer) error {
		if _, err := w.Get([]byte("a")); err != nil {
			return err
		}
		before := other.Conflicts.Load()
		done := make(chan error, 1)
		late.Go(func() { done <- other.Update(t.Context(), put("other")) })
		for {
			select {
			case err := <-done:
				return errors.Join(err, w.Put([]byte("a"), []byte("own")))
			default:
			}
			if other.Conflicts.Load() > before {
				alone++
				return w.Put([]byte("a"), []byte("own"))
			}
			runtime.Gosched()
		}
	})
	if err != nil || alone != 1 {
		t.Errorf("it ran alone %d times: %v", alone, err)
	}
	late.Wait()
	holds(t, db, "other") // who has waited
}

func TestWhatIsSomethingElseIsLeftAlone(t *testing.T) {
	t.Parallel()
	cluster := etcdtest.Start(t, 1, nil)
	client := etcdtest.Client(t, cluster.Address("x"))
	for key, want := range map[string]error{"strange/key": kv.ErrNotDatabase, "later/m/format": kv.ErrVersion} {
		_, err := client.Put(t.Context(), key, "7")
		kvtest.Must(t, err)
		prefix, _, _ := strings.Cut(key, "/")
		if db, err := etcd.Open(t.Context(), cluster.Address(prefix)); !errors.Is(err, want) {
			t.Errorf("%s: %v, %v", key, db, err)
		}
		got, err := client.Get(t.Context(), prefix, clientv3.WithPrefix())
		if err != nil || len(got.Kvs) != 1 {
			t.Errorf("%s: there are %d keys (%v)", key, len(got.Kvs), err)
		}
	}
}

func TestAClusterThatIsNotThereIsAnError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if db, err := etcd.Open(ctx, "etcd://127.0.0.1:1/db"); err == nil {
		t.Error(db.Close())
	}
}
