package outbox

import (
	"maps"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chimera/storage"
)

// Limit is how often something may be said.
type Limit struct {
	Name       string        // what shares it, such as a room with all its threads
	Every      time.Duration // how long after one message the next may follow
	Burst      int           // how many at once after a pause
	Everywhere bool          // all of the platform shares it
	Answers    bool          // only answers take from it, and nothing else
}

// Line takes a place in the line of answers at a place and on its platform, and says how long it is
// until its turn. However many wait there, they take no more than their part from what else is to be
// said, and what is costly to make is made after its turn.
func (o *Outbox) Line(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.spend(o.now(), at, true, true))
}

// Take takes a message that is said at once from the budget of its place, an answer when it is its
// turn, and says how long to wait before it is said.
func (o *Outbox) Take(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	here, everywhere := o.spend(now, at, false, true)
	return max(here, everywhere, o.heldUntil(at).Sub(now))
}

// Spare takes a message from the budget of its place if that is left over: nothing waits to
// be said there, and half of each limit is left for what may come. Otherwise it says when to ask again.
func (o *Outbox) Spare(at storage.Address) time.Duration {
	const rarely = 5 * time.Second
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	wait, limits := o.heldUntil(at).Sub(now), o.limits(at)
	for _, l := range limits {
		missing := min(float64(l.Burst), float64(l.Burst)/2+1) - o.limiter(at.Platform, l).TokensAt(now)
		switch {
		case l.Answers || missing <= 0:
		case l.Everywhere: // as for many others that ask
			wait = max(wait, rarely)
		default:
			wait = max(wait, time.Duration(missing*float64(l.Every))+time.Millisecond)
		}
	}
	if wait > 0 {
		return wait
	}
	if shared := o.shared(at); len(limits) > 0 {
		for _, other := range o.places {
			if o.shared(other.address) == shared {
				return rarely
			}
		}
	}
	return max(o.spend(now, at, false, false))
}

// Held is how long a place still wants to hear nothing.
func (o *Outbox) Held(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.heldUntil(at).Sub(o.now()), 0)
}

// Hold makes a place wait, or its whole platform, as the platform asked when something was said
// there. The outbox does so itself for what it says.
func (o *Outbox) Hold(at storage.Address, l *Later) {
	const least = time.Second / 10
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	maps.DeleteFunc(o.held, func(_ storage.Address, until time.Time) bool { return !until.After(now) })
	if at = o.shared(at); l.Everywhere {
		at.ID = ""
	}
	o.held[at] = latest(o.held[at], now.Add(max(l.After, least)))
}

// heldUntil is until when a place wants to hear nothing.
func (o *Outbox) heldUntil(at storage.Address) time.Time {
	if len(o.held) == 0 {
		return time.Time{}
	}
	return latest(o.held[o.shared(at)], o.held[storage.Address{Platform: at.Platform}])
}

// shared is a place with the name of its own limit as its ID, if it has one: what shares
// that is asked to wait together.
func (o *Outbox) shared(at storage.Address) storage.Address {
	for _, l := range o.limits(at) {
		if !l.Everywhere && !l.Answers {
			at.ID = l.Name
			break
		}
	}
	return at
}

func (o *Outbox) limits(at storage.Address) []Limit {
	if on := o.platforms[at.Platform]; on != nil {
		return on.sender.Limits(at)
	}
	return nil
}

// spend takes one message from the limits of a place, those that everything takes from or those for
// answers. Where one has nothing left it takes nothing, unless the message goes before all that
// waits, and says how long to wait for the place, and until anything may be said anywhere.
func (o *Outbox) spend(now time.Time, at storage.Address, answers, first bool) (here, everywhere time.Duration) {
	o.sweep(now)
	var takes [4]*rate.Limiter
	from := takes[:0]
	for _, l := range o.limits(at) {
		if l.Answers != answers {
			continue
		}
		limiter := o.limiter(at.Platform, l)
		from = append(from, limiter)
		missing := 1 - limiter.TokensAt(now)
		if missing <= 0 {
			continue
		}
		wait := &here
		if l.Everywhere {
			wait = &everywhere
		}
		*wait = max(*wait, time.Duration(missing*float64(l.Every))+time.Millisecond)
	}
	if here+everywhere == 0 || first {
		for _, limiter := range from {
			limiter.ReserveN(now, 1)
		}
	}
	return here, everywhere
}

// sweep forgets limits that are as good as new, now and then.
func (o *Outbox) sweep(now time.Time) {
	const often = 10 * time.Minute
	if now.Sub(o.swept) >= often {
		o.swept = now
		maps.DeleteFunc(o.limiters, func(_ storage.Address, l *rate.Limiter) bool { return l.TokensAt(now) >= float64(l.Burst()) })
	}
}

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
