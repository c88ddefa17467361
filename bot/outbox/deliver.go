package outbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chimera/bot/limit"
	"chimera/storage"
)

// patience is how long it may take to say one thing.
const patience = 30 * time.Second

// delivery is something that is being said.
type delivery struct {
	from  *place
	queue *queue
	first uint64 // the first entry that waits in the queue
	at    storage.Place
	entry storage.Entry // what is said: the first entry, or the one that the first few were joined into
	ids   []uint64      // the entries that it tells

	said   bool
	write  func(storage.Writer) error // stores the outcome; nil if there is nothing to store
	behind uint64                     // the last entry of the queue that no longer waits afterward
	next   time.Time                  // when the queue is tried again
	away   uint64                     // the last entry that waits for people to come back to the place, or 0
}

// deliver says what comes next in a queue, and stores the outcome. While outcomes cannot be stored,
// nothing more is said, since all of it might be said twice.
func (o *Outbox) deliver(ctx context.Context, d *delivery) {
	if d.write == nil {
		o.try(ctx, d)
	}
	var err error
	if d.write != nil {
		err = o.written(ctx, d)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err != nil {
		const many = 6 // then about half a minute
		o.misses = min(o.misses+1, many)
		o.unwritten, o.resting = append(o.unwritten, d), o.now().Add(backOff(0, o.misses))
		return
	}
	if d.write != nil {
		o.misses = 0
	}
	o.done(d)
}

// written stores the outcome of a delivery; nobody waits for it. If only this outcome cannot be stored
// and nothing was said, the delivery is put off and tried again.
func (o *Outbox) written(ctx context.Context, d *delivery) error {
	ctx = storage.AtLeisure(context.WithoutCancel(ctx))
	err := o.store.Update(ctx, d.write)
	if err == nil || errors.Is(err, storage.ErrNotSaved) {
		return err
	}
	o.log.ErrorContext(ctx, "outbox cannot be written", d.about(err)...)
	if d.said {
		return err
	}
	o.again(d, err)
	return o.store.Update(ctx, d.write)
}

// try says a delivery, and decides what to store about it.
func (o *Outbox) try(ctx context.Context, d *delivery) {
	receipt, err := o.say(ctx, d)
	if err == nil && d.ids == nil {
		d.behind = d.first // it was taken back
		return
	}
	d.behind = d.entry.ID
	var later *Later
	var never *Never
	switch {
	case err == nil:
		d.said, d.from.faults, d.from.rest = true, 0, time.Time{}
		d.write = func(w storage.Writer) error { return o.crossOff(w, d, receipt) }
	case errors.Is(err, ErrNothing):
		d.write = d.delivered
	case errors.Is(err, ErrUnfit):
		o.park(d, err)
	case errors.As(err, &never):
		o.log.WarnContext(ctx, "cannot be said", d.about(never)...)
		d.write = func(w storage.Writer) error { return o.giveUp(w, d, never) }
	case errors.Is(err, ErrAway):
		d.write = func(w storage.Writer) error { return o.putOff(w, d, err) }
	case errors.As(err, &later):
		o.log.InfoContext(ctx, "asked to wait", d.about(err)...)
		o.Hold(d.at.Address, later)
		d.behind = 0
	case ctx.Err() != nil:
		d.behind = 0 // the program ends; it will be said the next time
	default:
		o.log.WarnContext(ctx, "not said yet", d.about(err)...)
		o.again(d, err)
	}
}

// say says what comes next in a queue, unless that was taken back.
func (o *Outbox) say(ctx context.Context, d *delivery) (receipt Receipt, err error) {
	ctx = storage.AsOfNow(ctx)
	for told := -1; ; told = len(d.ids) {
		err = o.store.View(ctx, func(r storage.Reader) error { return o.open(r, d) })
		switch {
		case storage.Missing(err):
			return nil, errors.Join(ErrUnfit, err)
		case err != nil, d.ids == nil:
			return nil, err
		}
		if receipt, err = o.send(ctx, d); !errors.Is(err, ErrMore) || len(d.ids) <= told {
			return receipt, err
		}
	}
}

// together is the most entries that are told as one.
const together = 500

// open reads what comes next in a queue. Entries that the next one also tells are joined with it, so
// that they do not hold up a board.
func (o *Outbox) open(r storage.Reader, d *delivery) (err error) {
	d.ids = nil
	tries := 0
	for e, err := range r.Waiting(d.queue.Queue) {
		if err != nil {
			return err
		}
		if _, parked := o.parked.Load(e.ID); parked {
			continue
		}
		if d.ids == nil {
			d.first, d.entry, tries = e.ID, e, e.Tries
		} else if joined, ok := o.subject.Join(d.entry, e); ok && len(d.ids) < together {
			d.entry = joined
		} else {
			break
		}
		d.ids = append(d.ids, e.ID)
	}
	if d.ids == nil {
		return nil
	}
	d.entry.Tries = tries
	d.at, err = r.Places().Get(d.queue.Place)
	return err
}

// send says a delivery. For a while it sends nothing to a place that is gone.
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
	return d.from.on.sender.Send(ctx, d.at, d.entry, o.giveWay)
}

// crossOff takes what was said out of the outbox.
func (o *Outbox) crossOff(w storage.Writer, d *delivery, receipt Receipt) error {
	err := d.delivered(w)
	for name, value := range receipt {
		err = errors.Join(err, w.RefreshState(storage.State{Platform: d.from.on.name, Name: name, Value: value}))
	}
	if !d.at.Gone.IsZero() {
		err = errors.Join(err, o.subject.PlaceBack(w, d.entry))
	}
	return errors.Join(err, storage.UnlessMissing(o.subject.HeardOf(w, d.entry))) // its game may be gone
}

// delivered takes all that a delivery tells out of the outbox.
func (d *delivery) delivered(w storage.Writer) (err error) {
	for _, id := range d.ids {
		err = errors.Join(err, w.Delivered(d.queue.Queue, id))
	}
	return err
}

// park sets an entry aside that cannot be put into words. It stays in the outbox, and is tried again
// after a restart. Entries that were joined with it are said by themselves.
func (o *Outbox) park(d *delivery, why error) {
	p := storage.Quarantined{Ref: storage.Ref{Kind: storage.OfEntry, ID: d.entry.ID}, At: o.now(), Fault: Fault(why)}
	d.write = func(w storage.Writer) error { return w.Quarantine(p) }
	o.parked.Store(d.entry.ID, true)
	if len(d.ids) > 1 {
		d.behind = 0
	}
}

// again puts off what could not be said. A place where several things in a row could not be said is
// left alone for a while.
func (o *Outbox) again(d *delivery, why error) {
	now, tries := o.now(), d.entry.Tries+1
	d.behind, d.next = 0, now.Add(backOff(d.first, tries))
	const few = 2
	if d.from.faults++; d.from.faults > few {
		d.from.rest = now.Add(backOff(uint64(d.from.id), d.from.faults-few))
	}
	d.write = func(w storage.Writer) error {
		e, err := w.Entry(d.queue.Queue, d.first)
		if storage.Missing(err) {
			return nil // it was taken back
		}
		e.Tries, e.Fault, e.Next = tries, Fault(why), d.next
		return errors.Join(err, w.Retry(e))
	}
}

// giveUp sets aside an entry that can never be said, if it is to be kept. Where the place is gone, its players are told
// elsewhere if possible. A private chat that its owner has closed counts as told: nobody can stop a
// clock by blocking the bot.
func (o *Outbox) giveUp(w storage.Writer, d *delivery, never *Never) error {
	_, err := w.Entry(d.queue.Queue, d.entry.ID)
	if storage.Missing(err) {
		return nil // it was taken back
	}
	e, told := d.entry, false
	e.Tries, e.Fault = e.Tries+1, Fault(never)
	if err == nil && never.Gone {
		told, err = o.subject.PlaceGone(w, e)
	}
	if err == nil {
		err = d.delivered(w)
	}
	if err != nil || told || !o.subject.Keeps(&e) {
		return err
	}
	if never.Gone && d.at.Owner != 0 {
		err = storage.UnlessMissing(o.subject.HeardOf(w, e))
	}
	return errors.Join(err, w.Undeliverable(e))
}

// rarely is how long to wait between tries at a place that answered [ErrAway].
const rarely = 24 * time.Hour

// putOff tells people elsewhere what waits in a queue, each entry once, and keeps what does not reach
// all of them. If much waits, the rest follows at once.
func (o *Outbox) putOff(w storage.Writer, d *delivery, why error) error {
	const most = 64
	d.next, d.away = o.now().Add(rarely), d.first
	fresh, kept := 0, false
	for e, err := range w.Waiting(d.queue.Queue) {
		if err != nil {
			return err
		}
		tried := e.Tries > 0
		if !tried {
			fresh++
		}
		if fresh > most {
			break
		}
		d.away = max(d.away, e.ID)
		if tried && (kept || e.Next.After(o.now())) {
			kept = true
			continue // only the first decides when the queue is tried again
		}
		all := false
		if !tried {
			all, err = o.subject.TellHome(w, e)
		}
		if err == nil && all {
			err = w.Delivered(d.queue.Queue, e.ID)
		} else if err == nil {
			kept = true
			e.Tries, e.Fault, e.Next = e.Tries+1, Fault(why), d.next
			err = w.Retry(e)
		}
		if err != nil {
			return err
		}
	}
	if d.behind = d.away; kept {
		d.behind = 0
	}
	if fresh > most {
		d.next, d.away = o.now(), 0
	}
	return nil
}

// Back ends the wait at a place that answered [ErrAway]: somebody there wants something of the bot.
func (o *Outbox) Back(at storage.Address) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range o.places {
		if p.address != at {
			continue
		}
		for _, q := range p.queues {
			if q.away {
				q.next, q.away = time.Time{}, false
			}
		}
		o.settle(p, o.now())
	}
	o.news.Look()
}

// about is what the log says about a delivery.
func (d *delivery) about(err error) []any {
	return []any{
		slog.Uint64("entry", d.entry.ID), slog.Uint64("game", uint64(d.entry.Game)), slog.String("kind", d.entry.Kind),
		slog.String("platform", d.from.on.name), slog.Int("tries", d.entry.Tries), slog.String("err", Fault(err)),
	}
}

// Fault is an error as operators see it: shortened, and without the address of a request, which may
// contain a token.
func Fault(err error) string {
	const most = 300
	if request := (*url.Error)(nil); errors.As(err, &request) {
		err = fmt.Errorf("%s: %w", request.Op, request.Err)
	}
	said := err.Error()
	return strings.ToValidUTF8(said[:min(len(said), most)], "")
}

// longest is the longest wait before something is tried again.
const longest = 10 * time.Minute

// backOff is how long to wait after a number of tries: up to a second, doubling to longest. It varies
// by thing, so that not all are tried at once, but is the same for the same thing and number of tries.
func backOff(thing uint64, tries int) time.Duration {
	wait := min(time.Second<<min(tries-1, 10), longest)
	return time.Duration(float64(wait) * (1 + rand.New(rand.NewPCG(thing, uint64(tries))).Float64()) / 2)
}

// Limit is how often something may be said.
type Limit struct {
	Name       string        // what shares it, such as a room with all its threads
	Every      time.Duration // how long after one message the next may follow
	Burst      int           // how many at once after a pause
	Everywhere bool          // the whole platform shares it
	Answers    bool          // only answers take from it
}

// Line reserves a turn for an answer at a place and on its platform, and returns how long to wait for
// it. However many answers wait, they take no more than their share of what may be said. Anything
// costly should be made once the turn has come.
func (o *Outbox) Line(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.spend(o.now(), at, true, true))
}

// Take takes a message that is said at once from the budget of its place (for an answer, when its turn
// has come), and returns how long to wait before saying it.
func (o *Outbox) Take(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	here, everywhere := o.spend(now, at, false, true)
	return max(here, everywhere, o.heldUntil(at).Sub(now))
}

// Spare takes a message from the budget of its place if there is some to spare: nothing waits to be
// said there, and half of each limit is left. Otherwise it returns when to ask again.
func (o *Outbox) Spare(at storage.Address) time.Duration {
	const rarely = 5 * time.Second
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	wait, limits := o.heldUntil(at).Sub(now), o.limits(at)
	for _, l := range limits {
		missing := min(float64(l.Burst), float64(l.Burst)/2+1) - o.limiter(at.Platform, l).TokensAt(now)
		switch {
		case l.Answers || missing <= 0:
		case l.Everywhere: // as for many others that ask
			wait = max(wait, rarely)
		default:
			wait = max(wait, time.Duration(missing*float64(l.Every))+time.Millisecond)
		}
	}
	if wait > 0 {
		return wait
	}
	if shared := o.shared(at); len(limits) > 0 {
		for _, other := range o.places {
			if o.shared(other.address) == shared {
				return rarely
			}
		}
	}
	return max(o.spend(now, at, false, false))
}

// Held is how much longer a place is to be left alone.
func (o *Outbox) Held(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.heldUntil(at).Sub(o.now()), 0)
}

// Hold leaves a place, or its whole platform, alone for as long as the platform asked. For what the
// outbox says, it does this itself.
func (o *Outbox) Hold(at storage.Address, l *Later) {
	const least = time.Second / 10
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	maps.DeleteFunc(o.held, func(_ storage.Address, until time.Time) bool { return !until.After(now) })
	if at = o.shared(at); l.Everywhere {
		at.ID = ""
	}
	o.held[at] = latest(o.held[at], now.Add(max(l.After, least)))
}

// heldUntil is until when a place is to be left alone.
func (o *Outbox) heldUntil(at storage.Address) time.Time {
	if len(o.held) == 0 {
		return time.Time{}
	}
	return latest(o.held[o.shared(at)], o.held[storage.Address{Platform: at.Platform}])
}

// shared is a place with the name of its own limit as its ID, if it has one: places that share a limit
// wait together.
func (o *Outbox) shared(at storage.Address) storage.Address {
	for _, l := range o.limits(at) {
		if !l.Everywhere && !l.Answers {
			at.ID = l.Name
			break
		}
	}
	return at
}

func (o *Outbox) limits(at storage.Address) []Limit {
	if on := o.platforms[at.Platform]; on != nil {
		return on.sender.Limits(at)
	}
	return nil
}

// spend takes one message from a place's limits, either those for answers or the others. If one is
// used up it takes nothing, unless the message goes first, and returns how long the place, and the
// whole platform, must wait.
func (o *Outbox) spend(now time.Time, at storage.Address, answers, first bool) (here, everywhere time.Duration) {
	o.sweep(now)
	var takes [4]*rate.Limiter
	from := takes[:0]
	for _, l := range o.limits(at) {
		if l.Answers != answers {
			continue
		}
		limiter := o.limiter(at.Platform, l)
		from = append(from, limiter)
		missing := 1 - limiter.TokensAt(now)
		if missing <= 0 {
			continue
		}
		wait := &here
		if l.Everywhere {
			wait = &everywhere
		}
		*wait = max(*wait, time.Duration(missing*float64(l.Every))+time.Millisecond)
	}
	if here+everywhere == 0 || first {
		for _, limiter := range from {
			limiter.ReserveN(now, 1)
		}
	}
	return here, everywhere
}

// sweep forgets limits that are as good as new, now and then.
func (o *Outbox) sweep(now time.Time) {
	const often = 10 * time.Minute
	if now.Sub(o.swept) >= often {
		o.swept = now
		maps.DeleteFunc(o.limiters, func(_ storage.Address, l *rate.Limiter) bool { return l.TokensAt(now) >= float64(l.Burst()) })
	}
}

// How long drawing gives way to answers at most, and how often it looks.
const (
	courtesy = 2 * time.Millisecond
	glance   = courtesy / 10
)

// Answering notes that a request is being carried out that others will be told of. Drawing their
// boards takes a core, so it waits a moment until answered is called, which must be done once the
// asker has the answer.
func (o *Outbox) Answering() (answered func()) {
	o.answering.Add(1)
	return sync.OnceFunc(func() { o.answering.Add(-1) })
}

// giveWay lets answers go first, for a moment.
func (o *Outbox) giveWay() {
	for waited := time.Duration(0); waited < courtesy && o.answering.Load() > 0; waited += glance {
		time.Sleep(glance)
	}
}
