package match_test

import (
	"fmt"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// timed begins a game between alice, who is White, and bob, at a pace.
func (c *club) timed(pace storage.Pace, rated bool) storage.GameID {
	c.t.Helper()
	id := c.begun(c.alice, c.bob, storage.Challenge{Variant: "chess", Rated: rated, Pace: pace})
	c.deliver()
	return id
}

// clocked is a club whose program is at work.
func clocked(t *testing.T) *club {
	t.Helper()
	c := newClub(t)
	c.beat()
	return c
}

// deliver crosses off what waits.
func (c *club) deliver() {
	c.t.Helper()
	for _, e := range c.outbox() {
		c.update(func(w storage.Writer) error {
			if err := w.Delivered(e.Queue(), e.ID); err != nil {
				return err
			}
			return c.HeardOf(w, e)
		})
	}
}

// pass lets time go by, as a program at work sees it.
func (c *club) pass(d time.Duration) {
	c.t.Helper()
	for end := c.now.Add(d); c.now.Before(end); {
		c.now = c.now.Add(min(10*time.Minute, end.Sub(c.now)))
		c.beat()
	}
}

// passHeard lets time go by in some parts, after each of which all is heard that was to be said.
func (c *club) passHeard(parts int, each time.Duration) {
	c.t.Helper()
	for range parts {
		c.pass(each)
		c.deliver()
	}
}

func (c *club) beat() {
	c.t.Helper()
	c.ok(c.Beat(c.t.Context()))
	c.tick()
}

func (c *club) look(id storage.GameID) *match.GameView {
	c.t.Helper()
	sight, err := c.Load(c.t.Context(), id, match.Latest)
	c.ok(err)
	return sight
}

func (c *club) onTime(id storage.GameID, result rules.Result) {
	c.t.Helper()
	if g := c.look(id).Game; g.Result != result.String() || g.Ending != string(rules.ByTime) {
		c.t.Errorf("game %d ended %s by %q, want %s by time", id, g.Result, g.Ending, result)
	}
}

func (c *club) choose(by event.By, name, value string) {
	c.t.Helper()
	c.must(c.Choose(c.t.Context(), by, name, value))
}

const day = 24 * time.Hour

func TestAJumpOfTheWallClockTakesNobodysTime(t *testing.T) {
	for _, jump := range []time.Duration{-400 * day, -time.Minute, 3 * day, 3650 * day} {
		c := clocked(t)
		id := c.timed(storage.Pace{Move: 2 * day}, true)
		c.pass(day)
		c.now = c.now.Add(jump)
		// Before the jump is noticed, a request comes.
		c.must(c.Draw(t.Context(), c.bob, id))
		c.beat()
		left := c.look(id).Left
		if left > day+time.Minute || left < day-match.Outage { // the clock stands still after a short jump back
			t.Errorf("after a jump of %v, %v are left of a day", jump, left)
		}
		c.deliver()
		c.pass(12 * time.Hour)
		if after := c.look(id).Left; left-after > 12*time.Hour || left-after < 12*time.Hour-match.Outage {
			t.Errorf("12 hours after a jump of %v the time went from %v to %v", jump, left, after)
		}
	}
}

// ofSeason begins a game of a season, with two days for each side.
func (c *club) ofSeason() storage.GameID {
	c.t.Helper()
	id := c.timed(storage.Pace{Bank: 2 * day}, true)
	c.change(id, func(g *storage.Game) { g.Season = 1 })
	return id
}

func TestNoVacationStopsTheClockOfASeason(t *testing.T) {
	c := clocked(t)
	id := c.ofSeason()
	other := c.timed(storage.Pace{Move: 3 * day}, true)
	c.must(c.GoAway(t.Context(), c.alice, 9))
	if told := c.waiting(event.WentAway); len(told) != 1 || told[0].Facts["games"] != fmt.Sprint(other) {
		t.Errorf("told was %v", told)
	}
	c.passHeard(4, 12*time.Hour)
	if left := c.look(id); !left.Away.IsZero() || c.look(other).Away.IsZero() {
		t.Errorf("%v: the clock of the season stands still, or the other runs", left.Left)
	}
	c.passHeard(1, 2*time.Hour)
	c.onTime(id, rules.BlackWins) // though she has never moved
	if c.look(other).Game.Over() {
		t.Error("the other game has ended")
	}
}

func TestNoVacationBeginsWhereTheTimeOfASeasonIsUp(t *testing.T) {
	c := clocked(t)
	id := c.ofSeason()
	c.moves(id, "e4")
	c.deliver()
	c.passHeard(5, 12*time.Hour)
	c.onTime(id, rules.WhiteWins)
	if _, bob, err := c.VacationLeft(t.Context(), c.bob.Person); bob.Away() || err != nil {
		t.Errorf("he is on vacation: %v, %v", bob.Vacation, err)
	}
}
