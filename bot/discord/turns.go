package discord

import (
	"container/heap"
	"context"
	"strconv"
	"sync"
)

// turns lets what was missed in different channels be handled in the order in which it was
// written: each channel is at a message, behind which nothing older comes, and the oldest
// of these is handled next.
type turns struct {
	mu      sync.Mutex
	waiting oldest
}

// turn is how far what was missed in a channel is handled. A nil one waits for nobody.
type turn struct {
	turns *turns
	at    uint64
	come  chan struct{} // closed when the message has its turn; nil if nobody waits for that
	index int           // in the heap, or -1
}

// join adds a channel that is at a message.
func (t *turns) join(at string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &turn{turns: t, at: snowflake(at)}
	heap.Push(&t.waiting, r)
	return r
}

// wait goes on to a message, and waits until that is the oldest.
func (r *turn) wait(over <-chan struct{}, at string) error {
	if r == nil {
		return nil
	}
	come := make(chan struct{})
	r.turns.mu.Lock()
	if r.index < 0 {
		r.turns.mu.Unlock()
		return nil
	}
	r.at, r.come = snowflake(at), come
	heap.Fix(&r.turns.waiting, r.index)
	r.turns.next()
	r.turns.mu.Unlock()
	select {
	case <-over:
		return context.Canceled
	case <-come:
		return nil
	}
}

// leave lets the others go on. It may be called again.
func (r *turn) leave() {
	if r == nil {
		return
	}
	r.turns.mu.Lock()
	defer r.turns.mu.Unlock()
	if r.index >= 0 {
		heap.Remove(&r.turns.waiting, r.index)
		r.turns.next()
	}
}

// next lets the oldest message be handled, if its channel has come so far.
func (t *turns) next() {
	if len(t.waiting) > 0 && t.waiting[0].come != nil {
		close(t.waiting[0].come)
		t.waiting[0].come = nil
	}
}

// snowflake is the number of an id, 0 if it is none.
func snowflake(id string) uint64 {
	n, _ := strconv.ParseUint(id, 10, 64)
	return n
}

// oldest is a heap of turns, the oldest message first.
type oldest []*turn

func (h oldest) Len() int           { return len(h) }
func (h oldest) Less(i, j int) bool { return h[i].at < h[j].at }

func (h oldest) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements [heap.Interface].
func (h *oldest) Push(x any) {
	r := x.(*turn)
	r.index = len(*h)
	*h = append(*h, r)
}

// Pop implements [heap.Interface].
func (h *oldest) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	r.index = -1
	return r
}
