package storage_test

import (
	"testing"

	"chimera/storage"
)

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
	s.Turn, s.Tries = 1, 2
	if s.Begin(8); s.Turn != 1 {
		t.Error("a puzzle is begun again by whoever is at it")
	}
	if s.Begin(9); s.Turn+s.Tries != 0 {
		t.Error("the next puzzle begins with what was done in the one before")
	}
}
