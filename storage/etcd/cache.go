package etcd

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/btree"
	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
)

const (
	cacheSize  = 64 << 20 // bytes; beyond this, everything is forgotten
	cacheTrail = 1 << 14  // remembered changes, for reads under way
)

// A cache is the part of the database that a handle knows; a watch keeps it up to date.
type cache struct {
	layout  layout
	session *session // of the handle

	mu    sync.Mutex
	known known
	size  int
	rev   int64
	trail []change // all changes after began, in order
	began int64
	moved chan struct{} // closed when a newer revision is known
}

func newCache(l layout, s *session) *cache {
	return &cache{layout: l, session: s, known: nothing(), moved: make(chan struct{})}
}

// begin restarts the cache at a revision, with only the keys under m/.
func (c *cache) begin(rev int64, meta []item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rev, c.began, c.trail = rev, rev, nil
	c.forget(meta)
	c.wake()
}

func (c *cache) forget(meta []item) {
	c.known = nothing()
	start, end := c.layout.meta()
	c.size = c.known.learn(start, end, meta)
}

func (c *cache) wake() {
	close(c.moved)
	c.moved = make(chan struct{})
}

// apply applies changes in order, up to a revision.
func (c *cache) apply(rev int64, changes []change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, change := range changes {
		c.size += c.known.apply(change)
	}
	if c.trail = append(c.trail, changes...); len(c.trail) > 2*cacheTrail {
		gone := len(c.trail) - cacheTrail
		for gone < len(c.trail) && c.trail[gone].at == c.trail[gone-1].at {
			gone++ // the changes of a revision stay together
		}
		c.began = c.trail[gone-1].at
		c.trail = append([]change(nil), c.trail[gone:]...)
	}
	c.rev = max(c.rev, rev)
	if c.size > cacheSize {
		start, end := c.layout.meta()
		meta, _ := c.known.items(start, end, c.known.entries.Len())
		c.forget(meta)
	}
	c.wake()
}

// current tells a cache that has the last commit that it is valid at a later revision too, since nobody has committed
// in between: it must not fall behind the compaction.
func (c *cache) current(commit, rev int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rev >= commit {
		c.rev = max(c.rev, rev)
	}
}

// learn adds what was read at a revision, unless later changes to it may be forgotten.
func (c *cache) learn(rev int64, start, end string, items []item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if rev < c.began || rev > c.rev || c.size > cacheSize {
		return
	}
	c.size += c.known.learn(start, end, items)
	since, _ := slices.BinarySearchFunc(c.trail, rev+1, func(c change, rev int64) int { return int(c.at - rev) })
	for _, change := range c.trail[since:] {
		if start <= change.key && change.key < end {
			c.size += c.known.apply(change)
		}
	}
}

// snapshot is what is known now, and at which revision.
func (c *cache) snapshot() (known, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.fork(), c.rev
}

// await waits until a condition holds for what is known.
func (c *cache) await(ctx context.Context, holds func(k known, rev int64) bool) error {
	for {
		c.mu.Lock()
		moved, done := c.moved, holds(c.known, c.rev)
		c.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return ctx.Err()
		case <-c.session.lasts.Done():
			return c.session.err()
		}
	}
}

// gone waits until a key is absent.
func (c *cache) gone(ctx context.Context, key string) error {
	return c.await(ctx, func(k known, _ int64) bool {
		e, _ := k.get(key)
		return e.absent()
	})
}

// reach waits until the cache has a revision.
func (c *cache) reach(ctx context.Context, rev int64) error {
	return c.await(ctx, func(_ known, now int64) bool { return now >= rev })
}

// An entry is the value of a key.
type entry struct {
	value []byte // never changed in place
	mod   int64  // the revision that wrote it; 0 if the key is absent
}

func (e entry) absent() bool { return e.mod == 0 }

// known is a part of a database at one revision: the entries of some keys, and the ranges in which no other keys exist.
type known struct {
	entries *btree.Map[string, entry]  // including absent keys outside of the ranges
	ranges  *btree.Map[string, string] // their ends, by their starts; no two touch
}

func nothing() known { return known{new(btree.Map[string, entry]), new(btree.Map[string, string])} }

// fork is a copy that shares what is unchanged.
func (k known) fork() known { return known{k.entries.Copy(), k.ranges.Copy()} }

func (k known) get(key string) (e entry, ok bool) {
	if e, ok = k.entries.Get(key); ok {
		return e, true
	}
	_, ok = k.covered(key)
	return entry{}, ok
}

// missing are the reads for those keys that are not known, at a revision, or the newest for 0.
func (k known) missing(keys []string, rev int64) (ops []clientv3.Op) {
	for _, key := range keys {
		if _, ok := k.get(key); !ok {
			ops = append(ops, clientv3.OpGet(key, clientv3.WithRev(rev)))
		}
	}
	return ops
}

// covered returns the end of the known range around a key.
func (k known) covered(key string) (end string, ok bool) {
	k.ranges.Descend(key, func(_, to string) bool {
		end, ok = to, key < to
		return false
	})
	return end, ok
}

// items are the present entries from start to end, at most limit, and the next key; "" if there is none.
func (k known) items(start, end string, limit int) (all []item, next string) {
	k.entries.Ascend(start, func(key string, e entry) bool {
		switch {
		case key >= end:
			return false
		case e.absent():
			return true
		case len(all) == limit:
			next = key
			return false
		}
		all = append(all, item{key, e})
		return true
	})
	return all, next
}

// An item is an entry and its key.
type item struct {
	key string
	entry
}

// set adds an entry and returns the change of size in bytes.
func (k known) set(key string, e entry) int {
	if was, replaced := k.entries.Set(key, e); replaced {
		return len(e.value) - len(was.value)
	}
	const overhead = 64
	return len(e.value) + len(key) + overhead
}

// learn adds all entries of a range.
func (k known) learn(start, end string, items []item) (more int) {
	for _, i := range items {
		more += k.set(i.key, i.entry)
	}
	k.cover(start, end)
	return more
}

// cover adds a range, joined with those that it touches.
func (k known) cover(start, end string) {
	if start >= end {
		return
	}
	k.ranges.Descend(start, func(from, to string) bool {
		if to >= start {
			start, end = from, max(end, to)
		}
		return false
	})
	var inside []string
	k.ranges.Ascend(start, func(from, to string) bool {
		if from > end {
			return false
		}
		inside, end = append(inside, from), max(end, to)
		return true
	})
	for _, from := range inside {
		k.ranges.Delete(from)
	}
	k.ranges.Set(start, end)
}

// apply applies a change, if its key is known.
func (k known) apply(c change) (more int) {
	if _, ok := k.get(c.key); !ok {
		return 0
	}
	return k.set(c.key, c.entry)
}

// A change is a key's entry at a new revision.
type change struct {
	item
	at int64
}

// pause is the time before something that has failed is tried again.
const pause = 50 * time.Millisecond

// follow keeps the cache up to date.
func (db *DB) follow(ctx context.Context) {
	for from := db.cache.began; ctx.Err() == nil; {
		if err := db.watch(ctx, &from); compacted(err) && db.refresh(ctx) == nil {
			_, from = db.cache.snapshot()
			db.tell(nil)
			continue
		}
		rest(ctx)
	}
}

// watch applies the changes after a revision, until it cannot go on.
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

// ofOthers are the keys changed by commits of other handles.
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

// refresh restarts the cache.
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
	select {
	case <-time.After(pause):
	case <-ctx.Done():
	}
}
