// Package crew does things side by side, in goroutines that are used again: each new one would have to
// grow its stack step by step, which for a message takes as long as all that is stored of it.
package crew

import "sync"

// Crew is goroutines that do what they are given. The zero Crew is ready; it is safe for concurrent use.
type Crew struct {
	busy sync.WaitGroup
	mu   sync.Mutex
	idle []chan func() // to those that have nothing to do, the last one first
}

// most is how many wait for something to do.
const most = 64

// Go does something, beside whatever else is being done.
func (c *Crew) Go(do func()) {
	c.busy.Add(1)
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := len(c.idle) - 1; last >= 0 {
		c.idle[last] <- do
		c.idle = c.idle[:last]
		return
	}
	given := make(chan func(), 1)
	given <- do
	go c.work(given)
}

func (c *Crew) work(given chan func()) {
	for do := range given {
		do()
		c.mu.Lock()
		stays := len(c.idle) < most
		if stays {
			c.idle = append(c.idle, given)
		}
		c.mu.Unlock()
		c.busy.Done()
		if !stays {
			return
		}
	}
}

// Wait waits until all is done, and lets the goroutines end.
func (c *Crew) Wait() {
	c.busy.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, given := range c.idle {
		close(given)
	}
	c.idle = nil
}
