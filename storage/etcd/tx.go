package etcd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/tidwall/btree"
	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

// A tx reads a snapshot; in an Update, the function's own writes lie on top.
type tx struct {
	*snapshot
	overlay *overlay       // empty in a View
	reads   reads          // nothing in a View, which has no conflicts
	wrote   map[string]int // the lengths of the pairs that this function has written
	over    bool           // its function has returned
}

// An overlay is what was written but not committed. Values are never changed in place, and nil for a deleted key.
type overlay = btree.Map[string, []byte]

// reads are what a function has seen of a snapshot, to be compared in its commit.
type reads struct {
	keys  map[string]int64   // by key, the revision that wrote it; 0 if it was absent
	spans map[string]*string // scanned ranges: their ends, by their starts
}

func newReads() reads { return reads{make(map[string]int64), make(map[string]*string)} }

// add takes over what another function has read.
func (r *reads) add(more reads) {
	maps.Copy(r.keys, more.keys)
	for start, end := range more.spans {
		*r.span(start) = max(*r.span(start), *end)
	}
}

// span returns the end of the range that begins at start, for the caller to move on.
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

// note notes that an entry was read.
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
	var stored []string // of the keys that it has not written
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

// size is the number of bytes that the function has written.
func (t *tx) size() (all int) {
	for _, n := range t.wrote {
		all += n
	}
	return all
}

// Scan implements kv.Reader. It merges stored pairs with the overlay.
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

// stored yields stored pairs, which it fetches in pages. The first page is short and each later one longer, since for
// each page etcd counts the rest of the range.
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

const (
	firstPage  = 32      // pairs that a scan fetches at first; each later page is
	pageGrowth = 8       // times as long as the one before,
	longPage   = 8192    // up to this many pairs,
	largePage  = 1 << 20 // or this many bytes
	knownPage  = 256     // pairs taken together if they are known
	learnPairs = 16 << 8 // pairs of one scan that are remembered: a full scan is not repeated
	maxOps     = 128     // in a transaction of etcd
)

// A snapshot is the database as of one revision. It is used by one goroutine at a time.
type snapshot struct {
	db    *DB
	known known
	rev   int64  // 0 until anything is read
	leave func() // called once, before the first fetch; nil if nobody waits
	fault error  // the first error of fetching

	ctx    context.Context // the waiting caller's
	moment time.Time       // of a View, which sees all that was stored before it
}

// view runs a function that reads.
func (s *snapshot) view(fn func(kv.Reader) error) error {
	t := &tx{snapshot: s, overlay: new(overlay)}
	defer func() { t.over = true }()
	return fn(t)
}

// settle chooses the revision, if there is none yet. The keys are the first ones read at it.
func (s *snapshot) settle(keys ...string) error {
	if s.rev == 0 && s.fault == nil {
		s.known, s.rev, s.fault = s.db.catchUp(s.ctx, s.moment, keys)
	}
	if s.rev == 0 {
		return s.fault
	}
	return nil
}

// fetch adds keys to the known ones.
func (s *snapshot) fetch(keys []string) error {
	if err := s.settle(keys...); err != nil {
		return err
	}
	for some := range slices.Chunk(s.known.missing(keys, s.rev), maxLoad) {
		s.leaveTurn()
		t, err := s.db.load(s.ctx, some)
		if err != nil {
			return s.failed(err)
		}
		for _, f := range t.found {
			s.learn(f.key, f.key+"\x00", f.items, true)
		}
	}
	return nil
}

// page returns pairs from start to end, at least the first, and where the next page begins; "" if there is none. If
// they are not known it fetches size pairs, and remembers them if they are worth it.
func (s *snapshot) page(start, end string, size int, worth bool) (items []item, next string, err error) {
	if err := s.settle(); err != nil {
		return nil, "", err
	}
	if to, ok := s.known.covered(start); ok {
		to = min(to, end)
		if items, next = s.known.items(start, to, knownPage); next == "" && to < end {
			next = to
		}
		return items, next, nil
	}
	s.leaveTurn()
	got, err := s.db.read(clientv3.OpGet(start, clientv3.WithRange(end), clientv3.WithLimit(int64(size)), clientv3.WithRev(s.rev)))
	if err != nil {
		return nil, "", s.failed(explain(err))
	}
	items = asItems(got.Get().Kvs)
	to := end
	if got.Get().More {
		next = items[len(items)-1].key + "\x00"
		to = next
	}
	s.learn(start, to, items, worth)
	return items, next, nil
}

// learn remembers what was fetched, also for other transactions.
func (s *snapshot) learn(start, end string, items []item, worth bool) {
	if worth {
		s.known.learn(start, end, items)
		s.db.cache.learn(s.rev, start, end, items)
	}
}

// leaveTurn lets the next updates go on before a fetch.
func (s *snapshot) leaveTurn() {
	if s.leave != nil {
		s.known = s.known.fork() // the others keep using the old one
		s.leave()
		s.leave = nil
	}
}

func (s *snapshot) failed(err error) error {
	s.fault = cmp.Or(s.fault, err)
	return err
}

// faulty is the error of a function that used the snapshot: the snapshot's own fault, even if the function does not
// return it.
func (s *snapshot) faulty(err error) error {
	if s.fault == nil || errors.Is(err, s.fault) {
		return err
	}
	return s.fault
}

// A trip asks the cluster when the last commit was, and for some keys.
type trip struct {
	keys  []clientv3.Op // no more than maxLoad
	ended chan struct{} // closed when these are known:
	err   error

	commit int64 // the revision of the last commit,
	rev    int64 // and the one at which it was asked, which is that of all keys read at no particular revision
	found  []found
}

// found is what is under a key.
type found struct {
	key   string
	items []item
}

// maxLoad is how many keys one trip can read.
const maxLoad = maxOps - 1

// load makes a trip to read some keys. Callers that wait at the same time share one, as far as it has room; it begins
// after they came, and each gets its own keys.
func (db *DB) load(ctx context.Context, keys []clientv3.Op) (own trip, _ error) {
	db.boarding.Lock()
	t := db.trip
	if t == nil || len(t.keys)+len(keys) > maxLoad {
		t = &trip{ended: make(chan struct{})}
		db.trip = t
		db.watching.Go(func() { db.fly(t) })
	}
	first := len(t.keys)
	t.keys = append(t.keys, keys...)
	db.boarding.Unlock()
	select {
	case <-t.ended:
	case <-ctx.Done():
		return own, ctx.Err()
	}
	if t.err != nil {
		return own, t.err
	}
	return trip{commit: t.commit, rev: t.rev, found: t.found[first : first+len(keys)]}, nil
}

// fly makes a trip when it is its turn.
func (db *DB) fly(t *trip) {
	db.away <- struct{}{}
	defer func() { <-db.away }()
	defer close(t.ended)
	db.boarding.Lock()
	if db.trip == t {
		db.trip = nil
	}
	db.boarding.Unlock()
	begun := time.Now()
	got, err := db.read(clientv3.OpTxn(nil, append([]clientv3.Op{clientv3.OpGet(db.layout.commit())}, t.keys...), nil))
	if err != nil {
		t.err = explain(err)
		return
	}
	answers := got.Txn().Responses
	t.commit, t.rev = commitIn(answers[0]), got.Txn().Header.Revision
	for i, key := range t.keys {
		t.found = append(t.found, found{string(key.KeyBytes()), asItems(answers[i+1].GetResponseRange().Kvs)})
	}
	db.sure.Store(&sure{begun, t.commit})
}

// sure is the last commit known from a trip, and when that began.
type sure struct {
	begun  time.Time
	commit int64
}

// since is a revision that contains every commit that had returned at a moment; false if none is known.
func (s *sure) since(moment time.Time) (rev int64, ok bool) {
	if s == nil || !s.begun.After(moment) {
		return 0, false
	}
	return s.commit, true
}

// catchUp brings the cache to a revision that contains every commit of this handle that has returned, and every other
// that had at a moment, and returns what is known then. If that takes a trip, it also reads those of the keys that are
// not known.
func (db *DB) catchUp(ctx context.Context, moment time.Time, keys []string) (_ known, _ int64, err error) {
	var t trip
	var ok bool
	if t.commit, ok = db.sure.Load().since(moment); !ok {
		cached, _ := db.cache.snapshot()
		missing := cached.missing(keys, 0)
		if t, err = db.load(ctx, missing[:min(len(missing), maxLoad)]); err != nil {
			return known{}, 0, err
		}
	}
	if err := db.cache.reach(ctx, max(t.commit, db.last.Load())); err != nil {
		return known{}, 0, err
	}
	db.cache.current(t.commit, t.rev)
	for _, f := range t.found {
		db.cache.learn(t.rev, f.key, f.key+"\x00", f.items)
	}
	known, rev := db.cache.snapshot()
	return known, rev, nil
}
