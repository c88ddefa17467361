package etcd

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

const (
	maxCompares = 96       // in a commit; if there are more, a single one replaces them
	maxCompared = 64 << 10 // bytes of keys in them
	patience    = 8        // conflicts after which a function is run alone
)

// Update implements kv.DB. It shares its commit with the updates that wait at the same time.
func (db *DB) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if err := db.enter(ctx); err != nil {
		return err
	}
	defer db.calls.Leave()
	r := &request{ctx: ctx, moment: kv.Moment(ctx)}
	for {
		select {
		case db.turn <- struct{}{}:
		case <-r.ctx.Done():
			return r.ctx.Err()
		}
		a, again, err := db.take(r, fn)
		if a != nil {
			<-a.ended
			again, err = a.again, cmp.Or(a.err, err)
			r.conflicts++ // counted as a conflict, if it has to run again
		}
		if !again {
			return err
		}
	}
}

// A request is one call of Update. It gets turns, each running its function on top of those before it, until one
// succeeds.
type request struct {
	ctx       context.Context // until the function has run; from then on it no longer matters
	moment    time.Time       // it must see everything stored before this
	rehearsed int             // how often it has left its turn
	stale     int             // how often what it read had been compacted
	conflicts int             // how often its turn failed
}

// maxRehearsals is how often a function leaves its turn to fetch, before everybody waits for its fetches.
const maxRehearsals = 3

// take runs a function in its turn, and ends the turn even if the function panics. A function that has failed often
// runs while nobody else commits. If it becomes part of an attempt, the outcome is the attempt's; again says that it
// needs another turn.
func (db *DB) take(r *request, fn func(kv.Writer) error) (a *attempt, again bool, err error) {
	leave := sync.OnceFunc(func() { <-db.turn })
	defer leave()
	if r.conflicts >= patience {
		db.end()
		defer db.unlock()
		if err := db.takeLock(); err != nil {
			return nil, false, err
		}
		defer db.end()
		r.rehearsed = maxRehearsals // everybody waits for its fetches
	}
	return db.run(r, fn, leave)
}

// run is take within whichever attempt has room. A function that has to fetch what it reads first leaves its turn.
func (db *DB) run(r *request, fn func(kv.Writer) error, leave func()) (a *attempt, again bool, err error) {
	if err := cmp.Or(r.ctx.Err(), db.session.err()); err != nil {
		return nil, false, err
	}
	a = db.current()
	s := *a.base
	t := &tx{snapshot: &s, overlay: a.overlay.Copy(), reads: newReads(), wrote: make(map[string]int)}
	defer func() { t.over = true }()
	left := false
	if r.rehearsed < maxRehearsals {
		t.leave = func() {
			left = true
			leave()
		}
	}
	r.ctx = context.Background()
	db.Runs.Add(1)
	err = fn(t)
	switch {
	case left && (s.fault == nil || compacted(s.fault)):
		r.rehearsed++
		return nil, true, nil
	case !left && compacted(s.fault) && r.stale < maxTries:
		r.stale++
		db.end()
		_, _, _ = db.catchUp(db.ctx, time.Now(), nil) // so that the next run does not end like this one
		return db.run(r, fn, leave)
	case s.fault != nil:
		return nil, false, s.faulty(err)
	case err == nil && (len(t.wrote) > kv.MaxUpdateWrites || t.size() > kv.MaxUpdateSize):
		return nil, false, kv.ErrUpdateSize
	case a.ran > 0 && !a.fits(t.overlay.Len(), a.size+t.size(), a.reads.len()+t.reads.len()):
		db.end()
		return db.run(r, fn, leave)
	}
	if err == nil {
		a.overlay = t.overlay
		a.size += t.size()
	}
	a.reads.add(t.reads)
	a.ran++
	a.moment = slices.MaxFunc([]time.Time{a.moment, r.moment}, time.Time.Compare)
	return a, false, err
}

// An attempt is a commit in the making.
type attempt struct {
	db      *DB
	base    *snapshot
	alone   bool // other handles cannot commit meanwhile, or probably will not
	overlay *overlay
	size    int // bytes written
	reads   reads
	ran     int       // how many functions are part of it
	moment  time.Time // the latest moment of its requests: everything stored before must be seen

	ended chan struct{} // closed when the outcome is known:
	again bool          // what was read no longer holds
	err   error
}

// current is the attempt that the next function joins. A new one begins on top of the last commit, and ends after all
// that wait for their turn now: those who come later are behind it in the queue.
func (db *DB) current() *attempt {
	if db.next != nil && db.next.full() {
		db.end()
	}
	if db.next != nil {
		return db.next
	}
	_ = db.cache.reach(db.ctx, db.last.Load()) // fails if the session is over, which requests notice
	known, rev := db.cache.snapshot()
	a := &attempt{
		db: db, base: &snapshot{db: db, known: known, rev: rev, ctx: db.ctx}, alone: db.lock != "" || db.Handles() == 1,
		overlay: new(overlay), reads: newReads(), ended: make(chan struct{}),
	}
	db.next = a
	db.ending.Go(func() {
		db.turn <- struct{}{}
		defer func() { <-db.turn }()
		if db.next == a {
			db.end()
		}
	})
	return a
}

// end commits the current attempt, if there is one.
func (db *DB) end() {
	if a := db.next; a != nil {
		db.next = nil
		a.again, a.err = a.commit()
		close(a.ended)
	}
}

// full reports whether hardly any other function would fit.
func (a *attempt) full() bool {
	n := a.ran
	return n > 0 && !a.fits(a.overlay.Len()*(n+1)/n, a.size*(n+1)/n, a.reads.len()*(n+1)/n)
}

// fits reports whether one commit can hold this.
func (a *attempt) fits(writes, size, reads int) bool {
	return writes <= kv.MaxUpdateWrites && size <= kv.MaxUpdateSize && (a.alone || reads <= maxCompares)
}

// commit stores what was written, if what was read still holds; otherwise again is true.
func (a *attempt) commit() (again bool, err error) {
	db := a.db
	compares := a.reads.compares(db.layout, a.base.rev)
	if db.lock != "" {
		compares = nil // nobody else can have committed since
	}
	switch {
	case a.ran == 0, a.overlay.Len() == 0 && (len(compares) == 0 || a.isNew()):
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
		db.Commits.Add(1)
		return false, nil
	}
	db.Conflicts.Add(1)
	return true, db.giveWay(done)
}

// isNew reports whether what was read is known to be as new as every function requires.
func (a *attempt) isNew() bool {
	rev, ok := a.db.sure.Load().since(a.moment)
	return ok && rev <= a.base.rev
}

// writes are the operations of a commit.
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

// mayCommit requires that no other handle holds the lock.
func (db *DB) mayCommit() clientv3.Cmp {
	if db.lock != "" {
		return clientv3.Compare(clientv3.Value(db.layout.lock()), "=", db.lock)
	}
	return clientv3.Compare(clientv3.ModRevision(db.layout.lock()), "=", 0)
}

// len is the number of compares.
func (r *reads) len() int { return len(r.keys) + len(r.spans) }

// compares require that what was read is unchanged since a revision.
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
	get := clientv3.OpGet(db.layout.commit()) // without it, the answer could be stale
	got, err := db.read(clientv3.OpTxn(compares, []clientv3.Op{get}, []clientv3.Op{get}))
	if err != nil || got.Txn().Succeeded {
		return false, explain(err)
	}
	db.Conflicts.Add(1)
	return true, db.giveWay(outcome{commit: commitIn(got.Txn().Responses[0])})
}

// giveWay waits until the cache has the commits that came first, and the lock is gone.
func (db *DB) giveWay(done outcome) error {
	if err := db.cache.reach(db.ctx, done.commit); err != nil || !done.locked {
		return err
	}
	return db.cache.gone(db.ctx, db.layout.lock())
}

// takeLock waits until this handle holds the lock, so that it alone may commit.
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

// unlock lets other handles commit again.
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

// An outcome is the result of a transaction.
type outcome struct {
	stored bool
	rev    int64 // of what was stored

	commit int64 // otherwise: the revision of the last commit,
	locked bool  // and whether the lock is held
}

func (db *DB) nextNumber() string {
	db.number++
	return strconv.FormatUint(db.number, 10)
}

// transact carries operations out once, if the compares hold, and finds out whether that was done. An error other than
// kv.ErrLost means that it was not.
func (db *DB) transact(compares []clientv3.Cmp, ops []clientv3.Op) (outcome, error) {
	own, number := db.layout.handle(db.session.id), db.nextNumber()
	compares = append(compares, clientv3.Compare(clientv3.Value(own), "=", db.own))
	ops = nest(len(compares), append(ops, clientv3.OpPut(own, number, clientv3.WithLease(db.session.lease))))
	lock, commit := db.layout.lock(), db.layout.commit()
	instead := []clientv3.Op{clientv3.OpGet(own), clientv3.OpGet(lock), clientv3.OpGet(commit)}
	for tries := 0; ; tries++ {
		if err := db.session.err(); err != nil {
			return outcome{}, err
		}
		switch got, err := db.ask(clientv3.OpTxn(compares, ops, instead), tries); {
		case err != nil:
			if done, err := db.settle(number, err); done.stored || err != nil {
				return done, err
			}
			compares[len(compares)-1] = clientv3.Compare(clientv3.Value(own), "=", db.own)
		case got.Txn().Succeeded:
			db.own = number
			return outcome{stored: true, rev: got.Txn().Header.Revision}, nil
		default:
			found := got.Txn().Responses
			done, err := db.ownIn(found[0], number) // an earlier try may have been carried out
			done.locked, done.commit = len(found[1].GetResponseRange().Kvs) > 0, commitIn(found[2])
			return done, err
		}
	}
}

// nest groups operations into nested transactions if there are more than one may have. etcd allows a nested one fewer,
// by the number of compares or operations of the outer one.
func nest(compares int, ops []clientv3.Op) (all []clientv3.Op) {
	if len(ops) <= maxOps {
		return ops
	}
	outer := max(compares, maxOps/2)
	for some := range slices.Chunk(ops, maxOps-outer) {
		all = append(all, clientv3.OpTxn(nil, some, nil))
	}
	return all
}

// ownIn reads the key of this handle in an answer: a transaction that was to give it a number was carried out if it has
// that.
func (db *DB) ownIn(found *pb.ResponseOp, number string) (done outcome, err error) {
	own := found.GetResponseRange().Kvs
	if len(own) == 0 {
		db.session.end()
		return done, db.session.err()
	}
	db.own = string(own[0].Value)
	return outcome{stored: db.own == number, rev: own[0].ModRevision}, nil
}

// commitIn is the revision of the last commit in an answer.
func commitIn(found *pb.ResponseOp) int64 {
	for _, pair := range found.GetResponseRange().Kvs {
		return pair.ModRevision
	}
	return 0
}

// settle finds out the outcome of a transaction that ended with an error. If it was answered, it has either changed the
// key of this handle or never will; if not, changing the key makes sure of that.
func (db *DB) settle(number string, cause error) (outcome, error) {
	own := db.layout.handle(db.session.id)
	look := clientv3.OpGet(own)
	var compare []clientv3.Cmp
	var fence []clientv3.Op
	mark := ""
	if !answered(cause) {
		db.Unanswered.Add(1)
		mark = db.nextNumber()
		compare = []clientv3.Cmp{clientv3.Compare(clientv3.Value(own), "=", db.own)}
		fence = []clientv3.Op{clientv3.OpPut(own, mark, clientv3.WithLease(db.session.lease))}
	}
	for tries := 0; ; tries++ {
		if err := db.session.err(); err != nil {
			return outcome{}, err
		}
		got, err := db.ask(clientv3.OpTxn(compare, append(fence, look), []clientv3.Op{look}), tries)
		if errors.Is(err, rpctypes.ErrLeaseNotFound) {
			db.session.end()
			continue
		}
		if err != nil {
			rest(db.ctx)
			continue
		}
		found := got.Txn().Responses
		done, err := db.ownIn(found[len(found)-1], number)
		if err == nil && !done.stored && answered(cause) {
			err = explain(cause)
		}
		return done, err
	}
}

// read makes a request that writes nothing, and retries until an answer or while there is hope. While the lease is
// renewed there is: the next try may reach a member that does not hang.
func (db *DB) read(op clientv3.Op) (clientv3.OpResponse, error) {
	begun := time.Now()
	for tries := 0; ; tries++ {
		got, err := db.ask(op, tries)
		if err == nil || answered(err) || db.session.err() != nil || time.Since(begun) > db.session.ttl*3/2 {
			return got, err
		}
		rest(db.ctx)
	}
}

// ask makes a request, after some failed tries, unless the session is over. The first tries are short, since a request
// passed on to a dead leader, or sent to a hanging member, is never answered; later ones are longer, for requests that
// take their time.
func (db *DB) ask(op clientv3.Op, tries int) (clientv3.OpResponse, error) {
	const alike = 3 // tries
	ctx, cancel := context.WithTimeout(db.session.lasts, min(db.session.ttl/renewals<<min(tries/alike, renewals), db.session.ttl/2))
	defer cancel()
	db.Trips.Add(1)
	got, err := db.client.Do(ctx, op)
	if lost := db.session.err(); err != nil && lost != nil {
		return got, lost
	}
	return got, err
}
