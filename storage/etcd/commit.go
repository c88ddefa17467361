package etcd

import (
	"maps"
	"slices"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

const (
	maxBatch    = 1024     // requests that are gathered
	maxCompares = 96       // in a commit; more are made into one
	maxCompared = 64 << 10 // bytes of keys in them
	solitude    = 8        // commits with none of another handle's, after which one is thought to be alone
	patience    = 8        // conflicts after which a function is run alone
)

// serve commits batches until there are no more requests.
func (db *DB) serve() {
	defer close(db.stopped)
	for first := range db.requests {
		for batch := []*request{first}; len(batch) > 0; {
			if r := batch[0]; r.conflicts >= patience {
				db.alone(r)
				batch = batch[1:]
				continue
			}
			batch = db.round(kv.Gather(batch, db.requests, maxBatch))
		}
	}
}

// round makes as much of a batch as possible into one commit, and returns what is left of it.
func (db *DB) round(batch []*request) (rest []*request) {
	a := db.attempt()
	for len(batch) > 0 && !a.full() {
		if !a.give(batch[0]) {
			break
		}
		batch = batch[1:]
	}
	again, err := a.commit()
	if again {
		for _, r := range a.ran {
			r.conflicts++
		}
		return append(a.ran, batch...)
	}
	for _, r := range a.ran {
		r.done <- err
	}
	return batch
}

// An attempt is what is to be one commit.
type attempt struct {
	db      *DB
	base    *snapshot
	alone   bool // it is unlikely that another handle commits meanwhile
	overlay *overlay
	size    int // of what was written
	reads   reads
	ran     []*request // whose outcome is that of the commit
}

// attempt begins an attempt on top of the last commit.
func (db *DB) attempt() *attempt {
	_ = db.cache.reach(db.ctx, db.last.Load()) // unless the session is over, which requests will hear
	if other := db.cache.otherCommit(); other != db.other {
		db.other, db.since = other, 0
	}
	return &attempt{db: db, base: db.snapshot(), alone: db.lock != "" || db.since >= solitude, overlay: new(overlay), reads: newReads()}
}

// give gives a request its turn. It returns false if that must wait for the next attempt.
func (a *attempt) give(r *request) bool {
	if err := r.refusal(a.db); err != nil {
		r.done <- err
		return true
	}
	s := *a.base
	t := &tx{snapshot: &s, overlay: a.overlay.Copy(), reads: newReads(), wrote: make(map[string]int)}
	a.db.Runs.Add(1)
	end := r.take(t)
	switch {
	case end == left, end == gone:
		return true
	case compacted(s.fault) && r.stale < maxTries:
		r.stale++
		a.db.behind = true
		return false
	case s.fault != nil:
		r.done <- s.fault
		return true
	case end == kept && !t.fits():
		r.done <- kv.ErrUpdateSize
		return true
	case !a.room(t):
		return false
	}
	if end == kept {
		a.overlay = t.overlay
		a.size += t.size()
	}
	a.reads.add(t.reads)
	a.ran = append(a.ran, r)
	return true
}

// room reports whether what a function has done can be part of the commit too.
func (a *attempt) room(t *tx) bool {
	switch {
	case len(a.ran) == 0:
		return true
	case t.overlay.Len() > kv.MaxUpdateWrites, a.size+t.size() > kv.MaxUpdateSize:
		return false
	}
	return a.alone || a.reads.len()+t.reads.len() <= maxCompares
}

// full reports whether another function would hardly find room.
func (a *attempt) full() bool {
	n := len(a.ran)
	switch {
	case n == 0:
		return false
	case a.overlay.Len()*(n+1)/n > kv.MaxUpdateWrites, a.size*(n+1)/n > kv.MaxUpdateSize:
		return true
	}
	return !a.alone && a.reads.len()*(n+1)/n > maxCompares
}

// commit stores what was written, if what was read still holds. again says that it does not.
func (a *attempt) commit() (again bool, err error) {
	db := a.db
	compares := a.reads.compares(db.layout, a.base.rev)
	if db.lock != "" {
		compares = nil // nobody else can have committed since
	}
	switch {
	case len(a.ran) == 0, a.overlay.Len() == 0 && len(compares) == 0:
		if db.behind {
			db.behind = false
			_, _, err = db.catchUp(db.ctx, time.Now(), nil)
		}
		return false, err
	case a.overlay.Len() == 0 && a.isNew():
		return false, nil
	case a.overlay.Len() == 0:
		return db.confirm(compares)
	}
	done, err := db.transact(append(compares, db.mayCommit()), db.writes(a.overlay))
	switch {
	case err != nil:
		return false, err
	case done.stored:
		db.lock = ""
		db.last.Store(done.rev)
		db.since++
		db.Commits.Add(1)
		return false, nil
	}
	db.Conflicts.Add(1)
	return true, db.giveWay(done)
}

// isNew reports whether what was read is known to be as new as every function must see.
func (a *attempt) isNew() bool {
	known := a.db.sure.Load()
	return !slices.ContainsFunc(a.ran, func(r *request) bool {
		rev, ok := known.since(r.moment)
		return !ok || rev > a.base.rev
	})
}

// writes are what a commit does.
func (db *DB) writes(overlay *overlay) []clientv3.Op {
	ops := make([]clientv3.Op, 0, overlay.Len()+2)
	overlay.Scan(func(key string, value []byte) bool {
		if value == nil {
			ops = append(ops, clientv3.OpDelete(key))
		} else {
			ops = append(ops, clientv3.OpPut(key, string(value)))
		}
		return true
	})
	if db.lock != "" {
		ops = append(ops, clientv3.OpDelete(db.layout.lock()))
	}
	return append(ops, clientv3.OpPut(db.layout.commit(), db.session.id))
}

// mayCommit compares the lock with who has it.
func (db *DB) mayCommit() clientv3.Cmp {
	if db.lock != "" {
		return clientv3.Compare(clientv3.Value(db.layout.lock()), "=", db.lock)
	}
	return clientv3.Compare(clientv3.ModRevision(db.layout.lock()), "=", 0)
}

// len is how many compares there are.
func (r *reads) len() int { return len(r.keys) + len(r.spans) }

// compares are what a commit must find as it was at a revision.
func (r *reads) compares(l layout, rev int64) []clientv3.Cmp {
	all := make([]clientv3.Cmp, 0, r.len())
	length := 0
	for _, key := range slices.Sorted(maps.Keys(r.keys)) {
		all = append(all, clientv3.Compare(clientv3.ModRevision(key), "=", r.keys[key]))
		length += len(key)
	}
	for start, end := range r.spans {
		if start < *end {
			all = append(all, clientv3.Compare(clientv3.ModRevision(start), "<", rev+1).WithRange(*end))
			length += len(start) + len(*end)
		}
	}
	if len(all) > maxCompares || length > maxCompared {
		return []clientv3.Cmp{clientv3.Compare(clientv3.ModRevision(l.commit()), "<", rev+1)}
	}
	return all
}

// confirm asks whether what was read still holds, for functions that have written nothing.
func (db *DB) confirm(compares []clientv3.Cmp) (again bool, err error) {
	get := clientv3.OpGet(db.layout.commit()) // or the answer could be an old one
	got, err := db.read(clientv3.OpTxn(compares, []clientv3.Op{get}, []clientv3.Op{get}))
	if err != nil || got.Txn().Succeeded {
		return false, explain(err)
	}
	db.Conflicts.Add(1)
	return true, db.giveWay(outcome{commit: commitIn(got.Txn().Responses[0])})
}

// giveWay waits until it is known what has come before.
func (db *DB) giveWay(done outcome) error {
	if err := db.cache.reach(db.ctx, done.commit); err != nil || !done.locked {
		return err
	}
	return db.cache.await(db.ctx, func(k known, _ int64) bool {
		lock, _ := k.get(db.layout.lock())
		return lock.absent()
	})
}

// alone runs a function while nobody else commits.
func (db *DB) alone(r *request) {
	defer db.unlock()
	r.rehearsed = maxRehearsals // all wait for it
	for {
		if err := db.takeLock(); err != nil {
			r.done <- err
			return
		}
		a := db.attempt()
		fits := a.give(r)
		again, err := a.commit()
		if fits && !again {
			for _, r := range a.ran {
				r.done <- err
			}
			return
		}
	}
}

// takeLock waits for its turn to be the one who may commit.
func (db *DB) takeLock() error {
	for db.lock == "" {
		name := db.session.id + " " + db.nextNumber()
		put := clientv3.OpPut(db.layout.lock(), name, clientv3.WithLease(db.session.lease))
		done, err := db.transact([]clientv3.Cmp{db.mayCommit()}, []clientv3.Op{put})
		if err != nil {
			return err
		}
		if !done.stored {
			if err := db.giveWay(done); err != nil {
				return err
			}
			continue
		}
		db.lock = name
		db.last.Store(done.rev)
	}
	return nil
}

// unlock lets others commit again, unless they may.
func (db *DB) unlock() {
	for tries := 0; db.lock != "" && db.session.err() == nil; tries++ {
		op := clientv3.OpTxn([]clientv3.Cmp{db.mayCommit()}, []clientv3.Op{clientv3.OpDelete(db.layout.lock())}, nil)
		if _, err := db.ask(op, tries); err != nil {
			rest(db.ctx)
			continue
		}
		db.lock = ""
	}
}
