package etcd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	clientv3 "go.etcd.io/etcd/client/v3"

	"chimera/storage/kv"
)

// Cluster implements kv.Clustered.
func (db *DB) Cluster(ctx context.Context) (kv.Cluster, error) {
	if err := db.enter(ctx); err != nil {
		return kv.Cluster{}, err
	}
	defer db.calls.Leave()
	start, end := db.layout.meta()
	got, err := db.read(clientv3.OpGet(start, clientv3.WithRange(end)))
	if err != nil {
		return kv.Cluster{}, explain(err)
	}
	c := kv.Cluster{Own: db.session.id, Roles: map[string][]string{}, Members: db.members(ctx)}
	for _, pair := range got.Get().Kvs { // in order
		if name, ok := strings.CutPrefix(string(pair.Key), db.layout.handle("")); ok {
			c.Handles = append(c.Handles, name)
		}
		if role, ok := strings.CutPrefix(string(pair.Key), db.layout.role("")); ok {
			c.Roles[string(pair.Value)] = append(c.Roles[string(pair.Value)], role)
		}
	}
	return c, nil
}

// members asks all servers at once.
func (db *DB) members(ctx context.Context) []kv.Member {
	ctx, cancel := context.WithTimeout(ctx, db.session.ttl/2)
	defer cancel()
	endpoints := db.client.Endpoints()
	members := make([]kv.Member, len(endpoints))
	applied := make([]uint64, len(endpoints))
	var all sync.WaitGroup
	for i, endpoint := range endpoints {
		all.Go(func() {
			m := &members[i]
			m.Address = endpoint
			said, err := db.client.Status(ctx, endpoint)
			if err != nil {
				m.Fault = explain(err).Error()
				return
			}
			m.Leads, m.Version, m.Size = said.Leader == said.Header.MemberId, said.Version, said.DbSize
			m.Quota = cmp.Or(said.DbSizeQuota, defaultQuota)
			m.Fault = strings.Join(append(said.Errors, nearlyFull(said.DbSize, said.DbSizeQuota)...), ", ")
			applied[i] = said.RaftAppliedIndex
		})
	}
	all.Wait()
	newest := slices.Max(applied)
	for i := range members {
		if applied[i] > 0 {
			members[i].Behind = newest - applied[i]
		}
	}
	return members
}

// Fullness is how much of its quota the fullest server has used, from 0 to 1; 0 if none answers.
func (db *DB) Fullness(ctx context.Context) (most float64) {
	if db.enter(ctx) != nil {
		return 0
	}
	defer db.calls.Leave()
	for _, m := range db.members(ctx) {
		if m.Quota > 0 {
			most = max(most, float64(m.Size)/float64(m.Quota))
		}
	}
	return most
}

// defaultQuota is what a server keeps at most that is not told otherwise. Those before 3.6 do not say
// what they were told.
const defaultQuota = 2 << 30

// nearlyFull warns of a server that has filled four fifths of what it keeps at most: it stores
// nothing beyond that.
func nearlyFull(size, quota int64) []string {
	of := fmt.Sprintf("its quota of %d bytes", quota)
	if quota <= 0 {
		quota = defaultQuota
		of = fmt.Sprintf("the %d bytes that are etcd's usual quota", quota)
	}
	if size < quota/5*4 {
		return nil
	}
	return []string{fmt.Sprintf("%d %% of %s are used: defragment it, or raise --quota-backend-bytes", size*100/quota, of)}
}

// Hold implements kv.Roles. All roles of a handle hang on its one lease.
func (db *DB) Hold(ctx context.Context, name string) (leave func(context.Context) error, err error) {
	if err := db.enter(ctx); err != nil {
		return nil, err
	}
	defer db.calls.Leave()
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
