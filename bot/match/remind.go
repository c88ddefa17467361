package match

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/storage"
)

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
