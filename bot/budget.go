package bot

import (
	"slices"
	"time"

	"golang.org/x/time/rate"

	"chimera/storage"
)

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
