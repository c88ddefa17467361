package match

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chimera/bot/inbox"
	"chimera/rules"
	"chimera/storage"
)

// Outage is how long the program must have been away for deadlines to move, and for
// people to be told.
const Outage = 30 * time.Minute

// Beat notes that the program is at work; it belongs to its start, and before every
// Tick but those of a clock that is moved by hand. Where it finds that the program
// was away for longer than Outage, or that the wall clock has jumped so far or back,
// it holds the running clock back by as much: every deadline moves, and every place
// with a game in progress is told.
func (s *Clocks) Beat(ctx context.Context) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil {
			return err
		}
		wall := s.now()
		gap := wall.Sub(clocks.Alive)
		switch {
		case clocks.Alive.IsZero():
		case gap > Outage:
			clocks.Lag += gap
			if err := s.tellAll(w, gap); err != nil {
				return err
			}
		case gap < 0:
			clocks.Lag += gap
		}
		clocks.Alive = wall
		return w.PutRunning(clocks)
	})
}

// Alive notes that the program is at work, where the clock is moved by hand and has
// moved on.
func (s *Clocks) Alive(ctx context.Context) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		clocks, err := w.Running()
		if err != nil {
			return err
		}
		clocks.Alive = s.now()
		return w.PutRunning(clocks)
	})
}

// tellAll tells every lively place that deadlines have moved.
func (s *Clocks) tellAll(w storage.Writer, gap time.Duration) error {
	places, err := w.LivelyPlaces()
	if err != nil {
		return err
	}
	for _, place := range places {
		e := storage.Entry{
			Place: place, At: s.now(), Kind: string(inbox.Recovered),
			Facts: map[string]string{inbox.FactGap: gap.Truncate(time.Minute).String()},
		}
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return nil
}

// HandleDue does what is due on the running clock. What is due of a record that cannot be
// read or handled is not done, and the record is set aside.
func (s *Clocks) HandleDue(ctx context.Context) error {
	for {
		due, err := s.due(ctx)
		if err != nil || len(due) == 0 {
			return err
		}
		err = s.handleAll(ctx, due...)
		if Unfit(err) {
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

// handleAll does all that is due of some deadlines, or nothing.
func (s *Clocks) handleAll(ctx context.Context, due ...storage.Deadline) error {
	return s.store.Update(ctx, func(w storage.Writer) error {
		for _, d := range due {
			if err := s.handleSafely(w, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// handleSafely is handle, and makes an error of a panic.
func (s *Clocks) handleSafely(w storage.Writer, d storage.Deadline) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic: %v", errUnfit, p)
		}
	}()
	return s.handle(w, d)
}

// handleOrPark does what is due, or sets the record aside that it is due of.
func (s *Clocks) handleOrPark(ctx context.Context, d storage.Deadline) error {
	err := s.handleAll(ctx, d)
	if !Unfit(err) {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		return errors.Join(w.DropDue(d), w.Park(storage.Parked{Ref: refOf(d), At: s.now(), Fault: err.Error()}))
	})
}

func (s *Clocks) due(ctx context.Context) ([]storage.Deadline, error) {
	const batch = 64
	var due []storage.Deadline
	err := s.store.View(ctx, func(r storage.Reader) error {
		now, _, err := s.Running(r)
		if err != nil {
			return err
		}
		due, err = r.Due(now, batch)
		return err
	})
	return due, err
}

// NextDue is when there is something to do next, on the wall clock; the zero time
// if there is nothing.
func (s *Clocks) NextDue(ctx context.Context) (time.Time, error) {
	var at time.Time
	err := s.store.View(ctx, func(r storage.Reader) error {
		d, err := r.NextDue()
		if err != nil || d.At.IsZero() {
			return err
		}
		clocks, err := r.Running()
		at = d.At.Add(clocks.Lag)
		return err
	})
	return at, err
}

// handle does what is due, unless that has been done or put off since it was read.
func (s *Clocks) handle(w storage.Writer, d storage.Deadline) error {
	now, clocks, err := s.Running(w.Reader)
	if err != nil {
		return err
	}
	var due time.Time // as the record has it, zero if there is none
	var do func() error
	switch d.Kind {
	case storage.DueGame:
		var g storage.Game
		g, err = w.Game(storage.GameID(d.ID))
		due, do = g.Clock.Wake, func() error { return s.wake(w, g, now, clocks) }
	case storage.DueChallenge:
		var c storage.Challenge
		c, err = w.Challenge(storage.GameID(d.ID))
		due, do = c.Expires, func() error { return s.expire(w, c) }
	case storage.DueVacation:
		var p storage.Person
		p, err = w.Person(storage.PersonID(d.ID))
		due, do = p.Vacation.Until, func() error { return s.EndVacation(w, p, now, clocks, 0) }
	}
	switch {
	case err != nil && !errors.Is(err, storage.ErrNotFound):
		return err
	case err != nil, due.Unix() != d.At.Unix():
		return w.DropDue(d)
	}
	return do()
}

func (s *Clocks) expire(w storage.Writer, c storage.Challenge) error {
	if err := w.DeleteChallenge(c); err != nil {
		return err
	}
	return Announce(w, s.now(), inbox.By{Person: c.From}, c, inbox.Expired)
}

// wake reminds the player to move, or ends his time.
func (s *Clocks) wake(w storage.Writer, g storage.Game, now time.Time, clocks storage.Running) error {
	p, err := w.Person(g.Players[g.Turn])
	if err != nil {
		return err
	}
	if _, err := s.games.Load(&g); err != nil {
		return err // nobody can play on
	}
	was := g
	remind := false
	for i := range Reminders {
		at := remindAt(&g, &p, i, clocks)
		if !at.IsZero() && !at.After(now) && g.Clock.Told&(1<<i) == 0 {
			g.Clock.Told |= 1 << i
			remind = true
		}
	}
	end := flagAt(&g)
	switch {
	case end.IsZero() || end.After(now):
	case g.Clock.Reminded.IsZero():
		g.Clock.Told |= lastWord
		remind = true
	default:
		return s.timeUp(w, was, p, now)
	}
	if remind {
		if err := s.inbox.Post(w, &g, inbox.Said{What: inbox.Reminded, Ply: len(g.Moves), By: p.ID}); err != nil {
			return err
		}
	}
	s.SetWake(&g, &p, now, clocks)
	return w.PutGame(was, g)
}

// timeUp is for a player who has had his time, and notice of it: a vacation begins if
// he has one left, else the game ends, or may be claimed.
func (s *Clocks) timeUp(w storage.Writer, g storage.Game, p storage.Person, now time.Time) error {
	if left := vacationLeft(&p, now); !p.Settings.Stay && !p.Away() && left > 0 {
		return s.goAway(w, p, now, left, 0, true)
	}
	opponent, err := w.Person(g.Players[1-g.Turn])
	if err != nil {
		return err
	}
	was := g
	if !g.Rated && !opponent.Settings.Claim {
		g.Clock.Up, g.Clock.Wake = true, time.Time{}
		return errors.Join(w.PutGame(was, g), s.inbox.Post(w, &g, inbox.Said{What: inbox.TimeUp, Ply: len(g.Moves), By: p.ID}))
	}
	loaded, err := s.games.Load(&g)
	if err != nil {
		return err
	}
	return s.EndNow(w, g, onTime(&g, loaded.Position), opponent.ID)
}

// EndNow ends a game within a transaction.
func (s *Clocks) EndNow(w storage.Writer, g storage.Game, o rules.Outcome, by storage.PersonID) error {
	was := g
	Conclude(&g, o)
	g.Changed = s.now()
	if err := s.games.knowMerges(&g); err != nil {
		return err
	}
	if err := s.keepTime(w, &was, &g); err != nil {
		return err
	}
	if err := s.league.Finish(w, &was, &g); err != nil {
		return err
	}
	return errors.Join(w.PutGame(was, g), s.inbox.Post(w, &g, inbox.Said{What: inbox.Ended, Ply: len(g.Moves), By: by}))
}
