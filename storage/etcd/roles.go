package etcd

import (
	"context"
	"errors"
	"sync/atomic"

	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

// Hold implements kv.Roles. All roles of a handle hang on its one lease.
func (db *DB) Hold(ctx context.Context, name string) (kv.Role, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := db.enter(); err != nil {
		return nil, err
	}
	defer db.running.Done()
	key, id := db.layout.role(name), db.session.id
	free := clientv3.Compare(clientv3.ModRevision(key), "=", 0)
	put := clientv3.OpPut(key, id, clientv3.WithLease(db.session.lease))
	get := clientv3.OpGet(key)
	for {
		got, err := db.ask(clientv3.OpTxn([]clientv3.Cmp{free}, []clientv3.Op{put}, []clientv3.Op{get}))
		switch {
		case db.session.err() != nil:
			return nil, db.session.err()
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil && answered(err):
			return nil, explain(err)
		case err != nil:
			rest(ctx) // and find out whether it is held now
			continue
		case got.Txn().Succeeded:
			return &role{db: db, key: key}, nil
		}
		holder := got.Txn().Responses[0].GetResponseRange().Kvs
		if len(holder) > 0 && string(holder[0].Value) == id {
			return &role{db: db, key: key}, nil
		}
		err = db.cache.await(ctx, func(k known, _ int64) bool {
			e, _ := k.get(key)
			return e.absent()
		})
		if err != nil {
			return nil, db.because(err)
		}
	}
}

// A role is held for as long as the session lasts.
type role struct {
	db   *DB
	key  string
	left atomic.Bool
}

// errLeft is returned by a role that was given up.
var errLeft = errors.New("etcd: the role was left")

// Held implements kv.Role.
func (r *role) Held(ctx context.Context) error {
	if r.left.Load() {
		return errLeft
	}
	return r.db.session.held(ctx)
}

// Lost implements kv.Role.
func (r *role) Lost() <-chan struct{} { return r.db.session.over }

// Leave implements kv.Role.
func (r *role) Leave(ctx context.Context) error {
	r.left.Store(true)
	mine := clientv3.Compare(clientv3.Value(r.key), "=", r.db.session.id)
	_, err := r.db.client.Txn(ctx).If(mine).Then(clientv3.OpDelete(r.key)).Commit()
	return explain(err)
}
