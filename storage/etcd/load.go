package etcd

import (
	"context"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// A load is what somebody wants to know who waits for a trip to the cluster: when the last commit
// was, and what is under some keys.
type load struct {
	ops    []clientv3.Op // no more than maxLoad
	loaded chan struct{} // closed at the end
	err    error

	found  []*pb.ResponseOp
	commit int64 // the revision of the last commit,
	rev    int64 // and the one at which that was asked, with all keys that are not read at another
}

// maxLoad is how many keys one trip can read.
const maxLoad = maxOps - 1

// load makes a trip. All that wait to make one at the same time share it; it begins after they
// came.
func (db *DB) load(ctx context.Context, ops []clientv3.Op) (*load, error) {
	l := &load{ops: ops, loaded: make(chan struct{})}
	select {
	case db.loads <- l:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case <-l.loaded:
		return l, explain(l.err)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fetch carries loads out until there are no more.
func (db *DB) fetch() {
	for l := range db.loads {
		for l != nil {
			var some []*load
			some, l = db.together(l)
			db.fly(some)
		}
	}
}

// together returns a load and those that wait too, as far as one trip has room for them, and the one
// that it has none for.
func (db *DB) together(l *load) (some []*load, late *load) {
	some, size := []*load{l}, len(l.ops)
	for {
		select {
		case l, open := <-db.loads:
			if !open {
				return some, nil
			}
			if size += len(l.ops); size > maxLoad {
				return some, l
			}
			some = append(some, l)
		default:
			return some, nil
		}
	}
}

// fly finds out what some loads are about.
func (db *DB) fly(some []*load) {
	ops := []clientv3.Op{clientv3.OpGet(db.layout.commit())}
	for _, l := range some {
		ops = append(ops, l.ops...)
	}
	begun := time.Now()
	got, err := db.read(clientv3.OpTxn(nil, ops, nil))
	if compacted(err) && len(some) > 1 { // of one of them, and not of all
		for _, l := range some {
			db.fly([]*load{l})
		}
		return
	}
	var found []*pb.ResponseOp
	var commit, rev int64
	if err == nil {
		found = got.Txn().Responses
		commit, rev = commitIn(found[0]), got.Txn().Header.Revision
		found = found[1:]
		db.sure.Store(&sure{begun, commit})
	}
	for _, l := range some {
		if l.err = err; err == nil {
			l.commit, l.rev = commit, rev
			l.found, found = found[:len(l.ops)], found[len(l.ops):]
		}
		close(l.loaded)
	}
}

// sure is what is known of the last commit, from a trip that began then.
type sure struct {
	begun  time.Time
	commit int64
}

// since is a revision that contains every commit that had returned at a moment; false if none is
// known.
func (s *sure) since(moment time.Time) (rev int64, ok bool) {
	if s == nil || !s.begun.After(moment) {
		return 0, false
	}
	return s.commit, true
}

// catchUp brings the cache to a revision that contains every commit of this handle that has
// returned, and every other that had at a moment, and returns what it knows then. If that takes a
// trip, some keys that it does not know are read on it.
func (db *DB) catchUp(ctx context.Context, moment time.Time, keys []string) (known, int64, error) {
	commit, ok := db.sure.Load().since(moment)
	var l *load
	if !ok {
		var err error
		if l, err = db.load(ctx, db.unknown(keys)); err != nil {
			return known{}, 0, err
		}
		commit = l.commit
	}
	if err := db.cache.reach(ctx, max(commit, db.last.Load())); err != nil {
		return known{}, 0, db.because(err)
	}
	if l != nil {
		db.cache.current(l.commit, l.rev)
		for i, answer := range l.found {
			key := string(l.ops[i].KeyBytes())
			db.cache.learn(l.rev, key, key+"\x00", asItems(answer.GetResponseRange().Kvs))
		}
	}
	known, rev := db.cache.snapshot()
	return known, rev, nil
}

// unknown are reads of keys that the cache does not know, as many as one trip takes.
func (db *DB) unknown(keys []string) (ops []clientv3.Op) {
	known, _ := db.cache.snapshot()
	for _, key := range keys {
		if _, ok := known.get(key); !ok && len(ops) < maxLoad {
			ops = append(ops, clientv3.OpGet(key))
		}
	}
	return ops
}
