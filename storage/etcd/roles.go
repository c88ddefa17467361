package etcd

import (
	"context"

	clientv3 "go.etcd.io/etcd/client/v3"
)

// Hold implements kv.Roles. All roles of a handle hang on its one lease.
func (db *DB) Hold(ctx context.Context, name string) (leave func(context.Context) error, err error) {
	if err := db.enter(ctx); err != nil {
		return nil, err
	}
	defer db.running.Done()
	key, id := db.layout.role(name), db.session.id
	leave = func(ctx context.Context) error {
		if err := db.session.err(); err != nil {
			return err // all roles are left
		}
		ctx, cancel := context.WithTimeout(ctx, db.session.ttl/2) // whoever ends for want of the cluster waits no longer
		defer cancel()
		mine := clientv3.Compare(clientv3.Value(key), "=", id)
		_, err := db.client.Txn(ctx).If(mine).Then(clientv3.OpDelete(key)).Commit()
		return explain(err)
	}
	free := clientv3.Compare(clientv3.ModRevision(key), "=", 0)
	put := clientv3.OpPut(key, id, clientv3.WithLease(db.session.lease))
	get := clientv3.OpGet(key)
	for tries := 0; ; tries++ {
		got, err := db.ask(clientv3.OpTxn([]clientv3.Cmp{free}, []clientv3.Op{put}, []clientv3.Op{get}), tries)
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
			return leave, nil
		}
		holder := got.Txn().Responses[0].GetResponseRange().Kvs
		if len(holder) > 0 && string(holder[0].Value) == id {
			return leave, nil
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

// Held implements kv.Roles.
func (db *DB) Held(ctx context.Context) error { return db.session.held(ctx) }

// Lost implements kv.Roles.
func (db *DB) Lost() <-chan struct{} { return db.session.lasts.Done() }
