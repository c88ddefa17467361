package etcd

import (
	"context"
	"strings"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// pause is how long something is waited with that has just failed.
const pause = 50 * time.Millisecond

// follow keeps the cache up to date.
func (db *DB) follow(ctx context.Context) {
	for from := db.cache.began; ctx.Err() == nil; {
		err := db.watch(ctx, &from)
		if compacted(err) && db.refresh(ctx) == nil {
			_, from = db.cache.snapshot()
			db.tell(nil)
			continue
		}
		rest(ctx)
	}
}

// watch takes over what changes after a revision, until it cannot go on.
func (db *DB) watch(ctx context.Context, from *int64) error {
	ctx, cancel := context.WithCancel(clientv3.WithRequireLeader(ctx))
	defer cancel()
	for news := range db.client.Watch(ctx, string(db.layout), clientv3.WithPrefix(), clientv3.WithRev(*from+1)) {
		if err := news.Err(); err != nil {
			return err
		}
		if len(news.Events) == 0 {
			continue
		}
		changes := make([]change, len(news.Events))
		for i, event := range news.Events {
			changes[i] = change{item{key: string(event.Kv.Key)}, event.Kv.ModRevision}
			if event.Type == mvccpb.PUT {
				changes[i].entry = asEntry(event.Kv)
			}
		}
		*from = changes[len(changes)-1].at
		db.cache.apply(*from, changes)
		if others := db.ofOthers(changes); len(others) > 0 {
			db.tell(others)
		}
	}
	return nil
}

// Watch implements kv.Watcher.
func (db *DB) Watch(heard func(keys [][]byte)) { db.heard.Store(&heard) }

func (db *DB) tell(keys [][]byte) {
	if heard := db.heard.Load(); heard != nil {
		(*heard)(keys)
	}
}

// ofOthers are the keys that commits of other handles have changed.
func (db *DB) ofOthers(changes []change) (keys [][]byte) {
	own := map[int64]bool{}
	for _, c := range changes {
		if c.key == db.layout.commit() && string(c.value) == db.session.id {
			own[c.at] = true
		}
	}
	for _, c := range changes {
		if !own[c.at] && strings.HasPrefix(c.key, db.layout.data(nil)) {
			keys = append(keys, db.layout.key(c.key))
		}
	}
	return keys
}

// refresh begins the cache anew.
func (db *DB) refresh(ctx context.Context) error {
	start, end := db.layout.meta()
	got, err := db.client.Get(ctx, start, clientv3.WithRange(end))
	if err != nil {
		return err
	}
	db.cache.begin(got.Header.Revision, asItems(got.Kvs))
	return nil
}

func asEntry(pair *mvccpb.KeyValue) entry {
	value := pair.Value
	if value == nil {
		value = []byte{}
	}
	return entry{value, pair.ModRevision}
}

func asItems(pairs []*mvccpb.KeyValue) []item {
	items := make([]item, len(pairs))
	for i, pair := range pairs {
		items[i] = item{string(pair.Key), asEntry(pair)}
	}
	return items
}

// rest waits for a pause.
func rest(ctx context.Context) {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
