package match_test

import (
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/storage"
)

// TestProcessesWhoseClocksDifferTakeNobodysTime has two processes play on one store, of which one
// is two minutes ahead. No turn is longer or shorter by more than that, whoever keeps the clock:
// it passes from one to the other again and again. Nobody's bank is touched, and each reminder
// comes once, the earlier ones first, and none sooner by more than that.
func TestProcessesWhoseClocksDifferTakeNobodysTime(t *testing.T) {
	const skew, rounds = 2 * time.Minute, 40
	c := newClub(t)
	ahead := serve(c.store, func() time.Time { return c.now.Add(skew) }, func() bool { return true })
	both := [...]services{c.services, ahead}
	c.ok(c.Beat(t.Context()))
	id := c.timed(storage.Pace{Move: 2 * day, Bank: day}, false)
	game := func() storage.Game {
		t.Helper()
		return read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
	}
	bank, since := game().Clock.Bank, game().Clock.Since
	running := func(s services) time.Time {
		t.Helper()
		m := read(c, s.Moment)
		return m.Now
	}
	began, began0 := c.now, running(c.services)
	texts := [...]string{"Nf3", "Nf6", "Ng1", "Ng8"}
	for ply := range 8 {
		c.now = c.now.Add(20 * time.Second)
		s, by := both[ply/2%2], c.alice
		if ply%2 == 1 {
			by = c.bob
		}
		c.must(s.Move(t.Context(), by, id, texts[ply%4]))
		if g := game(); g.Clock.Bank != bank || g.Clock.Since.Before(since) {
			t.Errorf("after %d plies the banks are %v, and the turn began at %v, after one at %v", ply+1, g.Clock.Bank, g.Clock.Since, since)
		}
		since = game().Clock.Since
	}
	last := running(c.services)
	for round := range rounds {
		c.now = c.now.Add(5 * time.Minute)
		s := both[round%2]
		c.ok(s.Beat(t.Context()))
		for _, one := range both {
			now, passed := running(one), c.now.Sub(began)
			if off := now.Sub(began0) - passed; off < -time.Second || off > skew+time.Second {
				t.Fatalf("%v have passed, and the running clock is off by %v", passed, off)
			}
		}
		if now := running(s); now.Before(last) {
			t.Errorf("the running clock went from %v to %v", last, now)
		}
		last = running(s)
	}
	told := c.outbox()
	g := game()
	for due := g.Due(); running(both[0]).Before(due.Add(-time.Hour)); {
		c.now = c.now.Add(20 * time.Minute)
		s := both[c.now.Minute()/20%2]
		c.ok(s.Beat(t.Context()))
		c.ok(s.Tick(t.Context()))
	}
	var at time.Time
	reminders := 0
	for _, e := range c.outbox()[len(told):] {
		if e.Kind != string(event.Reminded) {
			continue
		}
		if reminders++; e.At.Before(at.Add(time.Hour)) {
			t.Errorf("a reminder of %v follows one of %v", e.At, at)
		}
		at = e.At
	}
	if reminders != len(match.Reminders) {
		t.Errorf("there were %d reminders", reminders)
	}
	if g = game(); g.Over() || g.Clock.Bank != bank {
		t.Errorf("the game is %+v", g)
	}
}
