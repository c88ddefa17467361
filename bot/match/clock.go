package match

import (
	"slices"
	"strconv"
	"strings"
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
	wall := s.now()
	if far := clocks.Alive.Add(Outage); !clocks.Alive.IsZero() && wall.After(far) {
		wall = far
	}
	if wall.Before(clocks.Alive) {
		wall = clocks.Alive
	}
	now := wall.Add(-clocks.Lag).Unix()
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
	if g.Pace.Move == 0 {
		return nil
	}
	if g.Over() {
		g.Clock = storage.Clock{Bank: g.Clock.Bank}
		return nil
	}
	m, err := s.Moment(r)
	if err != nil {
		return err
	}
	if was.Clock.Since.After(m.Now) { // as another process saw it
		m.Now = was.Clock.Since
	}
	next, err := r.People().Get(g.Players[g.Turn])
	if err != nil {
		return err
	}
	if was.ID == 0 || len(was.Moves) != len(g.Moves) {
		g.Clock = storage.Clock{Since: m.Now, Bank: g.Clock.Bank}
		if was.ID == 0 {
			g.Clock.Bank = [2]time.Duration{g.Pace.Bank, g.Pace.Bank}
		} else {
			before, whose := *was, *last
			if p := before.Players[before.Turn]; p != whose.ID {
				if whose, err = r.People().Get(p); err != nil {
					return err
				}
			}
			adjust(&before, &whose, m)
			used := was.Pace.Move + was.Clock.Bank[was.Turn] - before.Left(m.Now)
			g.Clock.Bank[was.Turn] -= max(used-was.Pace.Move, 0)
		}
	}
	adjust(g, &next, m)
	return nil
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
	if !wants(p.Settings, Reminders[i].Name) || !at.After(g.Clock.Since) {
		return time.Time{}
	}
	from, until, quiet := quietHours(p.Settings, at.Add(lag))
	switch {
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
	begin, end, ok := hours(s.Quiet)
	if !ok {
		return from, until, false
	}
	local := at.In(zone(s.Zone))
	hour := func(day, hour int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()+day, hour, 0, 0, 0, local.Location())
	}
	for day := -1; day <= 0; day++ {
		from, until = hour(day, begin), hour(day, end)
		if end <= begin {
			until = hour(day+1, end)
		}
		if !local.Before(from) && local.Before(until) {
			return from, until, true
		}
	}
	return from, until, false
}

// AreHours reports whether a text is of the form "22-7".
func AreHours(text string) bool {
	_, _, ok := hours(text)
	return ok
}

// hours reads "22-7".
func hours(text string) (begin, end int, ok bool) {
	one, other, found := strings.Cut(text, "-")
	begin, err := strconv.Atoi(one)
	end, err2 := strconv.Atoi(other)
	in := begin >= 0 && begin < 24 && end >= 0 && end < 24 && begin != end
	return begin, end, found && err == nil && err2 == nil && in
}

func zone(name string) *time.Location {
	if where, err := time.LoadLocation(name); err == nil {
		return where
	}
	return time.UTC
}

func wants(s storage.Settings, reminder string) bool {
	return s.Reminders == "" || slices.Contains(strings.Split(s.Reminders, ","), reminder)
}

// setWake says when there is something to do about a clock next: a reminder, or
// that the time is up. A reminder that has come to lie ahead is sent again.
func setWake(g *storage.Game, p *storage.Person, m Moment) {
	c := &g.Clock
	c.Wake = time.Time{}
	due := g.Due()
	if due.After(m.Now) {
		c.Up = false
	}
	if !c.Stopped.IsZero() || c.Up {
		return
	}
	for i := range Reminders {
		at := remindAt(g, p, i, m.lag)
		if at.After(m.Now) {
			c.Told &^= 1 << i
		}
		if !at.IsZero() && c.Told&(1<<i) == 0 && (c.Wake.IsZero() || at.Before(c.Wake)) {
			c.Wake = at
		}
	}
	end := flagAt(g)
	if due.After(m.Now) {
		c.Told &^= lastWord
	}
	if !end.IsZero() && (c.Wake.IsZero() || end.Before(c.Wake)) {
		c.Wake = end
	}
}

// flagAt is when the time of the player to move is up, or when that must be looked
// at; zero while the last word has not been delivered.
func flagAt(g *storage.Game) time.Time {
	due := g.Due()
	switch {
	case !g.Clock.Reminded.IsZero():
		if noticed := g.Clock.Reminded.Add(Notice); noticed.After(due) {
			return noticed
		}
		return due
	case g.Clock.Told&lastWord != 0:
		return time.Time{}
	}
	return due
}

// HeardOf notes that what an entry says has been delivered. It belongs in the
// transaction that crosses the entry off.
func (s *Service) HeardOf(w storage.Writer, e storage.Entry) error {
	if event.Kind(e.Kind) != event.Reminded {
		return nil
	}
	g, err := w.Games().Get(e.Game)
	if err != nil {
		return err
	}
	if g.Over() || len(g.Moves) != e.Ply || !g.Clock.Reminded.IsZero() {
		return nil
	}
	m, err := s.Moment(w.Reader)
	if err != nil {
		return err
	}
	p, err := w.People().Get(g.Players[g.Turn])
	if err != nil {
		return err
	}
	g.Clock.Reminded = m.Now
	adjust(&g, &p, m)
	return w.Games().Put(g)
}
