package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chimera/bot/match"
	"chimera/storage"
)

// Courier says what waits in the outbox: in order within a game, the urgent games of
// a place first, and within the limits of the platforms. What could not be said is
// tried again later; what can never be said is kept aside. An entry is crossed off
// after it was said, so that one may be said twice if the program ends in between,
// and none is lost. It is safe for concurrent use.
type Courier struct {
	bot     *Bot
	now     func() time.Time
	log     *slog.Logger
	outlets map[string]Outlet // by platform
	wake    chan struct{}

	mu     sync.Mutex
	read   uint64 // the newest entry that was read
	rooms  map[storage.PlaceID]*room
	paused map[string]time.Time // until when nothing may be said on a platform
	busy   map[string]int       // sends that go on, by platform
	budget budget
}

// room is what waits for one place.
type room struct {
	games  map[storage.GameID][]storage.Entry
	busy   map[storage.GameID]bool // of which something is being said
	paused time.Time
	place  storage.Address
}

// atOnce is how many things are said at the same time on a platform.
const atOnce = 16

// NewCourier makes a Courier. now is the wall clock.
func NewCourier(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *Courier {
	return &Courier{
		bot: b, now: now, log: log, outlets: outlets, wake: make(chan struct{}, 1),
		rooms: map[storage.PlaceID]*room{}, paused: map[string]time.Time{}, busy: map[string]int{},
		budget: budget{limiters: map[string]*rate.Limiter{}},
	}
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
	c.mu.Lock()
	defer c.mu.Unlock()
	outlet := c.outlets[place.Platform]
	if outlet == nil {
		return 0
	}
	now := c.now()
	return max(c.budget.reserve(now, place, outlet.Limits(place)), c.paused[place.Platform].Sub(now))
}

// Run delivers until the context is done.
func (c *Courier) Run(ctx context.Context) error {
	var sends sync.WaitGroup
	defer sends.Wait()
	for {
		if err := c.load(ctx); err != nil {
			return err
		}
		var next time.Time
		for {
			job, at := c.take()
			if next = at; job == nil {
				break
			}
			sends.Go(func() {
				c.deliver(ctx, job)
				c.Wake()
			})
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

// Drain says one after the other what may be said now, and returns when there is more
// to do; the zero time if nothing waits.
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
	c.mu.Lock()
	defer c.mu.Unlock()
	const batch = 256
	for {
		var entries []storage.Entry
		places := map[storage.PlaceID]storage.Address{}
		err := c.bot.store.View(ctx, func(r storage.Reader) (err error) {
			if entries, err = r.Outbox(c.read, batch); err != nil {
				return err
			}
			for _, e := range entries {
				place, err := r.Place(e.Place)
				if err != nil {
					return err
				}
				places[e.Place] = place.Address
			}
			return nil
		})
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, e := range entries {
			in := c.rooms[e.Place]
			if in == nil {
				in = &room{games: map[storage.GameID][]storage.Entry{}, busy: map[storage.GameID]bool{}, place: places[e.Place]}
				c.rooms[e.Place] = in
			}
			in.games[e.Game] = append(in.games[e.Game], e)
			c.read = e.ID
		}
	}
}

// job is an entry that is being said.
type job struct {
	entry storage.Entry
	place storage.Address
}

// take finds something that may be said now, or says when to look again: the zero
// time if only news can change anything.
func (c *Courier) take() (*job, time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.now()
	var next time.Time
	later := func(at time.Time) {
		if next.IsZero() || at.Before(next) {
			next = at
		}
	}
	for id, in := range c.rooms {
		if len(in.games) == 0 {
			if len(in.busy) == 0 {
				delete(c.rooms, id)
			}
			continue
		}
		platform := in.place.Platform
		outlet := c.outlets[platform]
		if outlet == nil || c.busy[platform] >= atOnce {
			continue
		}
		if until := latest(in.paused, c.paused[platform]); until.After(now) {
			later(until)
			continue
		}
		best := in.first(now, later)
		if best == nil {
			continue
		}
		if wait := c.budget.allow(now, in.place, outlet.Limits(in.place)); wait > 0 {
			later(now.Add(wait))
			continue
		}
		in.busy[best.Game] = true
		c.busy[platform]++
		return &job{*best, in.place}, now
	}
	return nil, next
}

// first is the most urgent entry of a room that is the next of its game and may be
// said now.
func (in *room) first(now time.Time, later func(time.Time)) *storage.Entry {
	var best *storage.Entry
	for game, waiting := range in.games {
		switch e := &waiting[0]; {
		case in.busy[game]:
		case e.Next.After(now):
			later(e.Next)
		case best == nil || urgency(e, best) < 0:
			best = e
		}
	}
	return best
}

// urgency compares entries: what asks somebody to act comes before news, less time
// before more, and older before newer.
func urgency(a, b *storage.Entry) int {
	return cmp.Or(
		cmp.Compare(btoi(!calls(a)), btoi(!calls(b))),
		cmp.Compare(btoi(a.Due.IsZero()), btoi(b.Due.IsZero())),
		a.Due.Compare(b.Due),
		cmp.Compare(a.ID, b.ID),
	)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// calls reports whether an entry asks somebody to act.
func calls(e *storage.Entry) bool {
	switch match.What(e.Kind) {
	case match.Began, match.Moved, match.TookBack, match.Reminded, match.TimeUp, match.Challenged, match.DrawOffered, match.TakebackAsked:
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

// deliver says an entry and writes down what became of that.
func (c *Courier) deliver(ctx context.Context, j *job) {
	err := c.send(ctx, j)
	if err != nil && ctx.Err() != nil {
		c.put(j, j.entry) // the program ends; it will be said the next time
		return
	}
	var later *Later
	var never *Never
	e := j.entry
	switch {
	case err == nil:
		err = c.bot.store.Update(ctx, func(w storage.Writer) error {
			return errors.Join(w.Delivered(e.ID), c.bot.match.HeardOf(w, e))
		})
		if err == nil {
			c.drop(j)
			return
		}
	case errors.As(err, &never):
		if err = c.giveUp(ctx, e, never); err == nil {
			c.log.WarnContext(ctx, "cannot be said", "entry", e.ID, "game", e.Game, "kind", e.Kind, "platform", j.place.Platform, "err", never)
			c.drop(j)
			return
		}
	case errors.As(err, &later):
		c.pause(j, later)
		c.put(j, e)
		return
	}
	c.log.WarnContext(ctx, "not said yet", "entry", e.ID, "game", e.Game, "kind", e.Kind, "platform", j.place.Platform, "tries", e.Tries+1, "err", err)
	e.Tries++
	e.Fault = err.Error()
	e.Next = c.now().Add(backOff(e.Tries))
	if err := c.bot.store.Update(ctx, func(w storage.Writer) error { return w.Retry(e) }); err != nil {
		c.log.ErrorContext(ctx, "outbox cannot be written", "err", err)
	}
	c.put(j, e)
}

// backOff is how long to wait after so many tries: from a second on doubling to ten
// minutes, give or take a half, so that not all come again at once.
func backOff(tries int) time.Duration {
	const most = 10 * time.Minute
	wait := min(time.Second<<min(tries-1, 10), most)
	return time.Duration(float64(wait) * (.5 + rand.Float64()))
}

// send makes words of an entry and says them; no words are left of some.
func (c *Courier) send(ctx context.Context, j *job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	p, err := c.bot.parcel(ctx, j.entry)
	switch {
	case err != nil:
		return err
	case len(p.Note.Text) == 0:
		return nil
	case !p.Place.Gone.IsZero():
		return &Never{Gone: true, Err: errGone}
	}
	return c.outlets[j.place.Platform].Send(ctx, p)
}

var errGone = errors.New("the place is gone")

// giveUp keeps an entry aside that can never be said. Where the place is gone, its
// players are told elsewhere if they can be.
func (c *Courier) giveUp(ctx context.Context, e storage.Entry, never *Never) error {
	return c.bot.store.Update(ctx, func(w storage.Writer) error {
		e.Tries++
		e.Fault = never.Error()
		told := false
		if never.Gone {
			var err error
			if told, err = c.bot.match.PlaceGone(w, e); err != nil {
				return err
			}
		}
		if told {
			return w.Delivered(e.ID)
		}
		return w.Undeliverable(e)
	})
}

func (c *Courier) pause(j *job, l *Later) {
	c.mu.Lock()
	defer c.mu.Unlock()
	until := c.now().Add(max(l.After, time.Second/10))
	if l.Everywhere {
		c.paused[j.place.Platform] = latest(until, c.paused[j.place.Platform])
		return
	}
	in := c.rooms[j.entry.Place]
	in.paused = latest(until, in.paused)
}

// put lets an entry wait again, as the next of its game.
func (c *Courier) put(j *job, e storage.Entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	in := c.rooms[j.entry.Place]
	in.games[e.Game][0] = e
	delete(in.busy, e.Game)
	c.busy[j.place.Platform]--
}

// drop goes on with the next entry of a game.
func (c *Courier) drop(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	in, game := c.rooms[j.entry.Place], j.entry.Game
	if in.games[game] = in.games[game][1:]; len(in.games[game]) == 0 {
		delete(in.games, game)
	}
	delete(in.busy, game)
	c.busy[j.place.Platform]--
}
