package discord

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// contact knows whether the bot is connected to Discord, with all shards of this process. The zero
// contact is not.
type contact struct {
	mu   sync.Mutex
	down map[int]string // why shards are not connected, by their numbers; nil before any could
}

// begin makes a contact without shards.
func (c *contact) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = map[int]string{}
}

// joined notes that a shard is connected, and reports whether it was not before.
func (c *contact) joined(shard int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, was := c.down[shard]
	delete(c.down, shard)
	return was
}

// cut notes that a shard is connected no longer, and why.
func (c *contact) cut(shard int, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down[shard] = why
}

// Connected says why the bot is not connected to Discord; nil if all shards of this process are.
func (a *Adapter) Connected() error {
	c := &a.contact
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.down == nil:
		return errors.New("discord: not reached yet")
	case len(c.down) == 0:
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(c.down)))
	return fmt.Errorf("discord: shard %d: %s", first, c.down[first])
}
