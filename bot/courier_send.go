package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"chimera/bot/people"
	"chimera/storage"
)

// patience is how long it may take to say one thing.
const patience = 30 * time.Second

// deliver says an entry and writes down what became of that.
func (c *Courier) deliver(ctx context.Context, j *job) {
	if j.missed {
		c.crossOff(ctx, j)
		return
	}
	if !c.renew(ctx, j) {
		return
	}
	if j.into != nil {
		c.fold(ctx, j)
		return
	}
	p, err := c.wrap(ctx, j)
	switch {
	case storage.Lost(err), errors.Is(err, errPanic):
		c.park(ctx, j, err)
		return
	case err != nil:
		c.later(ctx, j, err)
		return
	case len(p.Note.Text) == 0:
		c.crossOff(ctx, j) // there is nothing to say any more
		return
	}
	err = c.send(ctx, j, p)
	var later *Later
	var never *Never
	switch {
	case err == nil:
		j.said, j.back = true, !p.Place.Gone.IsZero()
		c.well(j)
		c.crossOff(ctx, j)
	case errors.As(err, &never):
		c.giveUp(ctx, j, never)
	case errors.As(err, &later):
		c.log.InfoContext(ctx, "asked to wait", about(j, err)...)
		c.Hold(j.place, later)
		c.put(j)
	default:
		c.unwell(ctx, j)
		c.later(ctx, j, err)
	}
}

// renew reads an entry again: what it says of people may have changed while it waited,
// or it was taken back. It reports whether the entry is still to be said.
func (c *Courier) renew(ctx context.Context, j *job) bool {
	var e storage.Entry
	err := c.bot.store.View(ctx, func(r storage.Reader) (err error) {
		e, err = r.Entry(j.ID)
		return err
	})
	switch {
	case storage.Lost(err):
		c.drop(j)
		return false
	case err != nil:
		c.later(ctx, j, err)
		return false
	}
	e.Tries, e.Fault, e.Next = max(e.Tries, j.Tries), j.Fault, j.Next
	c.mu.Lock()
	defer c.mu.Unlock()
	j.Entry = e
	return true
}

// park sets an entry aside that cannot be made words of. It stays in the outbox, and is
// tried again when the program begins again.
func (c *Courier) park(ctx context.Context, j *job, why error) {
	p := storage.Parked{Ref: storage.Ref{Kind: storage.OfEntry, ID: j.ID}, At: c.now(), Fault: fault(why)}
	err := c.bot.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error { return w.Park(p) })
	if err != nil {
		c.later(ctx, j, errors.Join(why, err))
		return
	}
	c.drop(j)
}

// wrap makes words of an entry; none are left of some.
func (c *Courier) wrap(ctx context.Context, j *job) (p Parcel, err error) {
	defer caught(&err)
	return c.bot.parcel(ctx, j.Entry)
}

// send says a parcel.
func (c *Courier) send(ctx context.Context, j *job, p Parcel) (err error) {
	defer caught(&err)
	if !p.Place.Gone.IsZero() && (c.now().Sub(p.Place.Tried) < people.GoneFor || p.Place.Address.ID == "") {
		return &Never{Gone: true, Err: errGone}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return j.line.outlet.Send(ctx, p)
}

var errGone = errors.New("the place is gone")

// caught makes an error of a panic: the other games go on.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: %v", errPanic, p)
	}
}

var errPanic = errors.New("panic")

// well notes that something was said in a room.
func (c *Courier) well(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	j.room.faults, j.room.rest = 0, time.Time{}
}

// unwell leaves a room alone for a while in which one thing after the other could not
// be said.
func (c *Courier) unwell(ctx context.Context, j *job) {
	if ctx.Err() != nil {
		return // that is not the room's fault
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	const few = 2
	if j.room.faults++; j.room.faults > few {
		j.room.rest = c.now().Add(backOff(uint64(j.room.id), j.room.faults-few))
	}
}

// crossOff takes an entry out of the outbox that was said, or need not be. While that
// fails nothing more is said, since all of it might be said again one day.
func (c *Courier) crossOff(ctx context.Context, j *job) {
	err := c.bot.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error {
		if err := w.Delivered(j.ID); err != nil || !j.said {
			return err
		}
		if j.back {
			if err := c.bot.places.PlaceBack(w, j.Entry); err != nil {
				return err
			}
		}
		err := c.bot.clocks.HeardOf(w, j.Entry)
		if storage.Lost(err) {
			return nil // the game is gone
		}
		return err
	})
	c.bot.stored(ctx, err)
	if err == nil {
		c.written(j)
		c.drop(j)
		return
	}
	if !errors.Is(err, storage.ErrNotSaved) {
		c.log.ErrorContext(ctx, "cannot be crossed off", about(j, err)...)
	}
	c.miss(j)
}

// written notes that something could be written down.
func (c *Courier) written(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.misses = 0
	if j.missed {
		c.trying = false
	}
}

// miss keeps what could not be crossed off.
func (c *Courier) miss(j *job) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if j.missed {
		c.trying = false
	}
	j.missed = true
	c.unwritten = append(c.unwritten, j)
	if now := c.now(); !c.resting.After(now) {
		const many = 6 // then about half a minute
		c.misses = min(c.misses+1, many)
		c.resting = now.Add(backOff(0, c.misses))
	}
}

// later keeps an entry that could not be said, until it is tried again.
func (c *Courier) later(ctx context.Context, j *job, why error) {
	if ctx.Err() != nil {
		c.put(j) // the program ends; it will be said the next time
		return
	}
	if !errors.Is(why, storage.ErrNotSaved) {
		c.log.WarnContext(ctx, "not said yet", about(j, why)...)
	}
	j.Tries++
	j.Fault = fault(why)
	j.Next = c.now().Add(backOff(j.ID, j.Tries))
	err := c.bot.store.Update(ctx, func(w storage.Writer) error {
		e, err := w.Entry(j.ID)
		if storage.Lost(err) {
			return nil // it was taken back
		}
		e.Tries, e.Fault, e.Next = j.Tries, j.Fault, j.Next
		return errors.Join(err, w.Retry(e))
	})
	c.bot.stored(ctx, err)
	if err != nil && !errors.Is(err, storage.ErrNotSaved) {
		c.log.ErrorContext(ctx, "outbox cannot be written", "err", err)
	}
	c.put(j)
}

// giveUp keeps an entry aside that can never be said. Where the place is gone, its
// players are told elsewhere if they can be.
func (c *Courier) giveUp(ctx context.Context, j *job, never *Never) {
	err := c.bot.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error {
		e, err := w.Entry(j.ID)
		if storage.Lost(err) {
			return nil // it was taken back
		}
		if err != nil {
			return err
		}
		e.Tries, e.Fault = j.Tries+1, fault(never)
		told := false
		if never.Gone {
			var err error
			if told, err = c.bot.places.PlaceGone(w, e); err != nil {
				return err
			}
		}
		if told {
			return w.Delivered(e.ID)
		}
		return w.Undeliverable(e)
	})
	if err != nil {
		c.later(ctx, j, err)
		return
	}
	c.log.WarnContext(ctx, "cannot be said", about(j, never)...)
	c.drop(j)
}

// about is what the log says about an entry.
func about(j *job, err error) []any {
	return []any{
		slog.Uint64("entry", j.ID), slog.Uint64("game", uint64(j.Game)), slog.String("kind", j.Kind),
		slog.String("platform", j.line.platform), slog.Int("tries", j.Tries), slog.String("err", fault(err)),
	}
}

// fault is an error as operators see it: not too long, and without the address of a
// request, in which there may be a token.
func fault(err error) string {
	const most = 300
	if request := (*url.Error)(nil); errors.As(err, &request) {
		err = fmt.Errorf("%s: %w", request.Op, request.Err)
	}
	said := err.Error()
	return strings.ToValidUTF8(said[:min(len(said), most)], "")
}

// longest is how long is waited at most before something is tried again.
const longest = 10 * time.Minute

// backOff is how long to wait after so many tries: up to a second, doubling to
// longest, and for each thing another part of that, so that not all come again at
// once. It is the same for the same thing after the same number of tries.
func backOff(thing uint64, tries int) time.Duration {
	wait := min(time.Second<<min(tries-1, 10), longest)
	return time.Duration(float64(wait) * (1 + rand.New(rand.NewPCG(thing, uint64(tries))).Float64()) / 2)
}
