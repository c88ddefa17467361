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
		got, err := db.ask(clientv3.OpTxn(compares, ops, instead), tries)
		switch {
		case err != nil:
			if done, err := db.settle(number, err); done.stored || err != nil {
				return done, err
			}
			compares[len(compares)-1] = clientv3.Compare(clientv3.Value(own), "=", db.own)
		case got.Txn().Succeeded:
			db.own = number
			return outcome{stored: true, rev: got.Txn().Header.Revision}, nil
		default:
			return db.refused(number, got.Txn().Responses)
		}
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
func (db *DB) refused(number string, found []*pb.ResponseOp) (outcome, error) {
	own := found[0].GetResponseRange().Kvs
	if len(own) == 0 {
		db.session.end()
		return outcome{}, db.session.err()
	}
	if db.own = string(own[0].Value); db.own == number { // it was, when it was sent before
		return outcome{stored: true, rev: own[0].ModRevision}, nil
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

// settle finds out what has become of a transaction that ended with an error. One that was
// answered has either changed the key of this handle or never will; of another that is made sure
// by changing the key.
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
		found := got.Txn().Responses[len(got.Txn().Responses)-1].GetResponseRange().Kvs
		switch {
		case len(found) == 0:
			db.session.end()
			continue
		case string(found[0].Value) == number:
			db.own = number
			return outcome{stored: true, rev: found[0].ModRevision}, nil
		}
		db.own = string(found[0].Value)
		if answered(cause) {
			return outcome{}, explain(cause)
		}
		return outcome{}, nil
	}
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
	db.Trips.Add(1)
	got, err := db.client.Do(ctx, op)
	if lost := db.session.err(); err != nil && lost != nil {
		return got, lost
	}
	return got, err
}
