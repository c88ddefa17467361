package kv

import (
	"context"
	"sync"
)

// A Gate lets calls into an engine until it is closed. The zero Gate is open.
type Gate struct {
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup // added to under mu while not closed
}

// Enter begins a call, unless its context is done, or the Gate is closed.
func (g *Gate) Enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return ErrClosed
	}
	g.inside.Add(1)
	return nil
}

// Leave ends a call.
func (g *Gate) Leave() { g.inside.Done() }

// Shut refuses new calls, and waits until all that were begun have ended.
func (g *Gate) Shut() {
	g.mu.Lock()
	g.closed = true
	g.mu.Unlock()
	g.inside.Wait()
}
