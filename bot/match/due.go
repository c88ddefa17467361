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

// errUnfit means that a record cannot be handled.
var errUnfit = errors.New("match: the record cannot be handled")

// Unfit reports whether an error is due to a stored record, and not to the storage: trying again would
// fail too.
func Unfit(err error) bool {
	_, refused := errors.AsType[*event.Refusal](err)
	return refused || errors.Is(err, errUnfit) || storage.Missing(err)
}

// HandleDue does everything that is due on the running clock. A record that cannot be read or handled
// is set aside.
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

// handleAll does everything that is due for some deadlines, or nothing. It turns a panic into an
// error.
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

// handleOrPark does what is due, or sets its record aside.
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

// NextDue is when something will be due, on the wall clock; the zero time if nothing will.
func (s *Service) NextDue(ctx context.Context) (time.Time, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (time.Time, error) {
		d, err := r.NextDue()
		clocks, err2 := r.Running()
		return Moment{lag: clocks.Lag}.wall(d.At), cmp.Or(err, err2)
	})
}

// handle does what is due, unless it has been done or put off since it was read.
func (s *Service) handle(w storage.Writer, d storage.Deadline) error {
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	var due time.Time // according to the record, zero if nothing is due
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

// overdue handles a challenge that expires, or that nobody has joined for a while, which is told so
// that the computer may take it up.
func (s *Service) overdue(w storage.Writer, c storage.Challenge) error {
	if !c.Due().Equal(c.Expires) {
		c.Lonely = true
		return errors.Join(w.Challenges().Put(c), TellChallenge(w, s.now(), c.From, c, event.Unjoined))
	}
	return errors.Join(w.Challenges().Delete(c.ID), TellChallenge(w, s.now(), c.From, c, event.Expired), s.unmet(w, &c))
}

// wake reminds the player to move, or acts on their time being up.
func (s *Service) wake(w storage.Writer, g storage.Game, m Moment) error {
	p, err := w.People().Get(g.Players[g.Turn])
	now, err2 := s.Current(&g) // after an error nobody can play on
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
		e := s.events.Entry(&g, g.Seat(g.Turn), event.Event{Kind: event.Reminded, Ply: len(g.Moves), By: p.ID})
		if slices.Contains(p.AllChats(), e.Place) {
			event.AddPayload(&e, event.Reminder{Turns: fmt.Sprintf("%d:%d ", e.Game, e.Ply)})
			e.Game = 0 // so that it is told with others
		}
		err = w.Post(e)
	}
	setWake(&g, &p, m)
	return errors.Join(err, w.Games().Put(g))
}

// timeUp handles a player whose time is up, and who was warned: a vacation begins if they have one
// left; else the game ends, or may be claimed.
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

// Reminders are sent when half of a player's time is left, and some time before it is up. People
// choose them by name.
var Reminders = [...]Reminder{{"half", 0}, {"24h", 24 * time.Hour}, {"4h", 4 * time.Hour}, {"1h", time.Hour}} //nolint:gochecknoglobals // never written

// Reminder is one of the [Reminders].
type Reminder struct {
	Name   string
	before time.Duration // 0 for half the time
}

// lastWord is the bit in Clock.Told of the last reminder, which is posted when time is up if no other
// was delivered. Without it, nobody's time counts as up.
const lastWord = 1 << len(Reminders)

// Notice is how long before a player's time is up a reminder must have been delivered.
const Notice = time.Hour

// remindAt is when a reminder of a turn is due; the zero time if the player does not want it.
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
	return at // there is no better time
}

// quietHours are a person's quiet hours, if a moment of the wall clock falls into them.
func quietHours(s storage.Settings, at time.Time) (from, until time.Time, quiet bool) {
	begin, end, ok := Hours(s.Quiet)
	if !ok {
		return from, until, false
	}
	local := at.In(storage.ZoneOf(s.Zone))
	day := local.Day()
	if local.Hour() < begin {
		day-- // they began on the day before
	}
	if end <= begin {
		end += 24
	}
	from = time.Date(local.Year(), local.Month(), day, begin, 0, 0, 0, local.Location())
	until = time.Date(local.Year(), local.Month(), day, end, 0, 0, 0, local.Location())
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

// setWake sets when to look at a clock next: for a reminder, or because time is up. A reminder is sent
// again if its time now lies ahead once more.
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

// flagAt is when to act on the time of the player to move being up; zero while the last word has not
// been delivered.
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

// Outage is how long the program must have been down for deadlines to move and people to be told.
const Outage = 30 * time.Minute

// Beat notes that the program is running. Call it at the start, and before each round of HandleDue,
// but see Alive for a clock that is moved by hand. If the program was down for longer than Outage, or
// the wall clock has jumped by as much, forward or back, Beat holds back the running clock: every
// deadline moves, and every place with a game in progress is told, even if the program ends in
// between. If the wall clock is only a little behind, for example as another process has taken over,
// the running clock stands still until it has caught up.
//
// Of several processes on one store, only one may call it.
func (s *Service) Beat(ctx context.Context) error { return s.beat(ctx, false) }

// Alive is Beat where the clock is moved by hand: a jump moves no deadlines.
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

// tellOutage tells some more places with games in progress that deadlines have moved.
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
