package match

import (
	"context"
	"strconv"
	"time"

	"chimera/bot/inbox"
	"chimera/storage"
)

// AddTime gives the opponent so many days, for this move if it is his turn, else for
// a later one.
func (s *Service) AddTime(ctx context.Context, by inbox.By, id storage.GameID, days int) (inbox.Done, error) {
	return s.ongoing(ctx, by, id, func(g storage.Game, side storage.Side) (change, error) {
		bank := &g.Clock.Bank[1-side]
		*bank += time.Duration(days) * Day
		switch {
		case g.Pace.Move == 0:
			return change{}, inbox.Refuse(inbox.NoLimit, id)
		case *bank > MaxBank:
			return change{}, inbox.Refuse(inbox.TooLong, id)
		}
		return tell(g, inbox.TimeAdded, by, map[string]string{inbox.FactDays: strconv.Itoa(days)}), nil
	})
}
