package outbox

import (
	"sync"
	"time"
)

// How long others wait at most for whoever is being answered, and how often they look.
const (
	courtesy = 2 * time.Millisecond
	glance   = courtesy / 10
)

// Answering notes that a request is being carried out of which others will hear. To draw what they
// hear takes a core, so that waits for a moment until answered is called, as it must be once the
// asker has the answer.
func (o *Outbox) Answering() (answered func()) {
	o.answering.Add(1)
	return sync.OnceFunc(func() { o.answering.Add(-1) })
}

// giveWay lets answers go first, for a moment.
func (o *Outbox) giveWay() {
	for waited := time.Duration(0); waited < courtesy && o.answering.Load() > 0; waited += glance {
		time.Sleep(glance)
	}
}
