package outbox

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/btree"
	"golang.org/x/time/rate"

	"chimera/storage"
)

// platform is what waits for one: places at which something may be said now, the most
// urgent first, and others by when they are looked at again. A place at which something is
// being said stands in neither.
type platform struct {
	name   string
	sender Sender
	ready  *line
	asleep *line
	busy   int // how many things are being said

	ours  atomic.Bool // it is this process that says what waits
	since time.Time   // when another did last, zero if none did
}

// line are places in the order of what makes them stand there.
type line = btree.BTreeG[*place]

// atOnce is how many things are said at the same time on a platform.
const atOnce = 32

// place is what waits for one.
type place struct {
	id      storage.PlaceID
	address storage.Address
	on      *platform
	queues  map[storage.GameID]*queue

	busy   bool      // something is being said
	faults int       // how many things failed in a row
	rest   time.Time // until when nothing is tried, for that
	next   *queue    // of which something may be said first, the most urgent of these
	in     *line     // in which it stands, if in any,
	by     waiting   // by the most urgent thing that may be said, or by when it is looked at again
}

// queue is what waits in one, in order.
type queue struct {
	storage.Queue
	waiting []waiting
	next    time.Time // when the first is tried again
	away    bool      // it waits for somebody to come to the place
}

// waiting is an entry that waits or is being said.
type waiting struct {
	id     uint64
	wanted time.Time
	since  time.Time // when it came into the outbox
}

// urgency compares entries by when they are wanted, and older before newer.
func urgency(a, b waiting) int {
	return cmp.Or(a.wanted.Compare(b.wanted), cmp.Compare(a.id, b.id))
}

// most is the most urgent thing in a queue, which is as urgent as that: what comes before has
// to be said first.
func (q *queue) most() waiting { return slices.MinFunc(q.waiting, urgency) }

// take finds something that may be said now, or was said and is to be written down, or says
// when to look again: the zero time if only news can change anything.
func (o *Outbox) take(ctx context.Context) (*delivery, time.Time, error) {
	if err := o.read(ctx); err != nil {
		return nil, time.Time{}, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	if o.misses > 0 && (len(o.unwritten) == 0 || o.resting.After(now)) {
		return nil, o.resting, nil
	}
	if len(o.unwritten) > 0 {
		d := o.unwritten[0]
		o.unwritten, o.resting = o.unwritten[1:], now.Add(backOff(0, o.misses+1)) // others wait for how it goes
		return d, now, nil
	}
	var next time.Time
	for _, on := range o.order {
		d, at := o.takeFrom(on, now)
		if d != nil {
			return d, now, nil
		}
		if next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return nil, next, nil
}

func (o *Outbox) takeFrom(on *platform, now time.Time) (*delivery, time.Time) {
	if on.busy >= atOnce {
		return nil, time.Time{}
	}
	for at, ok := on.asleep.Min(); ok && !at.by.wanted.After(now); at, ok = on.asleep.Min() {
		o.settle(at, now)
	}
	for at, ok := on.ready.Min(); ok; at, ok = on.ready.Min() {
		if o.settle(at, now); at.in != on.ready {
			continue
		}
		here, everywhere := o.spend(now, at.address, false, false)
		switch {
		case everywhere > 0:
			return nil, now.Add(everywhere)
		case here > 0:
			at.stand(on.asleep, waiting{id: uint64(at.id), wanted: now.Add(here)})
			continue
		}
		at.leave()
		at.busy = true
		on.busy++
		return &delivery{from: at, queue: at.next, first: at.next.waiting[0].id}, now
	}
	if at, ok := on.asleep.Min(); ok {
		return nil, at.by.wanted
	}
	return nil, time.Time{}
}

// settle puts a place where it belongs now, and forgets an empty one.
func (o *Outbox) settle(at *place, now time.Time) {
	at.leave()
	switch {
	case at.busy:
		return
	case len(at.queues) == 0:
		delete(o.places, at.id)
		return
	}
	at.next = nil
	for _, q := range at.queues {
		if at.next == nil || cmp.Or(latest(q.next, now).Compare(latest(at.next.next, now)), urgency(q.most(), at.next.most())) < 0 {
			at.next = q
		}
	}
	until := latest(at.next.next, latest(at.rest, o.heldUntil(at.address)))
	if until.After(now) {
		at.stand(at.on.asleep, waiting{id: uint64(at.id), wanted: until})
		return
	}
	at.stand(at.on.ready, at.next.most())
}

// done goes on at a place after a delivery.
func (o *Outbox) done(d *delivery) {
	q := d.queue
	q.waiting = slices.DeleteFunc(q.waiting, func(w waiting) bool { return w.id <= d.behind })
	q.next, q.away = d.next, d.away > 0
	if q.away && slices.ContainsFunc(q.waiting, func(w waiting) bool { return w.id > d.away }) {
		q.next, q.away = time.Time{}, false // that has come meanwhile
	}
	if len(q.waiting) == 0 {
		delete(d.from.queues, q.Game)
	}
	d.from.busy = false
	d.from.on.busy--
	o.settle(d.from, o.now())
}

func (at *place) stand(in *line, by waiting) {
	at.leave()
	at.in, at.by = in, by
	in.Set(at)
}

func (at *place) leave() {
	if at.in != nil {
		at.in.Delete(at)
		at.in = nil
	}
}

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
