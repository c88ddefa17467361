package rating

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// TestAMonthInWhichVeryManyHavePlayedHasATableOfAllOfThem has more of them than one value of any
// engine could list, and lets the program end in between.
func TestAMonthInWhichVeryManyHavePlayedHasATableOfAllOfThem(t *testing.T) {
	const couples = 15_000
	began := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	now := began
	db := &kvtest.Frail{DB: new(kvtest.Disk).Open("db"), Left: -1}
	store, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	var here storage.Place
	update := func(fn func(storage.Writer) error) {
		t.Helper()
		kvtest.Must(t, store.Update(t.Context(), fn))
	}
	update(func(w storage.Writer) (err error) {
		here, err = w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "server"})
		if err != nil {
			return err
		}
		server, err := w.Servers().Get(here.Server)
		server.Settings.Season = storage.Season{Place: here.ID, Month: storage.MonthOf(began)}
		return errors.Join(err, w.Servers().Put(server))
	})
	for some := range slices.Chunk(make([]struct{}, couples), 100) {
		update(func(w storage.Writer) error {
			for range some {
				if err := play(w, here.Server, began); err != nil {
					return err
				}
			}
			return nil
		})
	}
	now = now.AddDate(0, 1, 0)
	l := New(store, event.New(store, func() time.Time { return now }), nil, func() time.Time { return now })
	steps := 0
	for {
		db.Left = steps
		err := l.CloseMonths(t.Context())
		if err == nil {
			break
		}
		db.Left = -1
		update(func(w storage.Writer) error {
			if _, err := w.FinalTable(here.Server, storage.MonthOf(began)); !errors.Is(err, storage.ErrNotFound) {
				t.Errorf("there is a table though not all is kept: %v", err)
			}
			return nil
		})
		if steps++; !errors.Is(err, kvtest.ErrKilled) {
			t.Fatal(err)
		}
	}
	if steps < 3 {
		t.Errorf("the table was kept in %d transactions", steps)
	}
	kvtest.Must(t, store.View(t.Context(), func(r storage.Reader) error {
		table, err := r.FinalTable(here.Server, storage.MonthOf(began))
		people := map[storage.PersonID]bool{}
		for n, row := range table {
			people[row.Person] = true
			if want := map[bool]int{true: 2}[n < couples]; row.Points != want || row.Games != 1 {
				t.Fatalf("row %d is %+v", n, row)
			}
		}
		if len(people) != 2*couples {
			t.Errorf("the table has %d people, want %d", len(people), 2*couples)
		}
		return err
	}))
	shown, err := l.Top(t.Context(), Asked{Server: here.Server, Game: storage.Overall, Period: Period(storage.MonthOf(began).String()), From: 2*couples - 1})
	if err != nil || !shown.Final || shown.All != 2*couples || len(shown.Lines) == 0 {
		t.Errorf("shown is %+v: %v", shown, err)
	}
}

// play lets two who are new play a game that counts.
func play(w storage.Writer, server storage.ServerID, at time.Time) error {
	id, err := w.NewGameID()
	if err != nil {
		return err
	}
	g := storage.Game{
		ID: id, Variant: "chess", Rated: true, Changed: at.Add(time.Duration(id)), Counted: true, //nolint:gosec // it is small
		Servers: [2]storage.ServerID{server, server}, Result: "1-0", Ending: "mate",
	}
	for side := range g.Players {
		p, err := w.Meet(storage.Address{Platform: "test", ID: fmt.Sprint(id, "/", side)}, "somebody")
		if err != nil {
			return err
		}
		g.Players[side] = p.ID
		var c storage.Standings
		c.Join(server)
		c.Put(storage.Overall, storage.Standing{Value: 1500, Deviation: 300, At: at})
		if err := w.PutStandings(p.ID, c); err != nil {
			return err
		}
	}
	return w.Games().Put(g)
}
