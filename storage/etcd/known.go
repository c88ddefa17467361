package etcd

import (
	"slices"

	"github.com/tidwall/btree"
)

// An entry is what is under a key.
type entry struct {
	value []byte // never changed in place
	mod   int64  // the revision that has written it; 0 if nothing is there
}

func (e entry) absent() bool { return e.mod == 0 }

// known is a part of a database as of one revision: of some keys what is under them, and of some
// ranges that nothing else is in them.
type known struct {
	entries *btree.Map[string, entry]  // those that are absent too, outside of the ranges
	ranges  *btree.Map[string, string] // the end by the start; they do not touch
}

func nothing() known {
	return known{new(btree.Map[string, entry]), new(btree.Map[string, string])}
}

// fork is a copy that shares what does not change.
func (k known) fork() known { return known{k.entries.Copy(), k.ranges.Copy()} }

func (k known) get(key string) (e entry, ok bool) {
	if e, ok = k.entries.Get(key); ok {
		return e, true
	}
	_, ok = k.covered(key)
	return entry{}, ok
}

// covered returns the end of the known range that a key is in.
func (k known) covered(key string) (end string, ok bool) {
	k.ranges.Descend(key, func(_, to string) bool {
		end, ok = to, key < to
		return false
	})
	return end, ok
}

// items are the entries from start to end that are not absent, at most limit, and what they go
// on with; "" if with nothing.
func (k known) items(start, end string, limit int) (all []item, next string) {
	k.entries.Ascend(start, func(key string, e entry) bool {
		switch {
		case key >= end:
			return false
		case e.absent():
			return true
		case len(all) == limit:
			next = key
			return false
		}
		all = append(all, item{key, e})
		return true
	})
	return all, next
}

// An item is an entry and its key.
type item struct {
	key string
	entry
}

// set takes note of an entry and returns by how many bytes there is more than before.
func (k known) set(key string, e entry) int {
	was, replaced := k.entries.Set(key, e)
	if replaced {
		return len(e.value) - len(was.value)
	}
	const overhead = 64
	return len(e.value) + len(key) + overhead
}

// learn takes note of all that is in a range.
func (k known) learn(start, end string, items []item) (more int) {
	for _, i := range items {
		more += k.set(i.key, i.entry)
	}
	k.cover(start, end)
	return more
}

// cover joins a range with those that it touches.
func (k known) cover(start, end string) {
	if start >= end {
		return
	}
	k.ranges.Descend(start, func(from, to string) bool {
		if to >= start {
			start, end = from, max(end, to)
		}
		return false
	})
	var inside []string
	k.ranges.Ascend(start, func(from, to string) bool {
		if from > end {
			return false
		}
		inside, end = append(inside, from), max(end, to)
		return true
	})
	for _, from := range inside {
		k.ranges.Delete(from)
	}
	k.ranges.Set(start, end)
}

// apply takes note of a change, if it is of anything known.
func (k known) apply(c change) (more int) {
	if _, ok := k.get(c.key); !ok {
		return 0
	}
	return k.set(c.key, c.entry)
}

// A change is what a revision has made of a key.
type change struct {
	item
	at int64
}

// since are the changes after a revision.
func since(changes []change, rev int64) []change {
	i, _ := slices.BinarySearchFunc(changes, rev+1, func(c change, rev int64) int { return int(c.at - rev) })
	return changes[i:]
}
