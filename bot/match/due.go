package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	no := (*event.Refusal)(nil)
	return errors.Is(err, errUnfit) || storage.Missing(err) || errors.As(err, &no)
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
		what, err = event.Expired, w.Challenges().Delete(c.ID)
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
	end := flagAt(&g)
	switch {
	case end.IsZero() || end.After(m.Now):
	case g.Clock.Reminded.IsZero():
		g.Clock.Told |= lastWord
		remind = true
	default:
		return s.timeUp(w, was, now.Position, p, m)
	}
	if remind {
		err = s.events.Post(w, &g, event.Event{Kind: event.Reminded, Ply: len(g.Moves), By: p.ID})
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
	opponent, err := w.People().Get(g.Players[1-g.Turn])
	switch {
	case err != nil:
		return err
	case g.Rated || opponent.Settings.Claim:
		return s.endNow(w, g, onTime(&g, pos), opponent.ID)
	}
	g.Clock.Up, g.Clock.Wake = true, time.Time{}
	return errors.Join(w.Games().Put(g), s.events.Post(w, &g, event.Event{Kind: event.TimeUp, Ply: len(g.Moves), By: p.ID}))
}
