package match

import (
	"time"

	"chimera/storage"
)

// Seat lets the clock of a game run, or stand still, as is right for the new player of a side.
func (s *Service) Seat(r storage.Reader, g *storage.Game, side storage.Side, from, into *storage.Person) error {
	if g.Pace.Move == 0 || g.Turn != side {
		return nil
	}
	m, err := s.Moment(r)
	if err != nil {
		return err
	}
	adjust(g, from, m)
	switch {
	case !into.Away():
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
	if p.Away() && c.Stopped.IsZero() {
		c.Stopped = v.Since
		if c.Since.After(v.Since) {
			c.Stopped = c.Since
		}
	}
	setWake(g, p, m)
}

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
	if err != nil {
		return false, err
	}
	p, err := w.People().Get(storage.PersonID(t.Of))
	if err != nil {
		return false, err
	}
	left := fewClocks
	return storage.Batch(w.Games().Each(w.Playing(p.ID)), &left, func(g storage.Game) (bool, error) {
		if g.ID <= t.Game || g.Pace.Move == 0 || g.Players[g.Turn] != p.ID {
			return false, nil
		}
		t.Game = g.ID
		adjust(&g, &p, m)
		return true, w.Games().Put(g)
	})
}
