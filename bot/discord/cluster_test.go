package discord

import (
	"context"
	"maps"
	"sync"
	"testing"

	"chimera/bot/discord/gateway"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// cluster is a database that several processes have open at once.
type cluster struct {
	db      kv.DB
	mu      sync.Mutex
	holders map[string]*handle // by role
	changed chan struct{}      // closed when a role is free again
}

func newCluster() *cluster {
	return &cluster{db: (&kvtest.Disk{}).Open("db"), holders: map[string]*handle{}, changed: make(chan struct{})}
}

// handle is what one process has open.
type handle struct {
	cluster *cluster
	over    chan struct{} // closed when its claim is over
	once    sync.Once
}

func (c *cluster) open() *handle { return &handle{cluster: c, over: make(chan struct{})} }

func (h *handle) View(ctx context.Context, fn func(kv.Reader) error) error {
	if h.Held(ctx) != nil {
		return kv.ErrLost
	}
	return h.cluster.db.View(ctx, fn)
}

func (h *handle) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return h.cluster.db.Update(ctx, func(w kv.Writer) error {
		if h.Held(context.WithoutCancel(ctx)) != nil {
			return kv.ErrLost
		}
		return fn(w)
	})
}

// Close ends the claim, as killing the process does.
func (h *handle) Close() error {
	h.once.Do(func() {
		close(h.over)
		h.free(func(_ string, by *handle) bool { return by == h })
	})
	return nil
}

func (h *handle) Hold(ctx context.Context, role string) (leave func(context.Context) error, err error) {
	c := h.cluster
	for {
		c.mu.Lock()
		by, changed := c.holders[role], c.changed
		if by == nil && h.Held(ctx) == nil {
			c.holders[role], by = h, h
		}
		c.mu.Unlock()
		if by == h {
			return func(context.Context) error {
				h.free(func(r string, by *handle) bool { return r == role && by == h })
				return nil
			}, nil
		}
		select {
		case <-changed:
		case <-h.over:
			return nil, kv.ErrLost
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (h *handle) free(which func(string, *handle) bool) {
	h.cluster.mu.Lock()
	defer h.cluster.mu.Unlock()
	maps.DeleteFunc(h.cluster.holders, which)
	close(h.cluster.changed)
	h.cluster.changed = make(chan struct{})
}

func (h *handle) Held(ctx context.Context) error {
	select {
	case <-h.over:
		return kv.ErrLost
	default:
		return ctx.Err()
	}
}

func (h *handle) Lost() <-chan struct{} { return h.over }

// holds lets a handle hold a role.
func (h *handle) holds(t *testing.T, role string) (leave func()) {
	t.Helper()
	left, err := h.Hold(t.Context(), role)
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = left(t.Context()) }
}

func TestAShardIsOneProcesssAtATime(t *testing.T) {
	f, c := newFake(t), newCluster()
	f.Shards = 2
	leave := c.open().holds(t, "discord/shard/1/2")
	l := liveOn(t, f, c.open())
	l.Ready()
	l.untilConnected("")
	l.Lock()
	if len(f.Identified) != 1 {
		t.Errorf("%d sessions have begun", len(f.Identified))
	}
	l.Unlock()
	leave()
	l.Wait("the other shard", func() bool { return len(f.Identified) == 2 })
}

func TestAllProcessesHaveAsManyShardsAsOneWasToldToHave(t *testing.T) {
	f, c := newFake(t), newCluster()
	f.First = func(bool) bool {
		if f.Shards == 0 {
			f.Shards = 2
			f.Shut(gateway.Sharding)
			return false
		}
		return true
	}
	waiting := liveOn(t, f, c.open())
	waiting.Wait("three sessions", func() bool { return len(f.Identified) == 3 })
	f.Lock()
	f.Shards = 3 // of late, and two are enough
	f.Unlock()
	other := liveOn(t, f, c.open())
	if err := waiting.stop(); err != nil {
		t.Log(err)
	}
	other.Wait("its sessions", func() bool { return len(f.Identified)+f.Resumed == 5 })
	if n := other.chat.agreed(t.Context()); n != 2 {
		t.Errorf("%d shards are agreed", n)
	}
}
