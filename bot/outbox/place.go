package outbox

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidwall/btree"

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
}

// line are places in the order of what makes them stand there: the most urgent thing that
// may be said, or when they are looked at again.
type line = btree.BTreeG[spot]

// spot is where a place stands in a line.
type spot struct {
	waiting
	*place
}

// atOnce is how many things are said at the same time on a platform.
const atOnce = 32

func newPlatform(name string, sender Sender) *platform {
	before := func(a, b spot) bool { return urgency(a.waiting, b.waiting) < 0 }
	alone := btree.Options{NoLocks: true}
	return &platform{name, sender, btree.NewBTreeGOptions(before, alone), btree.NewBTreeGOptions(before, alone), 0}
}

// place is what waits for one.
type place struct {
	id      storage.PlaceID
	address storage.Address
	on      *platform
	queues  map[storage.GameID]*queue

	busy   bool      // something is being said
	faults int       // how many things failed in a row
	rest   time.Time // until when nothing is tried, for that
	next   *queue    // the most urgent, nil if nothing may be said now
	in     *line     // in which it stands, if in any, and where
	spot   spot
}

// queue is what waits in one, in order.
type queue struct {
	storage.Queue
	waiting []waiting
	most    waiting   // the most urgent of these
	tries   int       // how often the first could not be said
	next    time.Time // when that is tried again
}

// waiting is an entry that waits or is being said.
type waiting struct {
	id     uint64
	wanted time.Time
}

// urgency compares entries by when they are wanted, and older before newer.
func urgency(a, b waiting) int {
	return cmp.Or(a.wanted.Compare(b.wanted), cmp.Compare(a.id, b.id))
}

// add lets an entry wait, unless it does.
func (q *queue) add(w waiting) {
	i, known := slices.BinarySearchFunc(q.waiting, w.id, func(w waiting, id uint64) int { return cmp.Compare(w.id, id) })
	if !known {
		q.waiting = slices.Insert(q.waiting, i, w)
		q.most = slices.MinFunc(q.waiting, urgency)
	}
}

// drop lets an entry wait no more, nor any before it.
func (q *queue) drop(id uint64) {
	n := 0
	for n < len(q.waiting) && q.waiting[n].id <= id {
		n++
	}
	q.waiting = q.waiting[n:]
	q.tries, q.next = 0, time.Time{}
	if len(q.waiting) > 0 {
		q.most = slices.MinFunc(q.waiting, urgency)
	}
}

// take finds something that may be said now, or says when to look again: the zero
// time if only news can change anything.
func (o *Outbox) take() (*delivery, time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.misses > 0 {
		return nil, o.resting
	}
	now := o.now()
	var next time.Time
	for _, on := range o.order {
		d, at := o.takeFrom(on, now)
		if d != nil {
			return d, now
		}
		if next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return nil, next
}

func (o *Outbox) takeFrom(on *platform, now time.Time) (*delivery, time.Time) {
	if on.busy >= atOnce || on.ready.Len()+on.asleep.Len() == 0 {
		return nil, time.Time{}
	}
	if until := o.held[storage.Address{Platform: on.name}]; until.After(now) {
		return nil, until
	}
	for first, ok := on.asleep.Min(); ok && !first.wanted.After(now); first, ok = on.asleep.Min() {
		o.settle(first.place, now)
	}
	for first, ok := on.ready.Min(); ok; first, ok = on.ready.Min() {
		at := first.place
		if o.settle(at, now); at.in != on.ready {
			continue
		}
		wait, everywhere := o.budget.allow(now, at.address, on.sender.Limits(at.address))
		switch {
		case wait > 0 && everywhere:
			return nil, now.Add(wait)
		case wait > 0:
			at.stand(on.asleep, waiting{uint64(at.id), now.Add(wait)})
			continue
		}
		at.leave()
		at.busy = true
		on.busy++
		return &delivery{from: at, queue: at.next, head: at.next.waiting[0].id}, now
	}
	first, _ := on.asleep.Min()
	return nil, first.wanted
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
	until := latest(at.choose(now), latest(at.rest, o.heldUntil(at.address)))
	if until.After(now) {
		at.stand(at.on.asleep, waiting{uint64(at.id), until})
		return
	}
	at.stand(at.on.ready, at.next.most)
}

// choose finds the most urgent queue of a place among those of which something may be said
// now, and returns when there is one. A queue is as urgent as the most urgent thing in it:
// what comes before has to be said first.
func (at *place) choose(now time.Time) (until time.Time) {
	at.next = nil
	for _, q := range at.queues {
		switch {
		case !q.next.After(now):
			if at.next == nil || urgency(q.most, at.next.most) < 0 {
				at.next = q
			}
		case until.IsZero() || q.next.Before(until):
			until = q.next
		}
	}
	if at.next != nil {
		return time.Time{}
	}
	return until
}

// done goes on at a place after a delivery, behind an entry; with 0, all wait still.
func (o *Outbox) done(d *delivery, behind uint64) {
	if behind > 0 {
		if d.queue.drop(behind); len(d.queue.waiting) == 0 {
			delete(d.from.queues, d.queue.Game)
		}
	}
	d.from.busy = false
	d.from.on.busy--
	o.settle(d.from, o.now())
}

func (at *place) stand(in *line, by waiting) {
	at.leave()
	at.in, at.spot = in, spot{by, at}
	in.Set(at.spot)
}

func (at *place) leave() {
	if at.in != nil {
		at.in.Delete(at.spot)
		at.in = nil
	}
}
