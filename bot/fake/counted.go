package fake

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"chimera/storage/kv"
)

// Counted is an engine that counts what is committed: transactions that have written
// something. It is safe for concurrent use.
type Counted struct {
	kv.DB
	Commits  atomic.Int64
	Memories atomic.Int64 // those Commits that wrote only what adapters remember
	Stays    bool         // Close does nothing, so that another store can use it
}

// Close implements [kv.DB].
func (c *Counted) Close() error {
	if c.Stays {
		return nil
	}
	return c.DB.Close()
}

// Update implements [kv.DB].
func (c *Counted) Update(ctx context.Context, fn func(kv.Writer) error) error {
	var w *noticing
	err := c.DB.Update(ctx, func(inner kv.Writer) error {
		w = &noticing{Writer: inner}
		return fn(w)
	})
	if err == nil && w.wrote {
		c.Commits.Add(1)
		if !w.more {
			c.Memories.Add(1)
		}
	}
	return err
}

// noticing is a Writer that notices what is written.
type noticing struct {
	kv.Writer
	wrote, more bool // something was written, and something besides what adapters remember
}

func (n *noticing) notice(key []byte) {
	n.wrote, n.more = true, n.more || !bytes.HasPrefix(key, []byte("memory/"))
}

// Put implements [kv.Writer].
func (n *noticing) Put(key, value []byte) error {
	n.notice(key)
	return n.Writer.Put(key, value)
}

// Delete implements [kv.Writer].
func (n *noticing) Delete(key []byte) error {
	n.notice(key)
	return n.Writer.Delete(key)
}

// Costs fails unless each of the moves has cost two commits since commits and memories were read,
// and fewer than one for what adapters remember.
func (c *Counted) Costs(t testing.TB, moves int, commits, memories int64) {
	t.Helper()
	commits, memories = c.Commits.Load()-commits, c.Memories.Load()-memories
	if commits-memories != int64(2*moves) || memories >= int64(moves) {
		t.Errorf("%d moves cost %d commits, %d of them of what the adapter remembers alone", moves, commits, memories)
	}
}
