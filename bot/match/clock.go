package match

import (
	"cmp"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Moment is a moment of the running clock, and how far that is behind the wall clock.
type Moment struct {
	Now time.Time
	lag time.Duration
}

// wall is a moment of the running clock as the wall clock will show it.
func (m Moment) wall(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return at.Add(m.lag)
}

// Moment is now, to the second. It never runs backward, nor behind the last Beat, which may be
// that of another process, and not far from it, so that a jump of the wall clock is seen before
// it can do harm.
func (s *Service) Moment(r storage.Reader) (Moment, error) {
	clocks, err := r.Running()
	wall := s.now().UnixNano()
	if alive := clocks.Alive; !alive.IsZero() {
		wall = min(max(wall, alive.UnixNano()), alive.Add(Outage).UnixNano())
	}
	now := time.Unix(0, wall).Add(-clocks.Lag).Unix()
	for {
		furthest := s.furthest.Load()
		now = max(now, furthest)
		if now == furthest || s.furthest.CompareAndSwap(furthest, now) {
			return Moment{time.Unix(now, 0).UTC(), clocks.Lag}, err
		}
	}
}

// keepTime brings the clock of a game up to date with a change: a turn that ends
// uses its time, and a turn that begins has its own. last is whose turn it was, if that is known.
func (s *Service) keepTime(r storage.Reader, was, g *storage.Game, last *storage.Person) error {
	switch {
	case g.Pace.Unlimited():
		return nil
	case g.Over():
		g.Clock = storage.Clock{Bank: g.Clock.Bank}
		return nil
	}
	m, err := s.Moment(r)
	next, err2 := r.People().Get(g.Players[g.Turn])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	if was.Clock.Since.After(m.Now) { // as another process saw it
		m.Now = was.Clock.Since
	}
	switch {
	case was.ID == 0:
		g.Clock = storage.Clock{Since: m.Now, Bank: [2]time.Duration{g.Pace.Bank, g.Pace.Bank}}
	case len(was.Moves) != len(g.Moves):
		before, whose := *was, *last
		if p := before.Players[before.Turn]; p != whose.ID {
			if whose, err = r.People().Get(p); err != nil {
				return err
			}
		}
		adjust(&before, &whose, m)
		g.Clock = storage.Clock{Since: m.Now, Bank: g.Clock.Bank}
		g.Clock.Bank[was.Turn] -= max(was.Clock.Bank[was.Turn]-before.Left(m.Now), 0)
	}
	adjust(g, &next, m)
	return nil
}

// Seat lets the clock of a game run, or stand still, as is right for the new player of a side.
func (s *Service) Seat(r storage.Reader, g *storage.Game, side storage.Side, from, into *storage.Person) error {
	if g.Pace.Unlimited() || g.Turn != side {
		return nil
	}
	m, err := s.Moment(r)
	if err != nil {
		return err
	}
	adjust(g, from, m)
	switch {
	case !stops(g, into):
		goOn(g, m.Now, m)
	case g.Clock.Stopped.IsZero():
		g.Clock.Stopped = m.Now
	}
	setWake(g, into, m)
	return nil
}

// Rewind sets the clocks of a person's games after their settings, some of them later.
func (s *Service) Rewind(w storage.Writer, p *storage.Person) error {
	return storage.BeginJob(w, storage.Job{Kind: setting, Of: uint64(p.ID)}, s.setMore)
}

// adjust lets the clock of a game, in which it is a person's turn, stand still while they are on
// vacation, and else run: as of when the vacation began or ended, which the clocks of many games
// come to know only by and by. Whoever goes by such a clock adjusts it first.
func adjust(g *storage.Game, p *storage.Person, m Moment) {
	c, v := &g.Clock, &p.Vacation
	if !c.Stopped.IsZero() && (!p.Away() || c.Stopped.Before(v.Ended)) {
		if short := c.Stopped.Add(onReturn).Sub(g.Due()); v.RanOut && short > 0 {
			c.Since, c.Reminded = c.Since.Add(short), time.Time{}
		}
		goOn(g, v.Ended, m)
	}
	if stops(g, p) && c.Stopped.IsZero() {
		c.Stopped = v.Since
		if c.Since.After(v.Since) {
			c.Stopped = c.Since
		}
	}
	setWake(g, p, m)
}

// stops reports whether the clock of a game stands still in which it is a person's turn: they are on
// vacation, and the game is of no season.
func stops(g *storage.Game, p *storage.Person) bool { return p.Away() && g.Season == 0 }

// goOn lets the clock of a game run again as of a moment. Where little time is left there is
// notice of it again.
func goOn(g *storage.Game, since time.Time, m Moment) {
	c := &g.Clock
	if !c.Stopped.IsZero() {
		c.Since = c.Since.Add(max(since.Sub(c.Stopped), 0))
		c.Stopped = time.Time{}
	}
	if g.Left(m.Now) <= Notice {
		c.Reminded, c.Told = time.Time{}, c.Told&^lastWord
	}
}

// setMore sets the clocks of some more games with a limit in which it is a person's turn.
func (s *Service) setMore(w storage.Writer, t *storage.Job) (more bool, err error) {
	m, err := s.Moment(w.Reader)
	p, err2 := w.People().Get(storage.PersonID(t.Of))
	if err := cmp.Or(err, err2); err != nil {
		return false, err
	}
	left := fewClocks
	return storage.Batch(w.Games().Each(w.Playing(p.ID)), &left, func(g storage.Game) (bool, error) {
		if g.ID <= t.Game || g.Pace.Unlimited() || g.Players[g.Turn] != p.ID {
			return false, nil
		}
		t.Game = g.ID
		adjust(&g, &p, m)
		return true, w.Games().Put(g)
	})
}

// HeardOf notes that what an entry says has been delivered. It belongs in the
// transaction that crosses the entry off.
func (s *Service) HeardOf(w storage.Writer, e storage.Entry) error {
	if event.Kind(e.Kind) != event.Reminded {
		return nil
	}
	g, err := w.Games().Get(e.Game)
	if err != nil || g.Over() || len(g.Moves) != e.Ply || !g.Clock.Reminded.IsZero() {
		return err
	}
	m, err := s.Moment(w.Reader)
	p, err2 := w.People().Get(g.Players[g.Turn])
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	g.Clock.Reminded = m.Now
	adjust(&g, &p, m)
	return w.Games().Put(g)
}
