package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv/kvtest"
)

// stuffed is a database at an address with a game in it, and so much that is remembered that a copy
// of it takes a while.
func stuffed(t *testing.T, data string) {
	t.Helper()
	plays(t, aGame, data)
	store, err := open(t.Context(), data, nil)
	must(t, err)
	large := []byte(strings.Repeat("x", storage.MaxState))
	for n := range 150 {
		must(t, store.Update(t.Context(), func(w storage.Writer) error {
			return w.PutState(storage.State{Platform: "console", Name: fmt.Sprintf("whatever/%03d", n), Value: large})
		}))
	}
	must(t, store.Close())
}

// held is all that a database holds.
func held(t *testing.T, data string) map[string]string {
	t.Helper()
	db, err := openEngine(t.Context(), data, bolt.Open)
	must(t, err)
	all := kvtest.Contents(t, db)
	must(t, db.Close())
	return all
}

// TestACopyThatWasKilledIsRefusedAndBegunAnew kills the program when a part of the database has come
// through, in either direction.
func TestACopyThatWasKilledIsRefusedAndBegunAnew(t *testing.T) {
	const part = 5 << 20
	t.Chdir(t.TempDir())
	cluster := etcdtest.Start(t, 1, nil)
	there := func(name string) string { return cluster.Address(name, "lease=2s") }
	slow := func(name string) (data string, cut <-chan struct{}) {
		link := etcdtest.NewLink(t, cluster.Hosts())
		return link.Address(name, "lease=2s"), link.CutAfter(part)
	}
	stuffed(t, "a.db")
	want := held(t, "a.db")
	killed := func(from, to string, cut <-chan struct{}) {
		t.Helper()
		c := start(t, "copy", from, to)
		<-cut
		c.kill()
	}
	refused := func(command ...string) {
		t.Helper()
		typed(t, "alice: moves\n", badInput, "", `.*filled in part only: copy or restore into it again.*\n`, command...)
	}
	for _, way := range [][2]string{{"a.db", there("b")}, {there("b"), "c.db"}} {
		from, to := way[0], way[1]
		through, cut := slow("b")
		if from == "a.db" {
			killed(from, through, cut)
		} else {
			killed(through, to, cut)
		}
		for _, command := range []string{"status", "play", "verify"} {
			refused(command, "--data", to)
		}
		refused("backup", "--data", to, "backup.db")
		refused("copy", to, "d.db")
		if !maps.Equal(held(t, from), want) {
			t.Errorf("%s was changed by a copy of it", from)
		}
		prints(t, 0, anything, anything, "copy", from, to)
		if !maps.Equal(held(t, to), want) {
			t.Errorf("%s holds something else than %s", to, from)
		}
		prints(t, badInput, anything, `.*is left as it is.*\n`, "copy", from, to)
	}
}
