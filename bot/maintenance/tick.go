package maintenance

import (
	"context"
	"errors"
	"slices"
)

// Tick does what is due: it reminds people, ends their time, lets challenges and
// vacations end, and keeps the leaderboards up to date. Calling it again at once does nothing;
// where nothing is due it reads a few keys.
func (s *Keeper) Tick(ctx context.Context) error {
	for {
		var faults error // of one chore are none of the others'
		for _, chore := range slices.Concat([]func(context.Context) error{s.match.HandleDue, s.ratings.CloseMonths, s.sweep, s.quarantine}, s.chores) {
			faults = errors.Join(faults, chore(ctx))
		}
		// The rest may last: what is due comes between.
		more, err := s.users.WorkMore(ctx)
		if err == nil && !more {
			more, err = s.ratings.RecountMore(ctx)
		}
		if faults = errors.Join(faults, err); faults != nil || !more {
			return errors.Join(faults, s.ratings.CatchUp(ctx))
		}
	}
}
