package etcd

import (
	"bytes"
	"iter"

	"github.com/tidwall/btree"

	"chimera/storage/kv"
)

// A tx reads a snapshot, and in an Update through what was written on top of it.
type tx struct {
	*snapshot
	overlay *overlay       // empty in a View
	reads   reads          // nothing in a View, which depends on nothing
	wrote   map[string]int // how long the pairs are that this function has written
	over    bool           // the function it was for has returned
}

// An overlay is what is written but not committed.
// Values are never changed in place, and nil for a deleted key.
type overlay = btree.Map[string, []byte]

// reads are what a function has seen of a snapshot, and depends on.
type reads struct {
	keys  map[string]int64   // the revisions that have written them; 0 if they were absent
	spans map[string]*string // the ends, by their starts, of ranges of which nothing else was there
}

func newReads() reads { return reads{make(map[string]int64), make(map[string]*string)} }

// add takes over what another function has read.
func (r *reads) add(more reads) {
	for key, mod := range more.keys {
		r.keys[key] = mod
	}
	for start, end := range more.spans {
		*r.span(start) = max(*r.span(start), *end)
	}
}

// span returns the end of the range that begins at start, to be moved on.
func (r *reads) span(start string) *string {
	end, ok := r.spans[start]
	if !ok {
		end = &start
		if r.spans != nil {
			r.spans[start] = end
		}
	}
	return end
}

// note takes note that an entry was read.
func (t *tx) note(key string, e entry) {
	if t.reads.keys != nil {
		t.reads.keys[key] = e.mod
	}
}

// Get implements kv.Reader.
func (t *tx) Get(key []byte) ([]byte, error) {
	values, err := t.GetAll(key)
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// GetAll implements kv.Reader.
func (t *tx) GetAll(keys ...[]byte) ([][]byte, error) {
	names := make([]string, len(keys))
	var stored []string // of those that were not written
	for i, key := range keys {
		if err := kv.Check(t.over, key, nil); err != nil {
			return nil, err
		}
		names[i] = t.db.layout.data(key)
		if _, ok := t.overlay.Get(names[i]); !ok {
			stored = append(stored, names[i])
		}
	}
	if err := t.fetch(stored); err != nil {
		return nil, err
	}
	values := make([][]byte, len(keys))
	for i, name := range names {
		if value, ok := t.overlay.Get(name); ok {
			values[i] = bytes.Clone(value)
			continue
		}
		e, _ := t.known.get(name)
		t.note(name, e)
		values[i] = bytes.Clone(e.value)
	}
	return values, nil
}

// Put implements kv.Writer.
func (t *tx) Put(key, value []byte) error { return t.write(key, append([]byte{}, value...)) }

// Delete implements kv.Writer.
func (t *tx) Delete(key []byte) error { return t.write(key, nil) }

func (t *tx) write(key, value []byte) error {
	err := kv.Check(t.over, key, value)
	if err == nil {
		name := t.db.layout.data(key)
		t.overlay.Set(name, value)
		t.wrote[name] = len(key) + len(value)
	}
	return err
}

// fits reports whether an Update has not written more than it may.
func (t *tx) fits() bool { return len(t.wrote) <= kv.MaxUpdateWrites && t.size() <= kv.MaxUpdateSize }

// size is how long all is that the function has written.
func (t *tx) size() (all int) {
	for _, n := range t.wrote {
		all += n
	}
	return all
}

// Scan implements kv.Reader. It merges what is stored with what is written on top of it.
func (t *tx) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	from, to := t.db.layout.data(start), t.db.layout.dataEnd()
	if end != nil {
		to = t.db.layout.data(end)
	}
	return func(yield func(kv.Item, error) bool) {
		if t.over {
			yield(kv.Item{}, kv.ErrOver)
			return
		}
		if from >= to {
			return
		}
		read := t.reads.span(from)
		give := func(key string, value []byte) bool {
			if t.over {
				yield(kv.Item{}, kv.ErrOver)
				return false
			}
			*read = max(*read, key+"\x00")
			return value == nil || yield(kv.Item{Key: t.db.layout.key(key), Value: bytes.Clone(value)}, nil)
		}
		upper := t.overlay.Copy().Iter()
		more := upper.Seek(from)
		written := func(before string) bool {
			for ; more && upper.Key() < before; more = upper.Next() {
				if !give(upper.Key(), upper.Value()) {
					return false
				}
			}
			return true
		}
		for item, err := range t.stored(from, to) {
			if err != nil {
				yield(kv.Item{}, err)
				return
			}
			if !written(item.key) {
				return
			}
			if more && upper.Key() == item.key {
				continue
			}
			t.note(item.key, item.entry)
			if !give(item.key, item.value) {
				return
			}
		}
		if written(to) {
			*read = to
		}
	}
}

// stored yields what is stored, which it fetches in pages. The first one is short, and each later one is
// longer than the one before, for etcd counts all that is left of the range with each.
func (t *tx) stored(next, end string) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		seen := 0
		for size := firstPage; ; {
			items, after, err := t.page(next, end, size, seen < learnPairs)
			if err != nil {
				yield(item{}, err)
				return
			}
			next = after
			length := 0
			for _, i := range items {
				if !yield(i, nil) {
					return
				}
				length += len(i.key) + len(i.value)
			}
			if next == "" {
				return
			}
			if seen += len(items); length*pageGrowth <= largePage {
				size = min(size*pageGrowth, longPage)
			}
		}
	}
}
