// Package outbox says what waits to be said: in order within a game, the urgent games first,
// and within the limits of the platforms.
//
// # Design
// The entries are in package storage, which reports the queues that something was added to. This
// package only knows what waits where and how urgent it is. It reads an entry again before saying it,
// so that it is told as it is by then, in the order of the database. Once said, an entry is closed in
// one transaction with its receipt: it may be said twice if the program ends in between, and is never
// lost. What could not be said is tried again later; what can never be said is set aside.
//
// Of several processes, one says what waits for a platform, see StandBy. It hears what the others add,
// and begins with everything that waits. Every process gives its own answers, from a budget of its
// own.
//
// At each place one thing is said after the other, so that a slow place holds up no other, and a
// failing one is left alone for longer and longer.
package outbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/btree"
	"golang.org/x/time/rate"

	"chimera/storage"
)

// Outbox says what waits. It is safe for concurrent use.
type Outbox struct {
	store     *storage.Store
	subject   Subject
	now       func() time.Time
	log       *slog.Logger
	platforms map[string]*platform
	order     []*platform                  // by name
	news      *storage.News[storage.Queue] // where something was added
	turn      Turn                         // nil where no other process says anything
	answering atomic.Int32                 // how many requests are being answered

	mu       sync.Mutex
	places   map[storage.PlaceID]*place
	parked   sync.Map                          // the entries that cannot be said before the program is started again
	held     map[storage.Address]time.Time     // until when places with a shared limit, or a platform (no ID), are left alone
	limiters map[storage.Address]*rate.Limiter // of platforms' limits, by their names
	swept    time.Time                         // when unused limits were last forgotten

	unwritten []*delivery // deliveries whose outcomes could not be stored
	misses    int         // how often that has failed in a row; until it succeeds nothing more is said
	resting   time.Time   // when storing is tried again
}

// New makes an Outbox. now is the wall clock; senders are by platform.
func New(store *storage.Store, subject Subject, now func() time.Time, log *slog.Logger, senders map[string]Sender) *Outbox {
	o := &Outbox{
		store: store, subject: subject, now: now, log: log, news: storage.NewNews[storage.Queue](),
		platforms: map[string]*platform{}, places: map[storage.PlaceID]*place{},
		held: map[storage.Address]time.Time{}, limiters: map[storage.Address]*rate.Limiter{},
	}
	before := func(a, b *place) bool { return urgency(a.by, b.by) < 0 }
	alone := btree.Options{NoLocks: true}
	for _, name := range slices.Sorted(maps.Keys(senders)) {
		on := &platform{name: name, sender: senders[name], ready: btree.NewBTreeGOptions(before, alone), asleep: btree.NewBTreeGOptions(before, alone)}
		on.ours.Store(true)
		o.platforms[name], o.order = on, append(o.order, on)
	}
	store.OnPost(o.news.Hear)
	return o
}

// grace is how long deliveries may take to finish once the program ends.
const grace = 5 * time.Second

// Run delivers until the context is done, and returns once all deliveries have ended, soon after at
// the latest. The error is the context's.
func (o *Outbox) Run(ctx context.Context) error {
	saying, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })()
	var sends sync.WaitGroup
	defer sends.Wait()
	o.await(ctx, &sends)
	for faults := 0; ctx.Err() == nil; {
		d, next, err := o.take(ctx)
		switch {
		case d != nil:
			sends.Go(func() {
				o.deliver(saying, d)
				o.news.Look()
			})
			continue
		case err == nil:
			faults = 0
		default:
			if faults++; faults == 1 && ctx.Err() == nil {
				o.log.ErrorContext(ctx, "outbox cannot be read: it is tried again", "err", err)
			}
			next = o.now().Add(backOff(0, faults))
		}
		const seldom = time.Minute
		pause := seldom
		if !next.IsZero() {
			pause = min(max(next.Sub(o.now()), time.Millisecond), seldom)
		}
		o.news.Wait(ctx, pause)
	}
	return ctx.Err()
}

// Drain says everything that may be said now, one after the other and always in the same order, and
// returns when there is more to do; the zero time if nothing waits.
func (o *Outbox) Drain(ctx context.Context) (time.Time, error) {
	for {
		d, next, err := o.take(ctx)
		if d == nil || err != nil {
			return next, err
		}
		o.deliver(ctx, d)
		if err := ctx.Err(); err != nil {
			return next, err
		}
	}
}

// read finds out what was added; the first time, everything that waits.
func (o *Outbox) read(ctx context.Context) error {
	news, all := o.news.Take()
	idle := !slices.ContainsFunc(o.order, func(on *platform) bool { return on.ours.Load() })
	if idle || !all && len(news) == 0 {
		return nil
	}
	queues, err := news, error(nil)
	if all {
		queues, err = storage.Read(ctx, o.store, storage.Reader.Queues)
	}
	const few = 256 // there may be very many when nothing could be said for long
	for some := range slices.Chunk(queues, few) {
		err = errors.Join(err, o.store.View(ctx, func(r storage.Reader) error {
			for _, q := range some {
				if err := o.add(r, q); err != nil && !storage.Missing(err) {
					return err
				}
			}
			return nil
		}))
	}
	if err != nil {
		o.news.Keep(news, all)
	}
	return err
}

// add notes what waits in a queue. Entries for a platform that is not in use here stay in the outbox
// until it is.
func (o *Outbox) add(r storage.Reader, in storage.Queue) error {
	p, err := r.Places().Get(in.Place)
	on := o.platforms[p.Address.Platform]
	if err != nil || on == nil || !on.ours.Load() {
		return err
	}
	var found []waiting
	var next time.Time // when the first is tried again
	var kept bool      // it was not tried yet, but is kept for an entry that follows
	for e, err := range r.Waiting(in) {
		if err != nil {
			return err
		}
		if _, parked := o.parked.Load(e.ID); parked {
			continue
		}
		if len(found) == 0 {
			next, kept = e.Next, e.Tries == 0 && !e.Next.IsZero()
		}
		found = append(found, waiting{e.ID, o.wanted(&e, &p), e.At})
	}
	if len(found) == 0 {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	at := o.places[in.Place]
	if at == nil {
		at = &place{id: in.Place, on: on, queues: map[storage.GameID]*queue{}}
		o.places[in.Place] = at
	}
	now := o.now()
	q := at.queues[in.Game]
	if q == nil {
		if len(found) > 1 {
			next = now // the first may have been said since it was read, and what follows it need not wait
		} else if next.Sub(now) > longest { // the clock was wrong then, or is now
			next = now.Add(longest)
		}
		q = &queue{Queue: in, next: next}
		at.queues[in.Game] = q
	}
	if q.away || kept && len(found) > 1 { // what is new can be told elsewhere, or with the first
		q.next, q.away = now, false
	}
	at.address, q.waiting = p.Address, found
	o.settle(at, now)
	return nil
}

// Waiting is how much waits on the platforms in use, including what is being said, and how long the
// oldest has waited; 0 if nothing waits. It does not count what has not been read yet, or waits for
// people to come back to its place.
func (o *Outbox) Waiting() (n int, oldest time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	for _, at := range o.places {
		for _, q := range at.queues {
			if q.away {
				continue
			}
			n += len(q.waiting)
			for _, w := range q.waiting {
				oldest = max(oldest, now.Sub(w.since))
			}
		}
	}
	return n, oldest
}

// How long entries may wait when not all can be said at once: a turn one second for each day that is
// left, and turnWaits at most.
const (
	turnWaits = 14 * time.Second
	callWaits = 6 * time.Second  // it asks somebody to act who has no deadline
	newsWaits = 20 * time.Second // it asks nobody to act
)

// wanted is when an entry should be said by. It does not change while the entry waits, so that more
// urgent ones pass it for some seconds, not for ever.
func (o *Outbox) wanted(e *storage.Entry, at *storage.Place) time.Time {
	const perDay = 24 * time.Hour / time.Second
	switch {
	case !o.subject.Calls(e):
		return e.At.Add(newsWaits)
	case at.Owner != 0 && at.Owner == e.By: // others' boards come first
		return e.At.Add(turnWaits)
	case e.Due.IsZero():
		return e.At.Add(callWaits)
	}
	return e.At.Add(min(max(e.Due.Sub(e.At)/perDay, 0), turnWaits))
}

func latest(a, b time.Time) time.Time { return slices.MaxFunc([]time.Time{a, b}, time.Time.Compare) }

// Sender says entries on one platform. It is used by many goroutines at once.
type Sender interface {
	// Send says an entry at its place, and returns soon after the context is done. An error means that it
	// was not said, or may not have been: [*Later], [*Never], [ErrAway], [ErrNothing], [ErrMore] and
	// [ErrUnfit] say more; after any other it is tried again later. Operators see the error, so it
	// contains neither tokens nor what people wrote. Before drawing, Send calls courtesy, which waits a
	// moment for requests that are being answered.
	Send(ctx context.Context, at storage.Place, e storage.Entry, courtesy func()) (Receipt, error)

	// Limits are those for everything that is said at a place. It is called often and must not use an
	// [Outbox].
	Limits(at storage.Address) []Limit
}

// Receipt is what a platform's adapter wants to remember of a delivery, under names of its own; a nil
// value forgets. It is stored as the entry is closed.
type Receipt map[string][]byte

// Subject is what entries are about.
type Subject interface {
	// Calls reports whether an entry asks somebody to act.
	Calls(e *storage.Entry) bool

	// Keeps reports whether an entry that can never be said is kept for the operator to see.
	Keeps(e *storage.Entry) bool

	// Join makes one entry, with the number of the second, of two that follow each other in a queue, if
	// one message is to tell both.
	Join(first, next storage.Entry) (storage.Entry, bool)

	// HeardOf notes that an entry was said, or that its recipient does not want to hear it, in the
	// transaction that closes it.
	HeardOf(w storage.Writer, e storage.Entry) error

	// PlaceBack notes in the same way that an entry was said at a place that was gone.
	PlaceBack(w storage.Writer, e storage.Entry) error

	// PlaceGone notes that nothing can be said at the place of an entry any more, and
	// reports whether it will be told elsewhere.
	PlaceGone(w storage.Writer, e storage.Entry) (told bool, err error)

	// TellHome tells an entry elsewhere to the people it concerns, as nothing can be said at its place
	// now, and reports whether it reaches all of them.
	TellHome(w storage.Writer, e storage.Entry) (all bool, err error)
}

// Results of [Sender.Send].
var (
	// ErrNothing means that there is nothing left to say.
	ErrNothing = errors.New("nothing is left to say")

	// ErrMore means that another entry also tells this one, and has come to wait behind it since the queue
	// was read: the queue is read again at once.
	ErrMore = errors.New("the next entry tells it too")

	// ErrAway refuses until somebody at the place wants something of the bot, see [Outbox.Back]; the place
	// itself is fine.
	ErrAway = errors.New("not now")

	// ErrUnfit means that the entry cannot be put into words. It is set aside.
	ErrUnfit = errors.New("the entry cannot be made words of")
)

// Later is a refusal that asks to wait.
type Later struct {
	After      time.Duration
	Everywhere bool // nothing may be said on the whole platform until then
	Err        error
}

// Error tells operators.
func (l *Later) Error() string { return fmt.Sprintf("not for %v: %v", l.After, l.Err) }

// Unwrap is what the platform said.
func (l *Later) Unwrap() error { return l.Err }

// Never is a final refusal.
type Never struct {
	Gone bool // of everything at the place, not just of this entry
	Err  error
}

// Error tells operators.
func (n *Never) Error() string { return fmt.Sprintf("never: %v", n.Err) }

// Unwrap is what the platform said.
func (n *Never) Unwrap() error { return n.Err }

// platform holds the places of one platform: those where something may be said now, the most urgent
// first, and others by when to look at them again. A place where something is being said is in
// neither.
type platform struct {
	name   string
	sender Sender
	ready  *line
	asleep *line
	busy   int // how many things are being said

	ours  atomic.Bool // this process says what waits
	since time.Time   // when another process last did, zero if none did
}

// line holds places in order of their waiting by.
type line = btree.BTreeG[*place]

// atOnce is how many things are said at the same time on a platform.
const atOnce = 32

// place is what waits for one place.
type place struct {
	id      storage.PlaceID
	address storage.Address
	on      *platform
	queues  map[storage.GameID]*queue

	busy   bool      // something is being said
	faults int       // how many things failed in a row
	rest   time.Time // until when nothing is tried because of the faults
	next   *queue    // the most urgent queue that something may be said of
	in     *line     // the line that it stands in, if any
	by     waiting   // its order in the line: the most urgent thing that may be said, or when to look at it again
}

// queue holds what waits in one queue, in order.
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
func urgency(a, b waiting) int { return cmp.Or(a.wanted.Compare(b.wanted), cmp.Compare(a.id, b.id)) }

// most is the most urgent thing in a queue, and sets the urgency of all that comes before it, which
// has to be said first.
func (q *queue) most() waiting { return slices.MinFunc(q.waiting, urgency) }

// take finds something that may be said now, or that was said but not stored, or returns when to look
// again: the zero time if only a new entry can change anything.
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
		o.unwritten, o.resting = o.unwritten[1:], now.Add(backOff(0, o.misses+1)) // the others wait to see whether it works
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
		switch here, everywhere := o.spend(now, at.address, false, false); {
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

// settle moves a place to the line that it belongs in now, and forgets an empty one.
func (o *Outbox) settle(at *place, now time.Time) {
	at.leave()
	switch {
	case at.busy:
		return
	case len(at.queues) == 0:
		delete(o.places, at.id)
		return
	}
	at.next = slices.MinFunc(slices.Collect(maps.Values(at.queues)), func(a, b *queue) int {
		return cmp.Or(latest(a.next, now).Compare(latest(b.next, now)), urgency(a.most(), b.most()))
	})
	until := latest(at.next.next, latest(at.rest, o.heldUntil(at.address)))
	if until.After(now) {
		at.stand(at.on.asleep, waiting{id: uint64(at.id), wanted: until})
		return
	}
	at.stand(at.on.ready, at.next.most())
}

// done moves a place on after a delivery.
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

// Turn waits until this process may say what waits for a platform, from then until it ends. after
// reports whether another process did so before.
type Turn func(ctx context.Context, platform string) (after bool, err error)

// StandBy makes Run say what waits for a platform only once its turn has come. It is called before
// Run.
func (o *Outbox) StandBy(turn Turn) {
	o.turn = turn
	for _, on := range o.order {
		on.ours.Store(false)
	}
}

// await waits for each platform's turn, until the context is done.
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

// begin lets this process say what waits for a platform, all of which is read anew. Nobody knows how
// much of the limits another process has just used: each that allows several messages at once is taken
// to have one left. With none, a place with a slow limit would hear nothing if processes took over
// more often than that.
func (o *Outbox) begin(on *platform, after bool) {
	o.mu.Lock()
	on.ours.Store(true)
	if after {
		on.since = o.now()
		maps.DeleteFunc(o.limiters, func(limit storage.Address, _ *rate.Limiter) bool { return limit.Platform == on.name })
	}
	o.mu.Unlock()
	o.news.Hear(nil)
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
