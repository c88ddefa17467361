package outbox

import (
	"context"
	"maps"
	"sync"

	"golang.org/x/time/rate"

	"chimera/storage"
)

// Turn waits until it is this process that says what waits for a platform, from then on to its
// end. after reports whether another did so until then.
type Turn func(ctx context.Context, platform string) (after bool, err error)

// StandBy lets Run say what waits for a platform only from its turn on. It is called before Run.
func (o *Outbox) StandBy(turn Turn) {
	o.turn = turn
	for _, on := range o.order {
		on.ours.Store(false)
	}
}

// await waits for the turns that are not there yet, until the context is done.
func (o *Outbox) await(ctx context.Context, turns *sync.WaitGroup) {
	if o.turn == nil {
		return
	}
	for _, on := range o.order {
		turns.Go(func() {
			if after, err := o.turn(ctx, on.name); err == nil {
				o.begin(on, after)
			}
		})
	}
}

// begin lets this process say what waits for a platform, all of which is read anew. Nobody knows what
// another process has just used of the limits: of each that allows several messages at once, one is
// taken to be left. With none, a place with a slow limit would hear nothing for as long as one
// process takes over from another sooner than that.
func (o *Outbox) begin(on *platform, after bool) {
	o.mu.Lock()
	o.unread = true
	on.ours.Store(true)
	if after {
		on.since = o.now()
		maps.DeleteFunc(o.limiters, func(limit storage.Address, _ *rate.Limiter) bool { return limit.Platform == on.name })
	}
	o.mu.Unlock()
	o.look()
}

// limiter is what is left of a limit.
func (o *Outbox) limiter(platform string, l Limit) *rate.Limiter {
	name := storage.Address{Platform: platform, ID: l.Name}
	found := o.limiters[name]
	if found == nil {
		found = rate.NewLimiter(rate.Every(l.Every), l.Burst)
		if since := o.platforms[platform].since; !since.IsZero() && !l.Answers {
			found.ReserveN(since, max(l.Burst-1, 1))
		}
		o.limiters[name] = found
	}
	return found
}
