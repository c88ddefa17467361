package match

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

// Follow lets the asker's place be told of each move of a game, or no more. It refuses
// NoSuchGame, Damaged, Aborted, Over, PlayedHere, TooManyFollow, NotShown and NotFollowed.
func (s *Service) Follow(ctx context.Context, by event.By, id storage.GameID, wanted bool) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		g, err := event.Named(w.Reader, id)
		if err != nil {
			return event.Done{}, err
		}
		follows := slices.Index(g.Also, by.Place)
		told := slices.Contains(g.Places(), by.Place)
		switch {
		case g.Over():
			err = event.Refuse(event.Over, id)
		case told && follows < 0:
			err = event.Refuse(event.PlayedHere, id)
		case wanted && len(g.Also) >= limit.Follows:
			err = event.Refuse(event.TooManyFollow, id)
		case wanted && follows < 0:
			err = event.Shown(w.Reader, by, &g)
			g.Also = append(slices.Clone(g.Also), by.Place)
		case !wanted && follows < 0:
			err = event.Refuse(event.NotFollowed, id)
		case !wanted:
			g.Also = slices.Delete(slices.Clone(g.Also), follows, follows+1)
		}
		return event.Done{Kind: event.Chose, Game: id}, errors.Join(err, w.Games().Put(g))
	})
}
