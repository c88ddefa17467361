package match_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"chimera/bot/match"
	"chimera/storage"
)

func TestEachMonthHasOneFinalTableThoughTheProgramIsAwayAndEndsInEveryStep(t *testing.T) {
	c, db, people := newBrittleClub(t, 1)
	carol := people[2]
	c.must(c.ChooseForServer(t.Context(), c.alice, match.SetSeasons, "on"))
	c.now = time.Date(2026, 12, 31, 23, 59, 59, 0, time.UTC)
	c.duel(c.alice, c.bob, 4)
	c.duel(carol, c.bob, 4)
	c.duel(carol, c.alice, 4)
	c.now = c.now.Add(time.Second)
	c.duel(c.bob, c.alice, 4)
	if err := c.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	c.now = c.now.Add(match.Settling - time.Second)
	if err := c.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.now = time.Date(2027, 3, 15, 0, 0, 0, 0, time.UTC)
	c.duel(c.alice, c.bob, 4)
	for {
		ended, err := db.ends(func() error { return c.Tick(t.Context()) })
		if err != nil {
			t.Fatal(err)
		}
		if !ended {
			break
		}
	}
	var months []string
	for _, e := range c.outbox() {
		if e.Kind == string(match.MonthEnded) {
			months = append(months, e.Facts[match.FactMonth])
			if e.Place != c.alice.Place {
				t.Errorf("told in place %d", e.Place)
			}
		}
	}
	if !slices.Equal(months, []string{"2026-12", "2027-01"}) { // February had no games
		t.Errorf("told were %v", months)
	}
	err := c.store.View(t.Context(), func(r storage.Reader) error {
		for month, want := range map[storage.Month]storage.Table{
			storage.MonthOf(c.now) - 3: {{Person: carol.Person, Points: 4, Games: 2}, {Person: c.alice.Person, Points: 2, Games: 2}, {Person: c.bob.Person, Points: 0, Games: 2}},
			storage.MonthOf(c.now) - 2: {{Person: c.bob.Person, Points: 2, Games: 1}, {Person: c.alice.Person, Points: 0, Games: 1}},
		} {
			if got, err := r.Table(1, month); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %v, %v, want %v", month, got, err, want)
			}
		}
		if _, err := r.Table(1, storage.MonthOf(c.now)); !errors.Is(err, storage.ErrNotFound) {
			t.Errorf("the month that goes on has a table: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c.must(c.ChooseForServer(t.Context(), c.alice, match.SetSeasons, "off"))
	c.now = c.now.AddDate(0, 2, 0)
	c.deliver()
	if err := c.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := len(c.outbox()); n != 0 {
		t.Errorf("%d things were told after seasons were turned off", n)
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
