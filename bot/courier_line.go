package bot

import (
	"cmp"
	"container/heap"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/storage"
)

// line is what waits for one platform: rooms of which something may be said now, the
// most urgent first, and others by when they are looked at again. A room in which
// something is being said stands in neither.
type line struct {
	platform string
	outlet   Outlet
	ready    queue
	asleep   queue
	busy     int // how many things are being said
}

// atOnce is how many things are said at the same time on a platform.
const atOnce = 32

func newLine(platform string, outlet Outlet) *line {
	return &line{
		platform: platform, outlet: outlet,
		ready:  queue{before: func(a, b *room) bool { return urgency(&a.reason, &b.reason) < 0 }},
		asleep: queue{before: func(a, b *room) bool { return cmp.Or(a.until.Compare(b.until), cmp.Compare(a.id, b.id)) < 0 }},
	}
}

// room is what waits for one place, by game in order.
type room struct {
	id    storage.PlaceID
	place storage.Address
	line  *line
	games map[storage.GameID][]*letter

	busy   bool          // something is being said
	faults int           // how many things failed in a row
	rest   time.Time     // until when nothing is tried, for that
	next   *letter       // of the most urgent game, nil if none may be said now
	reason storage.Entry // what makes it urgent
	until  time.Time     // when it is looked at again, if it is asleep
	in     *queue        // where it stands, if anywhere
	index  int
}

// letter is an entry that waits or is being said.
type letter struct {
	storage.Entry
	said   bool
	back   bool // at a place that was thought to be gone
	missed bool // it could not be crossed off
}

// job is a letter that is being said.
type job struct {
	*letter
	room  *room
	place storage.Address
	line  *line
	into  *letter // which shall tell it too, nil if it is said by itself
}

// take finds something that may be said now, or says when to look again: the zero
// time if only news can change anything.
func (c *Courier) take() (*job, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	if len(c.unwritten) > 0 || c.trying {
		return c.takeUnwritten(now)
	}
	var next time.Time
	for _, l := range c.lines {
		j, at := c.takeFrom(l, now)
		if j != nil {
			return j, now
		}
		if next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return nil, next
}

// takeUnwritten finds something that can only be crossed off.
func (c *Courier) takeUnwritten(now time.Time) (*job, time.Time) {
	switch {
	case c.trying:
		return nil, time.Time{} // what becomes of it is news
	case c.resting.After(now):
		return nil, c.resting
	}
	j := c.unwritten[0]
	c.unwritten, c.trying = c.unwritten[1:], true
	return j, now
}

func (c *Courier) takeFrom(l *line, now time.Time) (*job, time.Time) {
	if l.busy >= atOnce || l.ready.Len()+l.asleep.Len() == 0 {
		return nil, time.Time{}
	}
	if until := c.held[storage.Address{Platform: l.platform}]; until.After(now) {
		return nil, until
	}
	for l.asleep.Len() > 0 && !l.asleep.rooms[0].until.After(now) {
		c.settle(l.asleep.rooms[0], now)
	}
	for l.ready.Len() > 0 {
		in := l.ready.rooms[0]
		if c.settle(in, now); in.in != &l.ready {
			continue
		}
		into := in.overtaker()
		if into == nil {
			wait, everywhere := c.budget.allow(now, in.place, l.outlet.Limits(in.place))
			switch {
			case wait > 0 && everywhere:
				return nil, now.Add(wait)
			case wait > 0:
				in.sleep(now.Add(wait))
				continue
			}
		}
		in.leave()
		in.busy = true
		l.busy++
		return &job{in.next, in, in.place, l, into}, now
	}
	if l.asleep.Len() == 0 {
		return nil, time.Time{}
	}
	return nil, l.asleep.rooms[0].until
}

// settle puts a room where it belongs now, and forgets an empty one.
func (c *Courier) settle(in *room, now time.Time) {
	in.leave()
	switch {
	case in.busy:
		return
	case len(in.games) == 0:
		delete(c.rooms, in.id)
		return
	}
	at := latest(in.choose(now), latest(in.rest, c.heldUntil(in.place)))
	if at.After(now) {
		in.sleep(at)
		return
	}
	in.line.ready.add(in)
}

// choose finds the most urgent game of a room among those of which something may be
// said now, and returns when there is one. A game is as urgent as the most urgent
// thing that is to be said of it: what comes before has to be said first.
func (in *room) choose(now time.Time) (at time.Time) {
	in.next = nil
	for _, letters := range in.games {
		first := letters[0]
		if first.Next.After(now) {
			if in.next == nil && (at.IsZero() || first.Next.Before(at)) {
				at = first.Next
			}
			continue
		}
		most := slices.MinFunc(letters, func(a, b *letter) int { return urgency(&a.Entry, &b.Entry) })
		if in.next == nil || urgency(&most.Entry, &in.reason) < 0 {
			in.next, in.reason = first, most.Entry
		}
	}
	if in.next != nil {
		return time.Time{}
	}
	return at
}

// urgency compares entries by when they are wanted, and older before newer.
func urgency(a, b *storage.Entry) int {
	return cmp.Or(wanted(a).Compare(wanted(b)), cmp.Compare(a.ID, b.ID))
}

// How long it is well that something waits where not all can be said at once: a turn a
// second for each day that is left, and turnWaits at most.
const (
	turnWaits = 14 * time.Second
	callWaits = 6 * time.Second  // what asks somebody to act who has no deadline for it
	newsWaits = 20 * time.Second // what asks nobody
)

// wanted is by when an entry should be said. It stays the same while the entry waits, so
// that what is more urgent passes it for a few seconds, and not for ever.
func wanted(e *storage.Entry) time.Time {
	const perDay = 24 * time.Hour / time.Second
	switch {
	case !calls(e):
		return e.At.Add(newsWaits)
	case e.Due.IsZero():
		return e.At.Add(callWaits)
	}
	return e.At.Add(min(max(e.Due.Sub(e.At)/perDay, 0), turnWaits))
}

// calls reports whether an entry asks somebody to act.
func calls(e *storage.Entry) bool {
	switch inbox.What(e.Kind) {
	case inbox.Began, inbox.Moved, inbox.TookBack, inbox.Reminded, inbox.TimeUp, inbox.Challenged, inbox.DrawOffered, inbox.TakebackAsked:
		return true
	default:
		return false
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// put lets a letter wait again, as the next of its game.
func (c *Courier) put(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done(j)
}

// drop goes on with the next letter of a game.
func (c *Courier) drop(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	games := j.room.games
	if games[j.Game] = games[j.Game][1:]; len(games[j.Game]) == 0 {
		delete(games, j.Game)
	}
	c.done(j)
}

func (c *Courier) done(j *job) {
	j.room.busy = false
	j.line.busy--
	c.settle(j.room, c.now())
}

func (in *room) sleep(until time.Time) {
	in.leave()
	in.until = until
	in.line.asleep.add(in)
}

func (in *room) leave() {
	if in.in != nil {
		heap.Remove(in.in, in.index)
	}
}

// queue is a heap of rooms that know where in it they stand.
type queue struct {
	rooms  []*room
	before func(a, b *room) bool
}

func (q *queue) add(in *room) { heap.Push(q, in) }

// Len implements [heap.Interface].
func (q *queue) Len() int { return len(q.rooms) }

// Less implements [heap.Interface].
func (q *queue) Less(i, j int) bool { return q.before(q.rooms[i], q.rooms[j]) }

// Swap implements [heap.Interface].
func (q *queue) Swap(i, j int) {
	q.rooms[i], q.rooms[j] = q.rooms[j], q.rooms[i]
	q.rooms[i].index, q.rooms[j].index = i, j
}

// Push implements [heap.Interface].
func (q *queue) Push(x any) {
	in := x.(*room)
	in.in, in.index = q, len(q.rooms)
	q.rooms = append(q.rooms, in)
}

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := len(q.rooms) - 1
	in := q.rooms[last]
	q.rooms[last] = nil
	q.rooms = q.rooms[:last]
	in.in = nil
	return in
}
