package outbox

import (
	"sync"
	"time"
)

// courtesy is how long others wait at most for who is being answered.
const courtesy = 2 * time.Millisecond

// answers are those that are under way to who has asked for something.
type answers struct {
	mu    sync.Mutex
	count int
	none  chan struct{} // closed once there are none any more; nil if nobody waits for that
}

// Answering notes that a request is being carried out of which others will hear. To draw what they
// hear takes a core, so that waits for a moment until answered is called, as it must be once the
// asker has the answer.
func (o *Outbox) Answering() (answered func()) {
	a := &o.answers
	a.mu.Lock()
	a.count++
	a.mu.Unlock()
	return sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.count--; a.count == 0 && a.none != nil {
			close(a.none)
			a.none = nil
		}
	})
}

// first lets answers go first, for a moment.
func (a *answers) first() {
	a.mu.Lock()
	if a.count == 0 {
		a.mu.Unlock()
		return
	}
	if a.none == nil {
		a.none = make(chan struct{})
	}
	none := a.none
	a.mu.Unlock()
	select {
	case <-none:
	case <-time.After(courtesy):
	}
}
