package etcd

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// An outcome is what has become of a transaction.
type outcome struct {
	stored bool
	rev    int64 // of what was stored

	commit int64 // otherwise, the revision of the last commit,
	locked bool  // and whether somebody may commit alone
}

func (db *DB) nextNumber() string {
	db.number++
	return strconv.FormatUint(db.number, 10)
}

// transact has the cluster do something once, if something holds, and finds out whether it was
// done. An error other than kv.ErrLost means that it was not.
//
// Whatever is done changes the key of this handle, and so does whatever is refused: then what was sent
// before, was not answered and is still under way can never succeed.
func (db *DB) transact(compares []clientv3.Cmp, ops []clientv3.Op) (outcome, error) {
	own, number, mark := db.layout.handle(db.session.id), db.nextNumber(), db.nextNumber()
	isOwn := clientv3.Compare(clientv3.Value(own), "=", db.own)
	put := func(value string) clientv3.Op {
		return clientv3.OpPut(own, value, clientv3.WithLease(db.session.lease))
	}
	compares = append(compares, isOwn)
	op := clientv3.OpTxn(compares, nest(len(compares), append(ops, put(number))), []clientv3.Op{
		clientv3.OpGet(own), clientv3.OpGet(db.layout.lock()), clientv3.OpGet(db.layout.commit()),
		clientv3.OpTxn([]clientv3.Cmp{isOwn}, []clientv3.Op{put(mark)}, nil),
	})
	unanswered := false
	for tries := 0; ; tries++ {
		got, err := db.ask(op, tries)
		switch {
		case errors.Is(err, rpctypes.ErrLeaseNotFound):
			db.session.end()
			return outcome{}, db.session.err()
		case db.session.err() != nil:
			return outcome{}, db.session.err()
		case err != nil && answered(err) && !unanswered:
			return outcome{}, explain(err)
		case err != nil:
			unanswered = true
			db.tally(func(f *Figures) { f.Unanswered++ })
			rest(db.ctx)
			continue
		case got.Txn().Succeeded:
			db.own = number
			return outcome{stored: true, rev: got.Txn().Header.Revision}, nil
		}
		return db.refused(number, mark, got.Txn().Responses)
	}
}

// nest puts operations into transactions within the transaction where they are more than one may
// have. There are fewer levels to use up than there are compares.
func nest(compares int, ops []clientv3.Op) []clientv3.Op {
	if len(ops) <= maxOps {
		return ops
	}
	outer := max(compares, maxOps/2)
	var all []clientv3.Op
	for some := range slices.Chunk(ops, maxOps-outer) {
		all = append(all, clientv3.OpTxn(nil, some, nil))
	}
	return all
}

// refused reads why a transaction was not carried out.
func (db *DB) refused(number, mark string, found []*pb.ResponseOp) (outcome, error) {
	own := found[0].GetResponseRange().Kvs
	if len(own) == 0 {
		db.session.end()
		return outcome{}, db.session.err()
	}
	was := db.own
	if db.own = string(own[0].Value); db.own == number { // it was, when it was sent before
		return outcome{stored: true, rev: own[0].ModRevision}, nil
	}
	if db.own == was {
		db.own = mark
	}
	return outcome{locked: len(found[1].GetResponseRange().Kvs) > 0, commit: commitIn(found[2])}, nil
}

// commitIn is the revision of the last commit in an answer.
func commitIn(found *pb.ResponseOp) int64 {
	for _, pair := range found.GetResponseRange().Kvs {
		return pair.ModRevision
	}
	return 0
}

// read has the cluster do something that writes nothing, until it answers or there is little hope.
// While the lease is renewed there is some: the next try may reach a member that does not hang.
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

// ask has the cluster do something, after some tries that were in vain, for as long as an answer
// can be of use: that is not when the session is over. At first it is soon asked again, since what a
// member has passed on to a leader that has just died is never answered, nor what one is asked that
// hangs; what takes long has more time later.
func (db *DB) ask(op clientv3.Op, tries int) (clientv3.OpResponse, error) {
	const alike = 3 // tries
	ctx, cancel := context.WithTimeout(db.session.lasts, min(db.session.ttl/renewals<<min(tries/alike, renewals), db.session.ttl/2))
	defer cancel()
	db.tally(func(f *Figures) { f.Trips++ })
	got, err := db.client.Do(ctx, op)
	if lost := db.session.err(); err != nil && lost != nil {
		return got, lost
	}
	return got, err
}
