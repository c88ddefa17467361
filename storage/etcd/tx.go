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
	overlay *overlay       // nil in a View
	reads   reads          // in an Update
	wrote   map[string]int // how long the pairs are that this function has written
	over    bool           // the function it was for has returned
}

// An overlay is what is written but not committed.
type overlay = btree.Map[string, write]

// A write is a value, or none for a deleted key.
type write struct {
	value []byte // never changed in place
	gone  bool
}

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
		r.spans[start] = end
	}
	return end
}

// note takes note that an entry was read.
func (t *tx) note(key string, e entry) {
	if t.overlay != nil {
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
		if err := t.check(key); err != nil {
			return nil, err
		}
		names[i] = t.db.layout.data(key)
		if _, ok := t.written(names[i]); !ok {
			stored = append(stored, names[i])
		}
	}
	if err := t.fetch(stored); err != nil {
		return nil, err
	}
	values := make([][]byte, len(keys))
	for i, name := range names {
		if w, ok := t.written(name); ok {
			values[i] = bytes.Clone(w.value)
			continue
		}
		e, _ := t.known.get(name)
		t.note(name, e)
		values[i] = bytes.Clone(e.value)
	}
	return values, nil
}

func (t *tx) written(key string) (write, bool) {
	if t.overlay == nil {
		return write{}, false
	}
	return t.overlay.Get(key)
}

// Put implements kv.Writer.
func (t *tx) Put(key, value []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	if len(value) > kv.MaxValueSize {
		return kv.ErrValueSize
	}
	t.write(t.db.layout.data(key), write{value: append([]byte{}, value...)}, len(key)+len(value))
	return nil
}

// Delete implements kv.Writer.
func (t *tx) Delete(key []byte) error {
	if err := t.check(key); err != nil {
		return err
	}
	t.write(t.db.layout.data(key), write{gone: true}, len(key))
	return nil
}

func (t *tx) write(key string, w write, size int) {
	t.overlay.Set(key, w)
	t.wrote[key] = size
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

func (t *tx) check(key []byte) error {
	switch {
	case t.over:
		return kv.ErrOver
	case len(key) == 0 || len(key) > kv.MaxKeySize:
		return kv.ErrKeySize
	}
	return nil
}

// Scan implements kv.Reader.
func (t *tx) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	from, to := t.db.layout.data(start), t.db.layout.dataEnd()
	if end != nil {
		to = t.db.layout.data(end)
	}
	return func(yield func(kv.Item, error) bool) {
		s := &scan{tx: t, next: from, end: to}
		if from >= to || t.over {
			s.next = ""
		}
		if t.overlay != nil {
			s.upper = t.overlay.Copy().Iter()
			s.more = s.upper.Seek(from)
			s.read = t.reads.span(from)
		}
		s.run(yield)
	}
}

// A scan merges what is stored with what is written on top of it.
type scan struct {
	*tx
	items []item // of the page
	next  string // where the next one begins; "" if there is none
	end   string
	size  int // of that page, in pairs
	bytes int // likewise
	pairs int // that were seen before

	upper btree.MapIter[string, write]
	more  bool    // upper is at a pair
	read  *string // up to where the snapshot was read; nil in a View
}

func (s *scan) run(yield func(kv.Item, error) bool) {
	for {
		if s.over {
			yield(kv.Item{}, kv.ErrOver)
			return
		}
		if err := s.fill(); err != nil {
			yield(kv.Item{}, err)
			return
		}
		key, value, ok := s.step()
		if !ok {
			return
		}
		if value != nil && !yield(kv.Item{Key: s.db.layout.key(key), Value: bytes.Clone(value)}, nil) {
			return
		}
	}
}

// fill gets a page, unless there is something of the last one, or nothing at all, left.
func (s *scan) fill() (err error) {
	for len(s.items) == 0 && s.next != "" && err == nil {
		s.grow()
		s.items, s.next, err = s.page(s.next, s.end, s.size, s.pairs < learnPairs)
		s.bytes = 0
		for _, i := range s.items {
			s.bytes += len(i.key) + len(i.value)
		}
		s.pairs += len(s.items)
	}
	return err
}

// grow sets how long the next page is.
func (s *scan) grow() {
	switch {
	case s.size == 0:
		s.size = firstPage
	case s.size == firstPage:
		s.size = laterPage
	case s.size < longPage && s.bytes*pageGrowth <= largePage:
		s.size = min(s.size*pageGrowth, longPage)
	}
}

// step takes the next pair; its value is nil if it was deleted. ok is false at the end.
func (s *scan) step() (key string, value []byte, ok bool) {
	written := s.more && s.upper.Key() < s.end
	if written && (len(s.items) == 0 || s.upper.Key() <= s.items[0].key) {
		key, value = s.upper.Key(), s.upper.Value().value
		if len(s.items) > 0 && s.items[0].key == key {
			s.items = s.items[1:]
		}
		s.more = s.upper.Next()
		s.seen(key + "\x00")
		return key, value, true
	}
	if len(s.items) == 0 {
		s.seen(s.end)
		return "", nil, false
	}
	first := s.items[0]
	s.items = s.items[1:]
	s.seen(first.key + "\x00")
	s.note(first.key, first.entry)
	return first.key, first.value, true
}

func (s *scan) seen(upTo string) {
	if s.read != nil {
		*s.read = max(*s.read, upTo)
	}
}
