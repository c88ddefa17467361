package bot

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chimera/storage"
)

// Courier says what waits in the outbox: in order within a game, the urgent games
// first, and within the limits of the platforms. What could not be said is tried
// again later; what can never be said is kept aside. An entry is crossed off after it
// was said, so that one may be said twice if the program ends in between, and none is
// lost. It is safe for concurrent use.
//
// At a place one thing is said after the other, so that one that is slow holds nobody
// else up, and one that fails is left alone for longer and longer.
type Courier struct {
	bot   *Bot
	now   func() time.Time
	log   *slog.Logger
	lines []*line // by platform
	wake  chan struct{}

	reading sync.Mutex // held before mu
	read    uint64     // the newest entry that was read

	mu     sync.Mutex
	rooms  map[storage.PlaceID]*room
	held   map[storage.Address]time.Time // until when what shares a place's limit, or without an ID its platform, wants to hear nothing
	budget budget

	unwritten []*job    // said, but not crossed off yet; nothing else is said before they are
	trying    bool      // one of them is being crossed off
	resting   time.Time // when that is tried again
	misses    int       // how often it has failed in a row
}

// NewCourier makes a Courier. now is the wall clock.
func NewCourier(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *Courier {
	c := &Courier{
		bot: b, now: now, log: log, wake: make(chan struct{}, 1),
		rooms: map[storage.PlaceID]*room{}, held: map[storage.Address]time.Time{},
		budget: budget{limiters: map[string]*rate.Limiter{}},
	}
	for _, platform := range slices.Sorted(maps.Keys(outlets)) {
		c.lines = append(c.lines, newLine(platform, outlets[platform]))
	}
	return c
}

// line is what waits for a platform, or nil if nothing can be said there.
func (c *Courier) line(platform string) *line {
	for _, l := range c.lines {
		if l.platform == platform {
			return l
		}
	}
	return nil
}

// Wake says that there may be something new in the outbox.
func (c *Courier) Wake() {
	select {
	case c.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Take takes a message that is said at once from the budget of its place, and says
// how long to wait before it is said.
func (c *Courier) Take(place storage.Address) time.Duration {
	return c.takeWithin(place, func(Limit) bool { return true })
}

// TakeChange is Take for the change of a message that was said before.
func (c *Courier) TakeChange(place storage.Address) time.Duration {
	return c.takeWithin(place, func(l Limit) bool { return !l.Answers })
}

// takeWithin is Take, where only some of the limits hold.
func (c *Courier) takeWithin(place storage.Address, holds func(Limit) bool) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.line(place.Platform)
	if l == nil {
		return 0
	}
	now := c.now()
	limits := slices.DeleteFunc(slices.Clone(l.outlet.Limits(place)), func(l Limit) bool { return !holds(l) })
	return max(c.budget.reserve(now, place, limits), c.heldUntil(place).Sub(now), 0)
}

// Spare takes a message from the budget of its place if that is left over: nothing waits to
// be said there, and it may be said now. Otherwise it says when to ask again.
func (c *Courier) Spare(place storage.Address) time.Duration {
	const rarely = 5 * time.Second
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.line(place.Platform)
	if l == nil {
		return 0
	}
	now := c.now()
	if wait := c.heldUntil(place).Sub(now); wait > 0 {
		return wait
	}
	limits, shared := l.outlet.Limits(place), c.shared(place)
	for _, in := range c.rooms {
		if in.line == l && len(limits) > 0 && c.shared(in.place) == shared {
			return rarely
		}
	}
	wait, _ := c.budget.allow(now, place, limits)
	return wait
}

// Held is how long a place still wants to hear nothing.
func (c *Courier) Held(place storage.Address) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(c.heldUntil(place).Sub(c.now()), 0)
}

// Hold lets everything wait that the platform has asked to wait when something was
// said at a place. The courier does so itself for what it says.
func (c *Courier) Hold(place storage.Address, l *Later) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold(place, l)
}

func (c *Courier) hold(place storage.Address, l *Later) {
	const least = time.Second / 10
	now := c.now()
	maps.DeleteFunc(c.held, func(_ storage.Address, until time.Time) bool { return !until.After(now) })
	at := c.shared(place)
	if l.Everywhere {
		at.ID = ""
	}
	c.held[at] = latest(c.held[at], now.Add(max(l.After, least)))
}

// heldUntil is until when a place wants to hear nothing.
func (c *Courier) heldUntil(place storage.Address) time.Time {
	if len(c.held) == 0 {
		return time.Time{}
	}
	return latest(c.held[c.shared(place)], c.held[storage.Address{Platform: place.Platform}])
}

// shared is a place with the name of its own limit as its ID, if it has one: what shares
// that is asked to wait together.
func (c *Courier) shared(place storage.Address) storage.Address {
	if l := c.line(place.Platform); l != nil {
		for _, limit := range l.outlet.Limits(place) {
			if !limit.Everywhere && !limit.Answers {
				place.ID = limit.Name
				break
			}
		}
	}
	return place
}

// grace is how long what is being said may take to its end once the program ends.
const grace = 5 * time.Second

// Run delivers until the context is done, and returns when nothing is being said any
// more, a little later at most. The error is the context's.
func (c *Courier) Run(ctx context.Context) error {
	saying, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	defer stop()
	var sends sync.WaitGroup
	defer sends.Wait()
	faults := 0 // how often the outbox could not be read in a row
	for {
		err := c.load(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			faults = 0
		case faults == 0:
			c.log.ErrorContext(ctx, "outbox cannot be read: it is tried again", "err", err)
			fallthrough
		default:
			faults++
		}
		var next time.Time
		for ctx.Err() == nil {
			job, at := c.take()
			if next = at; job == nil {
				break
			}
			sends.Go(func() {
				c.deliver(saying, job)
				c.Wake()
			})
		}
		if faults > 0 {
			if again := c.now().Add(backOff(0, faults)); next.IsZero() || again.Before(next) {
				next = again
			}
		}
		if err := c.wait(ctx, next); err != nil {
			return err
		}
	}
}

func (c *Courier) wait(ctx context.Context, next time.Time) error {
	const seldom = time.Minute
	pause := seldom
	if !next.IsZero() {
		pause = min(max(next.Sub(c.now()), time.Millisecond), seldom)
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-c.wake:
	case <-timer.C:
	}
	return nil
}

// Drain says one after the other what may be said now, always in the same order, and
// returns when there is more to do; the zero time if nothing waits.
func (c *Courier) Drain(ctx context.Context) (time.Time, error) {
	for {
		if err := c.load(ctx); err != nil {
			return time.Time{}, err
		}
		job, next := c.take()
		if job == nil {
			return next, nil
		}
		c.deliver(ctx, job)
		if err := ctx.Err(); err != nil {
			return next, err
		}
	}
}

// load reads the entries that are new in the outbox.
func (c *Courier) load(ctx context.Context) error {
	c.reading.Lock()
	defer c.reading.Unlock()
	for {
		entries, places, err := c.unread(ctx)
		if err != nil || len(entries) == 0 {
			return err
		}
		c.add(entries, places)
		c.read = entries[len(entries)-1].ID
	}
}

// unread are a few entries that were not read yet, and where they shall be said.
func (c *Courier) unread(ctx context.Context) (entries []storage.Entry, places map[storage.PlaceID]storage.Address, err error) {
	const few = 256
	err = c.bot.store.View(ctx, func(r storage.Reader) (err error) {
		places = map[storage.PlaceID]storage.Address{}
		if entries, err = r.Outbox(c.read, few); err != nil {
			return err
		}
		for _, e := range entries {
			if _, known := places[e.Place]; known {
				continue
			}
			place, err := r.Place(e.Place)
			if err != nil && !storage.Lost(err) {
				return err
			}
			places[e.Place] = place.Address // no outlet is found for one that is not known
		}
		return nil
	})
	return entries, places, err
}

// add lets entries wait. Those of a platform that is not in use stay in the outbox
// for when it is.
func (c *Courier) add(entries []storage.Entry, places map[storage.PlaceID]storage.Address) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	more := map[*room]bool{}
	for _, e := range entries {
		l := c.line(places[e.Place].Platform)
		if l == nil {
			continue
		}
		in := c.rooms[e.Place]
		if in == nil {
			in = &room{id: e.Place, line: l, games: map[storage.GameID][]*letter{}}
			c.rooms[e.Place] = in
		}
		in.place = places[e.Place]
		if most := now.Add(longest); e.Next.After(most) {
			e.Next = most // the clock was wrong then, or is now
		}
		in.games[e.Game] = append(in.games[e.Game], &letter{Entry: e})
		more[in] = true
	}
	for in := range more {
		c.settle(in, now)
	}
}
