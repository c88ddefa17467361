package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"

	"chimera/bot/limit"
	"chimera/storage"
)

// patience is how long it may take to say one thing.
const patience = 30 * time.Second

// delivery is something that is being said.
type delivery struct {
	from  *place
	queue *queue
	head  uint64 // of the queue, as it was known

	at      storage.Place
	first   storage.Entry // of the queue
	entry   storage.Entry // that is said: the first, or one that those before it were joined with
	ids     []uint64      // of all that it tells
	said    bool
	receipt Receipt
}

// deliver says what comes next in a queue, and writes down what became of that.
func (o *Outbox) deliver(ctx context.Context, d *delivery) {
	err := o.store.View(ctx, func(r storage.Reader) error { return o.open(r, d) })
	switch {
	case err == nil:
		d.receipt, err = o.send(ctx, d)
	case storage.Lost(err):
		err = errors.Join(ErrUnfit, err)
	}
	d.said = err == nil
	if d.said || errors.Is(err, ErrNothing) {
		o.close(ctx, d)
		return
	}
	behind := o.failed(ctx, d, err)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done(d, behind)
}

// failed writes down that something was not said, and returns behind which entry to go on.
func (o *Outbox) failed(ctx context.Context, d *delivery, why error) (behind uint64) {
	var later *Later
	var never *Never
	switch {
	case errors.Is(why, errNone):
		return d.head
	case errors.Is(why, ErrUnfit):
		return o.park(ctx, d, why)
	case errors.As(why, &never):
		return o.giveUp(ctx, d, never)
	case errors.As(why, &later):
		o.log.InfoContext(ctx, "asked to wait", d.about(why)...)
		o.Hold(d.from.address, later)
		return 0
	}
	return o.later(ctx, d, why)
}

// errNone is returned where nothing waits in a queue any more.
var errNone = errors.New("nothing waits")

// open reads what comes next in a queue. A board is not held up by lines about what led to
// it: what the next entry shows is told with that.
func (o *Outbox) open(r storage.Reader, d *delivery) (err error) {
	d.ids = nil
	for e, err := range r.Waiting(d.queue.Queue) {
		if err != nil {
			return err
		}
		if o.isParked(e.ID) {
			continue
		}
		if d.ids == nil {
			d.first, d.entry = e, e
		} else if joined, ok := o.subject.Join(d.entry, e); ok {
			d.entry = joined
		} else {
			break
		}
		d.ids = append(d.ids, e.ID)
	}
	if d.ids == nil {
		return errNone
	}
	d.entry.Tries = max(d.first.Tries, d.queue.tries)
	d.at, err = r.Place(d.queue.Place)
	return err
}

func (o *Outbox) isParked(id uint64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.parked[id]
}

// park sets an entry aside that cannot be made words of. It stays in the outbox, and is
// tried again when the program begins again.
func (o *Outbox) park(ctx context.Context, d *delivery, why error) (behind uint64) {
	p := storage.Parked{Ref: storage.Ref{Kind: storage.OfEntry, ID: d.entry.ID}, At: o.now(), Fault: Fault(why)}
	err := o.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error { return w.Park(p) })
	if err != nil {
		return o.later(ctx, d, errors.Join(why, err))
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.parked[d.entry.ID] = true
	if len(d.ids) > 1 {
		return 0 // what it would have told too is said by itself
	}
	return d.entry.ID
}

// send says it, but for an hour nothing at a place that is gone.
func (o *Outbox) send(ctx context.Context, d *delivery) (receipt Receipt, err error) {
	defer func() {
		if p := recover(); p != nil { // the other games go on
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if !d.at.Gone.IsZero() && (o.now().Sub(d.at.Tried) < limit.GoneFor || d.at.Address.ID == "") {
		return nil, &Never{Gone: true, Err: errors.New("the place is gone")}
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.from.on.sender.Send(ctx, d.at, d.entry)
}

// close takes what was said, or need not be, out of the outbox, several in one transaction,
// unless somebody does so already. While that fails nothing more is said, since all of it
// might be said again one day.
func (o *Outbox) close(ctx context.Context, over ...*delivery) {
	const few = 8
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = append(o.over, over...)
	for !o.closing && len(o.over) > 0 && !o.resting.After(o.now()) {
		n := min(len(o.over), few)
		if o.misses > 0 {
			n = 1
		}
		batch := o.over[:n]
		o.over, o.closing = o.over[n:], true
		o.closed(batch, o.crossOffAll(ctx, batch))
	}
}

// crossOffAll is for who holds the lock, and does not meanwhile.
func (o *Outbox) crossOffAll(ctx context.Context, batch []*delivery) error {
	o.mu.Unlock()
	defer o.mu.Lock() // also where the program is about to end
	err := o.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) (err error) {
		for _, d := range batch {
			err = errors.Join(err, o.crossOff(w, d))
		}
		return err
	})
	o.subject.Stored(ctx, err)
	if err != nil && !errors.Is(err, storage.ErrNotSaved) {
		o.log.ErrorContext(ctx, "cannot be crossed off", batch[0].about(err)...)
	}
	return err
}

// closed takes in what became of a batch.
func (o *Outbox) closed(batch []*delivery, err error) {
	o.closing = false
	if err != nil {
		const many = 6 // then about half a minute
		o.over, o.misses = append(o.over, batch...), min(o.misses+1, many)
		o.resting = o.now().Add(backOff(0, o.misses))
		return
	}
	o.misses, o.resting = 0, time.Time{}
	for _, d := range batch {
		if d.said {
			d.from.faults, d.from.rest = 0, time.Time{}
		}
		o.done(d, d.entry.ID)
	}
	o.look()
}

func (o *Outbox) crossOff(w storage.Writer, d *delivery) error {
	for _, id := range d.ids {
		if err := w.Delivered(id); err != nil {
			return err
		}
	}
	if !d.said {
		return nil
	}
	for name, value := range d.receipt {
		if err := w.Refresh(storage.Memory{Platform: d.from.on.name, Name: name, Value: value}); err != nil {
			return err
		}
	}
	if !d.at.Gone.IsZero() {
		if err := o.subject.PlaceBack(w, d.entry); err != nil {
			return err
		}
	}
	err := o.subject.HeardOf(w, d.entry)
	if storage.Lost(err) {
		return nil // the game is gone
	}
	return err
}

// later keeps what could not be said, until it is tried again. A place at which one thing
// after the other could not be said is left alone for a while.
func (o *Outbox) later(ctx context.Context, d *delivery, why error) (behind uint64) {
	if ctx.Err() != nil {
		return 0 // the program ends; it will be said the next time
	}
	if !errors.Is(why, storage.ErrNotSaved) {
		o.log.WarnContext(ctx, "not said yet", d.about(why)...)
	}
	o.mu.Lock()
	tries := max(d.first.Tries, d.queue.tries) + 1
	next := o.now().Add(backOff(d.first.ID, tries))
	d.queue.tries, d.queue.next = tries, next
	const few = 2
	if d.from.faults++; d.from.faults > few {
		d.from.rest = o.now().Add(backOff(uint64(d.from.id), d.from.faults-few))
	}
	o.mu.Unlock()
	err := o.store.Update(ctx, func(w storage.Writer) error {
		e, err := w.Entry(d.first.ID)
		if storage.Lost(err) {
			return nil // it was taken back
		}
		e.Tries, e.Fault, e.Next = tries, Fault(why), next
		return errors.Join(err, w.Retry(e))
	})
	o.subject.Stored(ctx, err)
	if err != nil && !errors.Is(err, storage.ErrNotSaved) {
		o.log.ErrorContext(ctx, "outbox cannot be written", "err", err)
	}
	return 0
}

// giveUp keeps an entry aside that can never be said. Where the place is gone, its
// players are told elsewhere if they can be.
func (o *Outbox) giveUp(ctx context.Context, d *delivery, never *Never) (behind uint64) {
	err := o.store.Update(context.WithoutCancel(ctx), func(w storage.Writer) error {
		_, err := w.Entry(d.entry.ID)
		if storage.Lost(err) {
			return nil // it was taken back
		}
		if err != nil {
			return err
		}
		e, told := d.entry, false
		e.Tries, e.Fault = e.Tries+1, Fault(never)
		if never.Gone {
			if told, err = o.subject.PlaceGone(w, e); err != nil {
				return err
			}
		}
		for _, id := range d.ids {
			if err := w.Delivered(id); err != nil {
				return err
			}
		}
		if told {
			return nil
		}
		return w.Undeliverable(e)
	})
	if err != nil {
		return o.later(ctx, d, err)
	}
	o.log.WarnContext(ctx, "cannot be said", d.about(never)...)
	return d.entry.ID
}

// about is what the log says about a delivery.
func (d *delivery) about(err error) []any {
	return []any{
		slog.Uint64("entry", d.entry.ID), slog.Uint64("game", uint64(d.entry.Game)), slog.String("kind", d.entry.Kind),
		slog.String("platform", d.from.on.name), slog.Int("tries", d.entry.Tries), slog.String("err", Fault(err)),
	}
}

// Fault is an error as operators see it: not too long, and without the address of a
// request, in which there may be a token.
func Fault(err error) string {
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
