package etcd

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"chimera/storage/kv/kvtest"
)

// TestWhatIsKnownIsWhatIsThere changes a database and learns parts of it at random, of its newest
// and of earlier states, and asks of all that is known that it is so.
func TestWhatIsKnownIsWhatIsThere(t *testing.T) {
	rng := kvtest.Random(t)
	name := func() string { return fmt.Sprintf("p/d/%02d", rng.IntN(60)) }
	states := []map[string]entry{{}} // by revision
	c := newCache("p/", &session{id: "id", lasts: t.Context()})
	c.begin(0, nil)
	for range 4000 {
		rev := len(states) - 1
		if rng.IntN(2) == 0 {
			next := maps.Clone(states[rev])
			var changes []change
			for range 1 + rng.IntN(3) {
				e := entry{[]byte{byte(rng.Uint32())}, int64(rev + 1)}
				if rng.IntN(3) == 0 {
					e = entry{}
				}
				key := name()
				if next[key] = e; e.absent() {
					delete(next, key)
				}
				changes = append(changes, change{item{key, e}, int64(rev + 1)})
			}
			states = append(states, next)
			c.apply(int64(rev+1), changes)
		} else {
			at := max(0, rev-rng.IntN(4))
			start, end := name(), name()
			c.learn(int64(at), start, end, between(states[at], start, end))
		}
		rev = len(states) - 1
		known, at := c.snapshot()
		if at != int64(rev) {
			t.Fatalf("it is as of %d; want %d", at, rev)
		}
		key, state := name(), states[rev]
		if e, ok := known.get(key); ok && (e.mod != state[key].mod || string(e.value) != string(state[key].value)) {
			t.Fatalf("%s is %v; want %v", key, e, state[key])
		}
		if end, ok := known.covered(key); ok {
			got, next := known.items(key, end, 5)
			want := between(state, key, end)
			if len(want) > 5 {
				if next != want[5].key {
					t.Fatalf("from %s it goes on at %s; want %s", key, next, want[5].key)
				}
				want = want[:5]
			}
			if !slices.EqualFunc(got, want, func(a, b item) bool { return a.key == b.key && a.mod == b.mod }) {
				t.Fatalf("from %s to %s there are %v; want %v", key, end, got, want)
			}
		}
	}
	if end, ok := c.known.covered("p/d/30"); !ok {
		t.Errorf("hardly anything is known: %q", end)
	}
}

func between(state map[string]entry, start, end string) (all []item) {
	for _, key := range slices.Sorted(maps.Keys(state)) {
		if start <= key && key < end {
			all = append(all, item{key, state[key]})
		}
	}
	return all
}

func TestACacheThatIsFullForgetsAllButWhatHoldsProcessesApart(t *testing.T) {
	c := newCache("p/", &session{id: "id", lasts: t.Context()})
	c.begin(1, []item{{"p/m/lock", entry{[]byte("x"), 1}}})
	for i := range 3 {
		key := fmt.Sprint("p/d/", i)
		c.learn(1, key, key+"\x00", []item{{key, entry{make([]byte, cacheSize/2), 1}}})
	}
	c.apply(2, []change{{item{"p/d/9", entry{[]byte("y"), 2}}, 2}})
	known, _ := c.snapshot()
	if e, ok := known.get("p/d/1"); ok {
		t.Errorf("it knows %d bytes", len(e.value))
	}
	if e, ok := known.get("p/m/lock"); !ok || string(e.value) != "x" {
		t.Errorf("the lock holds %q", e.value)
	}
	if e, ok := known.get("p/m/other"); !ok || !e.absent() {
		t.Errorf("another key holds %q", e.value)
	}
}
