package outbox

import (
	"maps"
	"slices"
	"time"

	"golang.org/x/time/rate"

	"chimera/storage"
)

// Limit is how often something may be said.
type Limit struct {
	Name       string        // what shares it, such as a room with all its threads
	Every      time.Duration // one message in so long
	Burst      int           // after a pause, so many at once
	Everywhere bool          // all of the platform shares it
	Answers    bool          // only what is said at once takes from it
}

// Take takes a message that is said at once from the budget of its place, and says
// how long to wait before it is said.
func (o *Outbox) Take(at storage.Address) time.Duration {
	return o.takeWithin(at, func(Limit) bool { return true })
}

// TakeChange is Take for the change of a message that was said before.
func (o *Outbox) TakeChange(at storage.Address) time.Duration {
	return o.takeWithin(at, func(l Limit) bool { return !l.Answers })
}

// takeWithin is Take, where only some of the limits hold.
func (o *Outbox) takeWithin(at storage.Address, holds func(Limit) bool) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	on := o.platforms[at.Platform]
	if on == nil {
		return 0
	}
	now := o.now()
	limits := slices.DeleteFunc(slices.Clone(on.sender.Limits(at)), func(l Limit) bool { return !holds(l) })
	return max(o.budget.reserve(now, at, limits), o.heldUntil(at).Sub(now), 0)
}

// Spare takes a message from the budget of its place if that is left over: nothing waits to
// be said there, and it may be said now. Otherwise it says when to ask again.
func (o *Outbox) Spare(at storage.Address) time.Duration {
	const rarely = 5 * time.Second
	o.mu.Lock()
	defer o.mu.Unlock()
	on := o.platforms[at.Platform]
	if on == nil {
		return 0
	}
	now := o.now()
	if wait := o.heldUntil(at).Sub(now); wait > 0 {
		return wait
	}
	limits, shared := on.sender.Limits(at), o.shared(at)
	for _, other := range o.places {
		if other.on == on && len(limits) > 0 && o.shared(other.address) == shared {
			return rarely
		}
	}
	wait, _ := o.budget.allow(now, at, limits)
	return wait
}

// Held is how long a place still wants to hear nothing.
func (o *Outbox) Held(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.heldUntil(at).Sub(o.now()), 0)
}

// Hold lets everything wait that the platform has asked to wait when something was
// said at a place. The outbox does so itself for what it says.
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
	if on := o.platforms[at.Platform]; on != nil {
		for _, l := range on.sender.Limits(at) {
			if !l.Everywhere && !l.Answers {
				at.ID = l.Name
				break
			}
		}
	}
	return at
}

// budget keeps the limits of everything that is said. Its owner locks it.
type budget struct {
	limiters map[string]*rate.Limiter
	swept    time.Time
}

func (b *budget) limiter(platform string, l Limit) *rate.Limiter {
	name := platform + " " + l.Name
	found := b.limiters[name]
	if found == nil {
		found = rate.NewLimiter(rate.Every(l.Every), l.Burst)
		b.limiters[name] = found
	}
	return found
}

// allow takes one message from all limits of a place, or says how long to wait, and
// whether nothing may be said anywhere until then.
func (b *budget) allow(now time.Time, place storage.Address, limits []Limit) (wait time.Duration, everywhere bool) {
	b.sweep(now)
	var here time.Duration
	limits = slices.DeleteFunc(slices.Clone(limits), func(l Limit) bool { return l.Answers })
	for _, l := range limits {
		missing := 1 - b.limiter(place.Platform, l).TokensAt(now)
		if missing <= 0 {
			continue
		}
		until := time.Duration(missing*float64(l.Every)) + time.Millisecond
		if l.Everywhere {
			wait, everywhere = max(wait, until), true
		} else {
			here = max(here, until)
		}
	}
	switch {
	case everywhere:
		return wait, true
	case here > 0:
		return here, false
	}
	for _, l := range limits {
		b.limiter(place.Platform, l).AllowN(now, 1)
	}
	return 0, false
}

// reserve takes one message from all limits of a place before any that waits, and
// says how long to wait until it may be said.
func (b *budget) reserve(now time.Time, place storage.Address, limits []Limit) (wait time.Duration) {
	b.sweep(now)
	for _, l := range limits {
		wait = max(wait, b.limiter(place.Platform, l).ReserveN(now, 1).DelayFrom(now))
	}
	return wait
}

// sweep forgets limits that are as good as new, now and then.
func (b *budget) sweep(now time.Time) {
	const often = 10 * time.Minute
	if now.Sub(b.swept) < often {
		return
	}
	b.swept = now
	for name, l := range b.limiters {
		if l.TokensAt(now) >= float64(l.Burst()) {
			delete(b.limiters, name)
		}
	}
}
