package storage_test

import (
	"errors"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// soundly ends a test by comparing all indexes with their records.
func soundly(t *testing.T, s *storage.Store) {
	t.Helper()
	kvtest.Must(t, s.Check(t.Context(), func(fault string) { t.Error(fault) }))
}

func TestThePuzzleThatIsDueFirstIsFoundAndNoneBeforeItsTime(t *testing.T) {
	s := open(t)
	put := func(id storage.ServerID, next time.Time) {
		update(t, s, func(w storage.Writer) error {
			return w.Servers().Put(storage.Server{ID: id, Address: at(next.String()), Settings: storage.ServerSettings{Puzzles: storage.Puzzles{Place: 1, Next: next}}})
		})
	}
	due := func(now time.Time, want storage.ServerID) {
		t.Helper()
		view(t, s, func(r storage.Reader) error {
			found, err := r.DueDaily(now)
			if found.ID != want {
				t.Errorf("at %v server %d is due, want %d", now, found.ID, want)
			}
			return err
		})
	}
	put(1, noon.Add(time.Hour))
	put(2, noon)
	put(3, time.Time{})
	due(noon.Add(-time.Second), 0)
	due(noon, 2)
	put(2, noon.Add(24*time.Hour))
	due(noon.Add(time.Hour), 1)
	put(1, time.Time{})
	due(noon.Add(time.Hour), 0)
	soundly(t, s)
}

func TestAPuzzleIsDueAtTheSameTimeOfDayWhateverTheClocksDo(t *testing.T) {
	s := storage.ServerSettings{Zone: "Europe/Berlin", Puzzles: storage.Puzzles{Minute: 18 * 60}}
	now := time.Date(2026, 3, 27, 16, 59, 59, 0, time.UTC)
	for _, want := range []string{"27 17:00", "28 17:00", "29 16:00", "30 16:00"} {
		if now = s.PuzzleAfter(now); now.Format("02 15:04") != want {
			t.Errorf("it is due at %v, want %s", now, want)
		}
	}
	s.Zone = "Nowhere/At all"
	if at := s.PuzzleAfter(now); at.Format("02 15:04") != "30 18:00" {
		t.Errorf("without a time zone it is due at %v", at)
	}
}

func TestWhoIsForgottenHasFoundNoPuzzle(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) error {
		return errors.Join(
			w.Solvers().Put(storage.Solver{Person: 1, Server: 1, At: noon, Number: 5, Last: 5, Found: 3}),
			w.Solvers().Put(storage.Solver{Person: 1, Server: 2, At: noon, Number: 4, Last: 3, Found: 3}),
			w.Solvers().Put(storage.Solver{Person: 2, Server: 1, At: noon, Number: 5, Last: 5, Found: 1}),
			w.Dailies().Set(1, storage.Daily{Number: 5, Found: 2, Finders: []storage.PersonID{1, 2}}),
			w.Dailies().Set(2, storage.Daily{Number: 4, Found: 7}),
		)
	})
	update(t, s, func(w storage.Writer) error { return w.ForgetSolver(1) })
	view(t, s, func(r storage.Reader) error {
		all, err := r.Solvers().List()
		here, err2 := r.SolversIn(1)
		own, err3 := r.Solvers().List(storage.PersonID(1))
		if len(all) != 1 || all[0].Person != 2 || len(here) != 1 || len(own) != 0 {
			t.Errorf("left are %+v, in the server %+v", all, here)
		}
		one, err4 := r.Dailies().Find(1)
		two, err5 := r.Dailies().Find(2)
		if one.Found != 1 || len(one.Finders) != 1 || one.Finders[0] != 2 || two.Found != 7 {
			t.Errorf("found were %+v and %+v", one, two)
		}
		return errors.Join(err, err2, err3, err4, err5)
	})
	soundly(t, s)
}

func TestWhatAnAccountHasFoundGoesToThePersonItIsLinkedTo(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) error {
		return errors.Join(
			w.Solvers().Put(storage.Solver{Person: 1, Server: 1, At: noon, Number: 5, Last: 5, Found: 3, Streak: 2, Best: 2}),
			w.Solvers().Put(storage.Solver{Person: 2, Server: 1, At: noon.Add(-time.Hour), Number: 4, Last: 4, Found: 4, Streak: 1, Best: 4}),
			w.Solvers().Put(storage.Solver{Person: 1, Server: 2, At: noon, Number: 1, Last: 1, Found: 1, Streak: 1, Best: 1}),
		)
	})
	update(t, s, func(w storage.Writer) error { return w.GiveSolver(1, 2) })
	view(t, s, func(r storage.Reader) error {
		all, err := r.Solvers().List()
		if len(all) != 2 || all[0].Person != 2 || all[0].Found != 7 || all[0].Best != 4 || all[0].Streak != 2 || all[1].Server != 2 || all[1].Found != 1 {
			t.Errorf("there are %+v", all)
		}
		return err
	})
	soundly(t, s)
}

func TestWhoAnswersNoMoreIsForgottenAndNobodyElse(t *testing.T) {
	s := open(t)
	update(t, s, func(w storage.Writer) error {
		var err error
		for p := range storage.PersonID(5) {
			err = errors.Join(err, w.Solvers().Put(storage.Solver{Person: p + 1, Server: 1, At: noon.AddDate(0, 0, int(p)), Number: 1}))
		}
		return errors.Join(err, w.Solvers().Put(storage.Solver{Person: 1, Server: 1, At: noon.AddDate(0, 0, 9), Number: 2}))
	})
	forgotten(t, s, storage.SweptSolvers, noon.AddDate(0, 0, 3))
	view(t, s, func(r storage.Reader) error {
		all, err := r.Solvers().List()
		if len(all) != 3 || all[0].Person != 1 || all[1].Person != 4 || all[2].Person != 5 {
			t.Errorf("left are %+v", all)
		}
		return err
	})
	if old := forgotten(t, s, storage.SweptSolvers, noon.AddDate(0, 0, 3)); len(old) > 0 {
		t.Errorf("still old are %q", old)
	}
	soundly(t, s)
}

func TestAStreakGoesOnOverPuzzlesInARowAndEndsAtOneThatWasNotFound(t *testing.T) {
	var s storage.Solver
	for _, find := range []struct{ number, streak, best int }{{3, 1, 1}, {4, 2, 2}, {4, 2, 2}, {5, 3, 3}, {7, 1, 3}, {8, 2, 3}} {
		s.Begin(find.number)
		s.Find()
		if s.Streak != find.streak || s.Best != find.best {
			t.Errorf("after puzzle %d: %+v", find.number, s)
		}
	}
	if s.Found != 5 || s.Row(8) != 2 || s.Row(9) != 2 || s.Row(10) != 0 {
		t.Errorf("%+v; in a row %d, %d, %d", s, s.Row(8), s.Row(9), s.Row(10))
	}
	s.Turn = 1
	if s.Begin(8); s.Turn != 1 {
		t.Error("a puzzle is begun again by whoever is at it")
	}
	if s.Begin(9); s.Turn != 0 {
		t.Error("the next puzzle begins with what was done in the one before")
	}
}
