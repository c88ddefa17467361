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

func TestAMonthThatHasEndedIsAsItsResultsAreByNow(t *testing.T) {
	c := newClub(t)
	carol, dave := c.meet("carol"), c.on("other", "dave")
	here := c.serve()
	first := c.duel(c.alice, c.bob, 10)
	c.duel(c.alice, carol, 10)
	c.duel(dave, c.bob, 10)
	month := storage.MonthOf(c.now)
	c.now = c.now.AddDate(0, 1, 0)
	// shown is how a leaderboard of that month begins.
	shown := func(server storage.ServerID, kind string, want ...storage.Row) {
		t.Helper()
		var got storage.FinalTable
		found := c.top(rating.Asked{Server: server, Game: kind, Period: rating.Period(month.String()), From: 1})
		for _, l := range found.Lines {
			got = append(got, storage.Row{Person: l.Person, Points: int(2 * l.Value), Games: l.Games})
		}
		if !slices.Equal(got, want) || found.All != len(want) || found.Final {
			t.Errorf("shown is %v of %d, want %v", got, found.All, want)
		}
		c.ratingsHold()
	}
	row := func(by event.By, points, games int) storage.Row {
		return storage.Row{Person: by.Person, Points: points, Games: games}
	}
	all := []storage.Row{row(c.alice, 4, 2), row(dave, 2, 1), row(carol, 0, 1), row(c.bob, 0, 2)}
	for _, server := range []storage.ServerID{0, here} {
		shown(server, storage.Overall, all...)
		shown(server, "chess", all...)
		shown(server, "combine")
	}
	c.must(c.Hide(t.Context(), c.alice, c.alice.Person, true))
	shown(0, storage.Overall, all...)
	shown(here, storage.Overall, all[1:]...)
	c.must(c.Hide(t.Context(), c.alice, c.alice.Person, false))
	shown(here, storage.Overall, all...)
	c.must(c.Choose(t.Context(), c.bob, user.SetBoards, "off"))
	shown(0, "chess", all[:3]...)
	shown(here, storage.Overall, all[:3]...)
	c.must(c.Choose(t.Context(), c.bob, user.SetBoards, "on"))
	shown(here, storage.Overall, all...)
	c.annul(first.ID)
	shown(0, storage.Overall, row(c.alice, 2, 1), row(dave, 2, 1), row(c.bob, 0, 1), row(carol, 0, 1))
	shown(here, "chess", row(c.alice, 2, 1), row(dave, 2, 1), row(c.bob, 0, 1), row(carol, 0, 1))
	c.must(c.UseLink(t.Context(), dave, c.code(carol)))
	shown(here, "chess", row(c.alice, 2, 1), row(carol, 2, 2), row(c.bob, 0, 1))
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
