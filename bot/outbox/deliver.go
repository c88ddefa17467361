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
	first uint64 // that waits in the queue
	at    storage.Place
	entry storage.Entry // that is said: the first of the queue, or one that those before it were joined with
	ids   []uint64      // of all that it tells

	said   bool
	write  func(storage.Writer) error // writes down what became of it; nil if nothing is to be
	behind uint64                     // the last entry of the queue that waits no more then
	next   time.Time                  // when the queue is tried again
	away   uint64                     // the last entry that waits for somebody to come to the place, or 0
}

// deliver says what comes next in a queue, and writes down what became of that. While that
// cannot be written nothing more is said, since all of it might be said again one day.
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

// written stores what became of a delivery, for which nobody waits. What cannot be so, though
// others could, is tried again.
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

// try says it, and finds out what is to be written of that.
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

// together is how many entries are told with the one that shows them, at most.
const together = 500

// open reads what comes next in a queue. A board is not held up by lines about what led to
// it: what the next entry shows is told with that.
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
	return errors.Join(err, o.heard(w, d.entry))
}

// heard notes that what an entry says was heard, if its game is still there.
func (o *Outbox) heard(w storage.Writer, e storage.Entry) error {
	return storage.UnlessMissing(o.subject.HeardOf(w, e))
}

// delivered takes all that a delivery tells out of the outbox.
func (d *delivery) delivered(w storage.Writer) (err error) {
	for _, id := range d.ids {
		err = errors.Join(err, w.Delivered(d.queue.Queue, id))
	}
	return err
}

// park sets an entry aside that cannot be made words of. It stays in the outbox, and is
// tried again when the program begins again. What it would have told too is said by itself.
func (o *Outbox) park(d *delivery, why error) {
	p := storage.Quarantined{Ref: storage.Ref{Kind: storage.OfEntry, ID: d.entry.ID}, At: o.now(), Fault: Fault(why)}
	d.write = func(w storage.Writer) error { return w.Quarantine(p) }
	o.parked.Store(d.entry.ID, true)
	if len(d.ids) > 1 {
		d.behind = 0
	}
}

// again keeps what could not be said, until it is tried again. A place at which one thing
// after the other could not be said is left alone for a while.
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

// giveUp keeps an entry aside that can never be said. Where the place is gone, its
// players are told elsewhere if they can be. Who has closed their own chat has heard all the
// same: nobody stops a clock by blocking the bot.
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
	if err != nil || told {
		return err
	}
	if never.Gone && d.at.Owner != 0 {
		err = o.heard(w, e)
	}
	return errors.Join(err, w.Undeliverable(e))
}

// rarely is how often it is tried to say something where that wants an occasion.
const rarely = 24 * time.Hour

// putOff tells what waits in a queue to its people elsewhere, each thing once, and keeps what
// does not reach all of them. Where much waits, the rest has its turn at once.
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
			continue // only the first says when it is tried again
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

// Back tells that something can be said at a place where that wants an occasion.
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

// backOff is how long to wait after a number of tries: up to a second, doubling to
// longest, and for each thing another part of that, so that not all come again at
// once. It is the same for the same thing after the same number of tries.
func backOff(thing uint64, tries int) time.Duration {
	wait := min(time.Second<<min(tries-1, 10), longest)
	return time.Duration(float64(wait) * (1 + rand.New(rand.NewPCG(thing, uint64(tries))).Float64()) / 2)
}

// Limit is how often something may be said.
type Limit struct {
	Name       string        // what shares it, such as a room with all its threads
	Every      time.Duration // how long after one message the next may follow
	Burst      int           // how many at once after a pause
	Everywhere bool          // all of the platform shares it
	Answers    bool          // only answers take from it, and nothing else
}

// Line takes a place in the line of answers at a place and on its platform, and says how long it is
// until its turn. However many wait there, they take no more than their part from what else is to be
// said, and what is costly to make is made after its turn.
func (o *Outbox) Line(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.spend(o.now(), at, true, true))
}

// Take takes a message that is said at once from the budget of its place, an answer when it is its
// turn, and says how long to wait before it is said.
func (o *Outbox) Take(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.now()
	here, everywhere := o.spend(now, at, false, true)
	return max(here, everywhere, o.heldUntil(at).Sub(now))
}

// Spare takes a message from the budget of its place if that is left over: nothing waits to
// be said there, and half of each limit is left for what may come. Otherwise it says when to ask again.
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

// Held is how long a place still wants to hear nothing.
func (o *Outbox) Held(at storage.Address) time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	return max(o.heldUntil(at).Sub(o.now()), 0)
}

// Hold makes a place wait, or its whole platform, as the platform asked when something was said
// there. The outbox does so itself for what it says.
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

// heldUntil is until when a place wants to hear nothing.
func (o *Outbox) heldUntil(at storage.Address) time.Time {
	if len(o.held) == 0 {
		return time.Time{}
	}
	return latest(o.held[o.shared(at)], o.held[storage.Address{Platform: at.Platform}])
}

// shared is a place with the name of its own limit as its ID, if it has one: what shares
// that is asked to wait together.
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

// spend takes one message from the limits of a place, those that everything takes from or those for
// answers. Where one has nothing left it takes nothing, unless the message goes before all that
// waits, and says how long to wait for the place, and until anything may be said anywhere.
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

// How long others wait at most for whoever is being answered, and how often they look.
const (
	courtesy = 2 * time.Millisecond
	glance   = courtesy / 10
)

// Answering notes that a request is being carried out of which others will hear. To draw what they
// hear takes a core, so that waits for a moment until answered is called, as it must be once the
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
