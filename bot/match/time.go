package match

import (
	"context"
	"strconv"
	"time"

	"chimera/storage"
)

// AddTime gives the opponent so many days, for this move if it is his turn, else for
// a later one.
func (s *Service) AddTime(ctx context.Context, by By, id storage.GameID, days int) (Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, side storage.Side) (change, error) {
		bank := &g.Clock.Bank[1-side]
		*bank += time.Duration(days) * Day
		switch {
		case g.Pace.Move == 0:
			return change{}, Refuse(NoLimit, id)
		case *bank > MaxBank:
			return change{}, Refuse(TooLong, id)
		}
		return tell(g, TimeAdded, by, map[string]string{FactDays: strconv.Itoa(days)}), nil
	})
}
