package training

import (
	"context"
	"errors"
	"slices"

	"chimera/rules"
	"chimera/storage"
)

// Today is the number of the day, since 1970 and in UTC.
func (s *Service) Today() int { return int(storage.UnixDay(s.now())) }

// OfDay is the puzzle of a day, which is the same for everybody: each day of the week has one of another game.
func (s *Service) OfDay(day int) *Task {
	const week = 7
	games := slices.DeleteFunc(slices.Clone(s.variants), func(v *rules.Variant) bool { return s.Count(v) == 0 })
	return s.Daily(int64(day/week), games[day%week%len(games)])
}

// DayOf is the day whose puzzle is a game's of a number, from 0, and may be answered: today, or yesterday; 0 if it
// is that of neither.
func (s *Service) DayOf(v *rules.Variant, number int) int {
	for day := s.Today(); day >= s.Today()-1; day-- {
		if t := s.OfDay(day); t.variant == v && t.number == number {
			return day
		}
	}
	return 0
}

// OnDay is what somebody has made of the puzzle of a day.
func (s *Service) OnDay(ctx context.Context, who storage.PersonID, day int) (storage.Solver, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (storage.Solver, error) {
		now, err := r.Solver(who, storage.World)
		now.Begin(day)
		return now, err
	})
}

// note keeps how the move of a puzzle of the day was found, or that it was not.
func (a *Attempt) note(ctx context.Context, how byte, ends bool) error {
	if a.day == 0 || a.at.Person.ID == 0 {
		return nil
	}
	return a.training.store.Update(ctx, func(w storage.Writer) error {
		now, err := w.Solver(a.at.Person.ID, storage.World)
		if now.Number > a.day {
			return err // they are at the next
		}
		now.Begin(a.day)
		now.At = a.training.now().UTC()
		to := a.turn + 1
		if how == storage.Told {
			to = a.puzzle.Turns()
		}
		now.Mark(a.turn, to, how)
		if ends && !now.Over() {
			now.Find()
		}
		return errors.Join(err, w.Solvers().Put(now))
	})
}
