package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
)

// errUnfit is about a record that cannot be handled.
var errUnfit = errors.New("match: the record cannot be handled")

// Unfit reports whether an error is due to what is stored, and not to where: it would
// be the same the next time.
func Unfit(err error) bool {
	_, refused := errors.AsType[*event.Refusal](err)
	return refused || errors.Is(err, errUnfit) || storage.Missing(err)
}

// HandleDue does what is due on the running clock. What is due of a record that cannot be
// read or handled is not done, and the record is set aside.
func (s *Service) HandleDue(ctx context.Context) error {
	const batch = 64
	for {
		due, err := storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Deadline, error) {
			m, err := s.Moment(r)
			due, err2 := r.Due(m.Now, batch)
			return due, cmp.Or(err, err2)
		})
		if err != nil || len(due) == 0 {
			return err
		}
		err = s.handleAll(ctx, due...)
		if Unfit(err) || errors.Is(err, storage.ErrTooMuch) {
			err = nil
			for _, d := range due {
				err = errors.Join(err, s.handleOrPark(ctx, d))
			}
		}
		if err != nil {
			return err
		}
	}
}

// handleAll does all that is due of some deadlines, or nothing. It makes an error of a panic.
func (s *Service) handleAll(ctx context.Context, due ...storage.Deadline) error {
	return s.store.Update(ctx, func(w storage.Writer) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%w: panic: %v", errUnfit, p)
			}
		}()
		for _, d := range due {
			err = cmp.Or(err, s.handle(w, d))
		}
		return err
	})
}

// handleOrPark does what is due, or sets the record aside that it is due of.
func (s *Service) handleOrPark(ctx context.Context, d storage.Deadline) error {
	err := s.handleAll(ctx, d)
	if !Unfit(err) {
		return err
	}
	kind := d.Kind
	if kind == storage.DueVacation {
		kind = storage.OfPerson
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		return errors.Join(w.DropDue(d), w.Quarantine(storage.Quarantined{Ref: storage.Ref{Kind: kind, ID: d.ID}, At: s.now(), Fault: err.Error()}))
	})
}

// NextDue is when there is something to do next, on the wall clock; the zero time
// if there is nothing.
func (s *Service) NextDue(ctx context.Context) (time.Time, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (time.Time, error) {
		d, err := r.NextDue()
		clocks, err2 := r.Running()
		return Moment{lag: clocks.Lag}.wall(d.At), cmp.Or(err, err2)
	})
}

// handle does what is due, unless that has been done or put off since it was read.
func (s *Service) handle(w storage.Writer, d storage.Deadline) error {
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	var due time.Time // as the record has it, zero if there is none
	var do func() error
	switch d.Kind {
	case storage.DueGame:
		g, fault := w.Games().Get(storage.GameID(d.ID))
		due, err, do = g.Clock.Wake, fault, func() error { return s.wake(w, g, m) }
	case storage.DueChallenge:
		c, fault := w.Challenges().Get(storage.GameID(d.ID))
		due, err, do = c.Due(), fault, func() error { return s.overdue(w, c) }
	case storage.DueVacation:
		p, fault := w.People().Get(storage.PersonID(d.ID))
		due, err, do = p.Vacation.Until, fault, func() error { return s.comeBack(w, p, m, 0, p.Vacation.Auto) }
	}
	switch {
	case err != nil && !errors.Is(err, storage.ErrNotFound):
		return err
	case err != nil, due.Unix() != d.At.Unix():
		return w.DropDue(d)
	}
	return do()
}

// overdue is for a challenge that expires, or that nobody has joined for a while: that is told, so
// that the computer may take it up.
func (s *Service) overdue(w storage.Writer, c storage.Challenge) error {
	what, err := event.Unjoined, error(nil)
	if c.Due().Equal(c.Expires) {
		what, err = event.Expired, errors.Join(w.Challenges().Delete(c.ID), s.unmet(w, &c))
	} else {
		c.Lonely = true
		err = w.Challenges().Put(c)
	}
	return errors.Join(err, TellChallenge(w, s.now(), c.From, c, what))
}

// wake reminds the player to move, or ends their time.
func (s *Service) wake(w storage.Writer, g storage.Game, m Moment) error {
	p, err := w.People().Get(g.Players[g.Turn])
	now, err2 := s.Current(&g) // else nobody can play on
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	was := g
	if adjust(&g, &p, m); !g.Clock.Stopped.IsZero() {
		return w.Games().Put(g)
	}
	remind := false
	for i := range Reminders {
		at := remindAt(&g, &p, i, m.lag)
		if !at.IsZero() && !at.After(m.Now) && g.Clock.Told&(1<<i) == 0 {
			g.Clock.Told |= 1 << i
			remind = true
		}
	}
	switch end := flagAt(&g); {
	case end.IsZero() || end.After(m.Now):
	case g.Clock.Reminded.IsZero():
		g.Clock.Told |= lastWord
		remind = true
	default:
		return s.timeUp(w, was, now.Position, p, m)
	}
	if remind {
		err = w.Post(s.events.Entry(&g, g.Seat(g.Turn), event.Event{Kind: event.Reminded, Ply: len(g.Moves), By: p.ID}))
	}
	setWake(&g, &p, m)
	return errors.Join(err, w.Games().Put(g))
}

// timeUp is for a player who has had their time, and notice of it: a vacation begins if
// they have one left, else the game ends, or may be claimed.
func (s *Service) timeUp(w storage.Writer, g storage.Game, pos *rules.Position, p storage.Person, m Moment) error {
	if left := vacationLeft(&p, m.Now); g.Season == 0 && !p.Settings.Stay && !p.Away() && left > 0 {
		return s.goAway(w, p, m, left, 0, true)
	}
	switch opponent, err := w.People().Get(g.Players[1-g.Turn]); {
	case err != nil:
		return err
	case g.Rated || opponent.Settings.Claim:
		return s.endNow(w, g, onTime(&g, pos), opponent.ID)
	}
	g.Clock.Up, g.Clock.Wake = true, time.Time{}
	return errors.Join(w.Games().Put(g), s.events.Post(w, &g, event.Event{Kind: event.TimeUp, Ply: len(g.Moves), By: p.ID}))
}

// Reminders are sent so long before a player's time is up, and at half of it. They
// are named as people choose them.
var Reminders = [...]Reminder{{"half", 0}, {"24h", 24 * time.Hour}, {"4h", 4 * time.Hour}, {"1h", time.Hour}} //nolint:gochecknoglobals // never written

// Reminder is one of them.
type Reminder struct {
	Name   string
	before time.Duration // 0: half the time
}

// lastWord is the bit in Clock.Told of the reminder without which nobody's time is
// up: it is posted then, if no other was delivered.
const lastWord = 1 << len(Reminders)

// Notice is for how long before a player's time is up a reminder must have been
// delivered.
const Notice = time.Hour

// remindAt is when a reminder of a turn is due; the zero time if it is not wanted.
func remindAt(g *storage.Game, p *storage.Person, i int, lag time.Duration) time.Time {
	due := g.Due()
	at := due.Add(-Reminders[i].before)
	if Reminders[i].before == 0 {
		at = g.Clock.Since.Add(due.Sub(g.Clock.Since) / 2)
	}
	if some := p.Settings.Reminders; some != "" && !slices.Contains(strings.Split(some, ","), Reminders[i].Name) || !at.After(g.Clock.Since) {
		return time.Time{}
	}
	switch from, until, quiet := quietHours(p.Settings, at.Add(lag)); {
	case !quiet:
		return at
	case until.Before(due.Add(lag - Notice)):
		return until.Add(-lag)
	case from.Add(-lag).After(g.Clock.Since):
		return from.Add(-lag)
	}
	return at // there is no other hour
}

// quietHours are the quiet hours of a person that a moment of the wall clock is in.
func quietHours(s storage.Settings, at time.Time) (from, until time.Time, quiet bool) {
	begin, end, ok := Hours(s.Quiet)
	if !ok {
		return from, until, false
	}
	local := at.In(storage.ZoneOf(s.Zone))
	hour := func(day, hour int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()+day, hour, 0, 0, 0, local.Location())
	}
	day := 0
	if local.Hour() < begin {
		day = -1 // they began yesterday
	}
	from, until = hour(day, begin), hour(day, end)
	if end <= begin {
		until = hour(day+1, end)
	}
	return from, until, !local.Before(from) && local.Before(until)
}

// Hours reads "22-7".
func Hours(text string) (begin, end int, ok bool) {
	one, other, found := strings.Cut(text, "-")
	begin, err := strconv.Atoi(one)
	end, err2 := strconv.Atoi(other)
	in := begin >= 0 && begin < 24 && end >= 0 && end < 24 && begin != end
	return begin, end, found && err == nil && err2 == nil && in
}

// setWake says when there is something to do about a clock next: a reminder, or
// that the time is up. A reminder that has come to lie ahead is sent again.
func setWake(g *storage.Game, p *storage.Person, m Moment) {
	c := &g.Clock
	c.Wake = time.Time{}
	if g.Due().After(m.Now) {
		c.Up, c.Told = false, c.Told&^lastWord
	}
	if !c.Stopped.IsZero() || c.Up {
		return
	}
	wakeAt := func(at time.Time) {
		if !at.IsZero() && (c.Wake.IsZero() || at.Before(c.Wake)) {
			c.Wake = at
		}
	}
	for i := range Reminders {
		at := remindAt(g, p, i, m.lag)
		if at.After(m.Now) {
			c.Told &^= 1 << i
		}
		if c.Told&(1<<i) == 0 {
			wakeAt(at)
		}
	}
	wakeAt(flagAt(g))
}

// flagAt is when the time of the player to move is up, or when that must be looked
// at; zero while the last word has not been delivered.
func flagAt(g *storage.Game) time.Time {
	due, noticed := g.Due(), g.Clock.Reminded.Add(Notice)
	switch {
	case !g.Clock.Reminded.IsZero() && noticed.After(due):
		return noticed
	case g.Clock.Reminded.IsZero() && g.Clock.Told&lastWord != 0:
		return time.Time{}
	}
	return due
}

// Outage is how long the program must have been away for deadlines to move, and for
// people to be told.
const Outage = 30 * time.Minute

// Beat notes that the program is at work; it belongs at its start, and before every
// tick of what is due but those of a clock that is moved by hand, see Alive. Where it finds that the program
// was away for longer than Outage, or that the wall clock has jumped so far or back,
// it holds the running clock back by as much: every deadline moves, and every place
// with a game in progress is told; that goes on if the program ends meanwhile. Where
// the wall clock is behind by less, such as that of another process that took over, the running
// clock stands still until it has come up.
//
// Of several processes on one store, one calls it.
func (s *Service) Beat(ctx context.Context) error { return s.beat(ctx, false) }

// Alive notes that the program is at work, where the clock is moved by hand and has
// moved on.
func (s *Service) Alive(ctx context.Context) error { return s.beat(ctx, true) }

func (s *Service) beat(ctx context.Context, byHand bool) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil {
			return err
		}
		switch gap := s.now().Sub(clocks.Alive); {
		case byHand, clocks.Alive.IsZero():
		case gap < 0 && gap >= -Outage:
			return nil
		case gap < 0:
			clocks.Lag += gap
		case gap > Outage:
			clocks.Lag += gap
			if err := storage.BeginJob(w, storage.Job{Kind: recovery, Gap: gap}, s.tellOutage); err != nil {
				return err
			}
		}
		clocks.Alive = s.now()
		return w.PutRunning(clocks)
	})
}

// tellOutage tells some more lively places that deadlines have moved.
func (s *Service) tellOutage(w storage.Writer, t *storage.Job) (more bool, err error) {
	recovered := event.Event{Kind: event.Recovered, Payload: event.Outage{Gap: event.Span(t.Gap.Truncate(time.Minute))}}
	return storage.Batch(storage.Items(w.LivelyPlaces()), new(fewPlaces), func(place storage.PlaceID) (bool, error) {
		if place <= t.Place {
			return false, nil
		}
		t.Place = place
		return true, w.Post(recovered.Entry(place, s.now()))
	})
}
