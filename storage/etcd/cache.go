package etcd

import (
	"context"
	"sync"

	"chimera/storage/kv"
)

const (
	cacheSize  = 64 << 20 // bytes; when there is more, all is forgotten
	cacheTrail = 1 << 14  // changes that are remembered, for what is read meanwhile
)

// A cache is what a handle knows of the database, which a watch keeps as of the newest revision.
type cache struct {
	layout layout
	id     string // of the handle
	over   <-chan struct{}

	mu    sync.Mutex
	known known
	size  int
	rev   int64
	trail []change // all of those after began, in order
	began int64
	other int64         // when another handle was last seen to commit
	moved chan struct{} // closed when anything is newer
}

func newCache(l layout, id string, over <-chan struct{}) *cache {
	return &cache{layout: l, id: id, over: over, known: nothing(), moved: make(chan struct{})}
}

// begin forgets all but what holds processes apart, which is as of a revision.
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

// apply takes changes over up to a revision, in their order.
func (c *cache) apply(rev int64, changes []change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, change := range changes {
		c.size += c.known.apply(change)
		if change.key == c.layout.commit() && string(change.value) != c.id {
			c.other = change.at
		}
	}
	if c.trail = append(c.trail, changes...); len(c.trail) > 2*cacheTrail {
		gone := len(c.trail) - cacheTrail
		for gone < len(c.trail) && c.trail[gone].at == c.trail[gone-1].at {
			gone++ // a revision is remembered whole or not at all
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

// current says that a cache which has come to the revision of the last commit is as of a later
// one too, at which nobody else had committed: it must not fall behind what etcd keeps.
func (c *cache) current(commit, rev int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.rev >= commit {
		c.rev = max(c.rev, rev)
	}
}

// learn takes over what was read at a revision, unless what has changed since is not remembered.
func (c *cache) learn(rev int64, start, end string, items []item) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if rev < c.began || rev > c.rev || c.size > cacheSize {
		return
	}
	c.size += c.known.learn(start, end, items)
	for _, change := range since(c.trail, rev) {
		if start <= change.key && change.key < end {
			c.size += c.known.apply(change)
		}
	}
}

// otherCommit is when another handle was last seen to commit.
func (c *cache) otherCommit() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.other
}

// snapshot is what is known now, and as of which revision.
func (c *cache) snapshot() (known, int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.known.fork(), c.rev
}

// await waits until something holds of what is known.
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
		case <-c.over:
			return kv.ErrLost
		}
	}
}

// reach waits until the cache is as of a revision.
func (c *cache) reach(ctx context.Context, rev int64) error {
	return c.await(ctx, func(_ known, now int64) bool { return now >= rev })
}
