// Package outbox says what waits to be said: in order within a game, the urgent games first,
// and within the limits of the platforms.
//
// # Design
//
// The entries are in package storage, which tells in which queues something was added. Here
// is only known what waits where and how urgent it is. An entry is read again before it is
// said, so that what was forgotten, linked or overtaken meanwhile is told as it is, and in the
// order of the database. It is closed after it was said, in one transaction with the
// receipt: it may be said twice if the program ends in between, and is never lost. What could
// not be said is tried again later; what never can be is kept aside.
//
// Of several processes one says what waits for a platform, see StandBy. It hears what the others
// add, and begins with all that waits. Answers are everybody's, and take from a budget of their own
// process.
//
// At a place one thing is said after the other, so that one that is slow holds nobody else
// up, and one that fails is left alone for longer and longer.
package outbox

import (
	"context"
	"errors"
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
	order     []*platform // by name
	wake      chan struct{}
	turn      Turn         // nil where no other process says anything
	answering atomic.Int32 // how many requests are being answered

	mu       sync.Mutex
	unread   bool                   // anything may wait
	news     map[storage.Queue]bool // to which something was added, besides
	places   map[storage.PlaceID]*place
	parked   sync.Map                          // the numbers of entries that cannot be said before the program begins again
	held     map[storage.Address]time.Time     // until when what shares a place's limit, or without an ID its platform, wants to hear nothing
	limiters map[storage.Address]*rate.Limiter // of platforms' limits, by their names
	swept    time.Time                         // when those were forgotten that are as good as new

	unwritten []*delivery // of which it could not be written down what became of them
	misses    int         // how often that has failed in a row; then nothing more is said
	resting   time.Time   // when it is tried again
}

// New makes an Outbox. now is the wall clock; senders are by platform.
func New(store *storage.Store, subject Subject, now func() time.Time, log *slog.Logger, senders map[string]Sender) *Outbox {
	o := &Outbox{
		store: store, subject: subject, now: now, log: log, wake: make(chan struct{}, 1),
		platforms: map[string]*platform{}, places: map[storage.PlaceID]*place{}, news: map[storage.Queue]bool{},
		unread: true, held: map[storage.Address]time.Time{}, limiters: map[storage.Address]*rate.Limiter{},
	}
	before := func(a, b *place) bool { return urgency(a.by, b.by) < 0 }
	alone := btree.Options{NoLocks: true}
	for _, name := range slices.Sorted(maps.Keys(senders)) {
		on := &platform{name: name, sender: senders[name], ready: btree.NewBTreeGOptions(before, alone), asleep: btree.NewBTreeGOptions(before, alone)}
		on.ours.Store(true)
		o.platforms[name], o.order = on, append(o.order, on)
	}
	store.OnPost(o.hear)
	return o
}

// hear takes in where something was added, or with nil that it may have been anywhere.
func (o *Outbox) hear(queues []storage.Queue) {
	o.mu.Lock()
	o.unread = o.unread || queues == nil
	for _, q := range queues {
		o.news[q] = true
	}
	o.mu.Unlock()
	o.look()
}

// look lets Run look what there is to do.
func (o *Outbox) look() {
	select {
	case o.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// grace is how long what is being said may take to its end once the program ends.
const grace = 5 * time.Second

// Run delivers until the context is done, and returns when nothing is being said any
// more, a little later at most. The error is the context's.
func (o *Outbox) Run(ctx context.Context) error {
	saying, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	var sends sync.WaitGroup
	defer sends.Wait()
	o.await(ctx, &sends)
	for faults := 0; ctx.Err() == nil; {
		d, next, err := o.take(ctx)
		switch {
		case d != nil:
			sends.Go(func() {
				o.deliver(saying, d)
				o.look()
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
		o.wait(ctx, next)
	}
	return ctx.Err()
}

func (o *Outbox) wait(ctx context.Context, next time.Time) {
	const seldom = time.Minute
	pause := seldom
	if !next.IsZero() {
		pause = min(max(next.Sub(o.now()), time.Millisecond), seldom)
	}
	select {
	case <-ctx.Done():
	case <-o.wake:
	case <-time.After(pause):
	}
}

// Drain says one after the other what may be said now, always in the same order, and
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

// read finds out what was added, the first time all that waits.
func (o *Outbox) read(ctx context.Context) error {
	o.mu.Lock()
	news, all := o.news, o.unread
	o.news, o.unread = map[storage.Queue]bool{}, false
	idle := !slices.ContainsFunc(o.order, func(on *platform) bool { return on.ours.Load() })
	o.mu.Unlock()
	if idle || !all && len(news) == 0 {
		return nil
	}
	queues, err := slices.Collect(maps.Keys(news)), error(nil)
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
		o.mu.Lock()
		defer o.mu.Unlock()
		o.unread = o.unread || all
		maps.Copy(o.news, news)
	}
	return err
}

// add lets what is in a queue wait. What is for a platform that is not in use here stays in the
// outbox for when it is.
func (o *Outbox) add(r storage.Reader, in storage.Queue) error {
	p, err := r.Places().Get(in.Place)
	on := o.platforms[p.Address.Platform]
	if err != nil || on == nil || !on.ours.Load() {
		return err
	}
	var found []waiting
	var next time.Time // when the first is tried again
	var kept bool      // it was not tried yet, but is kept for what follows it
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
		switch {
		case len(found) > 1:
			next = now // the first may have been said since it was read, and what follows it need not wait
		case next.Sub(now) > longest: // the clock was wrong then, or is now
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

// Waiting is how much waits on the platforms in use, what is being said included, and for how
// long the oldest of it has; 0 if nothing waits. What nobody has read yet does not count, nor does
// what waits for somebody to come to its place.
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

// How long it is well that something waits where not all can be said at once: a turn a
// second for each day that is left, and turnWaits at most.
const (
	turnWaits = 14 * time.Second
	callWaits = 6 * time.Second  // what asks somebody to act who has no deadline for it
	newsWaits = 20 * time.Second // what asks nobody
)

// wanted is by when an entry should be said. It stays the same while the entry waits, so
// that what is more urgent passes it for a few seconds, and not for ever.
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

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
