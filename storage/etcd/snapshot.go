package etcd

import (
	"context"
	"errors"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

const (
	firstPage  = 32      // pairs that a scan fetches at first; each later page is
	pageGrowth = 8       // times as long as the one before,
	longPage   = 8192    // up to this many pairs,
	largePage  = 1 << 20 // or this many bytes
	knownPage  = 256     // pairs that are taken together of what is known
	learnPairs = 16 << 8 // of one scan that are remembered: who reads all reads it once
	maxOps     = 128     // in a transaction of etcd
)

// A snapshot is the database as of one revision. It is used by one goroutine at a time.
type snapshot struct {
	db    *DB
	known known
	rev   int64  // 0 until anything is read
	leave func() // called once, before anything is fetched; nil if nobody minds
	fault error  // the first error of fetching

	ctx    context.Context // of whoever waits
	moment time.Time       // of a View, which sees all that was stored before
}

func (db *DB) snapshot() *snapshot {
	known, rev := db.cache.snapshot()
	return &snapshot{db: db, known: known, rev: rev, ctx: db.ctx}
}

// view runs a function that reads.
func (s *snapshot) view(fn func(kv.Reader) error) error {
	t := &tx{snapshot: s, overlay: new(overlay)}
	defer func() { t.over = true }()
	return fn(t)
}

// settle chooses the revision, if there is none yet. Some keys are to be read at it.
func (s *snapshot) settle(keys ...string) error {
	if s.rev == 0 && s.fault == nil {
		s.known, s.rev, s.fault = s.db.catchUp(s.ctx, s.moment, keys)
	}
	if s.rev == 0 {
		return s.fault
	}
	return nil
}

// fetch makes keys known.
func (s *snapshot) fetch(keys []string) error {
	if err := s.settle(keys...); err != nil {
		return err
	}
	var ops []clientv3.Op
	for _, key := range keys {
		if _, ok := s.known.get(key); !ok {
			ops = append(ops, clientv3.OpGet(key, clientv3.WithRev(s.rev)))
		}
	}
	for len(ops) > 0 {
		some := ops[:min(len(ops), maxLoad)]
		ops = ops[len(some):]
		s.leaveTurn()
		l, err := s.db.load(s.ctx, some)
		if err != nil {
			return s.failed(err)
		}
		for i, answer := range l.found {
			key := string(some[i].KeyBytes())
			s.learn(key, key+"\x00", asItems(answer.GetResponseRange().Kvs), true)
		}
	}
	return nil
}

// page returns pairs from start to end, the first of them at least, and where the next page
// begins; "" if there is none. It fetches size pairs, if they are not known, and remembers them if that
// is worth it.
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

// learn remembers what was fetched, for others too.
func (s *snapshot) learn(start, end string, items []item, worth bool) {
	if worth {
		s.known.learn(start, end, items)
		s.db.cache.learn(s.rev, start, end, items)
	}
}

// leaveTurn lets those go on who would wait for what is fetched.
func (s *snapshot) leaveTurn() {
	if s.leave != nil {
		s.known = s.known.fork() // the others read on in what it was
		s.leave()
		s.leave = nil
	}
}

func (s *snapshot) failed(err error) error {
	if s.fault == nil {
		s.fault = err
	}
	return err
}

// faulty is the error of a function that has used the snapshot: what went wrong with that, if it
// does not say so itself.
func (s *snapshot) faulty(err error) error {
	if s.fault == nil || errors.Is(err, s.fault) {
		return err
	}
	return s.fault
}
