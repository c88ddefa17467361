package match_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/storage"
)

func TestEachMonthHasOneFinalTableThoughTheProgramIsAwayAndEndsInEveryStep(t *testing.T) {
	c, db, members := newBrittleClub(t, 1)
	carol := members[2]
	c.must(c.ChooseForServer(t.Context(), c.alice, user.SetSeasons, "on"))
	c.now = time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	c.duel(c.alice, c.bob, 10)
	c.duel(carol, c.bob, 10)
	c.duel(carol, c.alice, 10)
	c.now = c.now.Add(time.Second)
	c.duel(c.bob, c.alice, 10)
	c.tick()
	c.deliver()
	c.now = c.now.Add(rating.Settling - time.Second)
	c.tick()
	c.now = time.Date(2027, 3, 15, 0, 0, 0, 0, time.UTC)
	c.duel(c.alice, c.bob, 10)
	for {
		ended, err := db.Ends(func() error { return c.Tick(t.Context()) })
		c.ok(err)
		if !ended {
			break
		}
	}
	var months []string
	for _, e := range c.waiting(event.MonthEnded) {
		months = append(months, e.Facts["month"])
		if e.Place != c.alice.Place {
			t.Errorf("told in place %d", e.Place)
		}
	}
	if !slices.Equal(months, []string{"2026-12", "2027-01"}) { // February had no games
		t.Errorf("told were %v", months)
	}
	err := c.store.View(t.Context(), func(r storage.Reader) error {
		for month, want := range map[storage.Month]storage.FinalTable{
			storage.MonthOf(c.now) - 3: {{Person: carol.Person, Points: 4, Games: 2}, {Person: c.alice.Person, Points: 2, Games: 2}, {Person: c.bob.Person, Points: 0, Games: 2}},
			storage.MonthOf(c.now) - 2: {{Person: c.bob.Person, Points: 2, Games: 1}, {Person: c.alice.Person, Points: 0, Games: 1}},
		} {
			if got, err := r.FinalTable(1, month); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %v, %v, want %v", month, got, err, want)
			}
		}
		if _, err := r.FinalTable(1, storage.MonthOf(c.now)); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("the month that goes on has a table: %v", err)
		}
		return nil
	})
	c.ok(err)
	c.must(c.ChooseForServer(t.Context(), c.alice, user.SetSeasons, "off"))
	c.now = c.now.AddDate(0, 2, 0)
	c.deliver()
	c.tick()
	if n := len(c.outbox()); n != 0 {
		t.Errorf("%d things were told after seasons were turned off", n)
	}
}

func TestAnAnnulledGameLeavesAMonthThatHasEnded(t *testing.T) {
	c := newClub(t)
	here := c.serve()
	first := c.duel(c.alice, c.bob, 10)
	c.duel(c.bob, c.alice, 10)
	month := rating.Period(storage.MonthOf(c.now).String())
	c.now = c.now.AddDate(0, 1, 0)
	c.annul(first.ID)
	for _, server := range []storage.ServerID{0, here} {
		lines := c.top(rating.Asked{Server: server, Game: "chess", Period: month, From: 1}).Lines
		if len(lines) != 2 || lines[0].Person != c.bob.Person || lines[0].Value != 1 || lines[0].Games != 1 || lines[1].Games != 1 {
			t.Errorf("shown are %+v", lines)
		}
	}
}

func TestMonths(t *testing.T) {
	for text, begins := range map[string]time.Time{
		"2026-10": time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC),
		"2026-01": time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		"1999-12": time.Date(1999, 12, 1, 0, 0, 0, 0, time.UTC),
	} {
		m, ok := storage.ParseMonth(text)
		if !ok || !m.Begins().Equal(begins) || m.String() != text || storage.MonthOf(begins.Add(-1)) != m-1 || storage.MonthOf((m+1).Begins().Add(-1)) != m {
			t.Errorf("%s is %s from %s", text, m, m.Begins())
		}
	}
	for _, text := range []string{"", "month", "2026-13", "2026-1", "26-10", "0000-01", "2026-10-01"} {
		if m, ok := storage.ParseMonth(text); ok {
			t.Errorf("%q is read as %s", text, m)
		}
	}
}
