package match

import (
	"context"
	"slices"

	"chimera/bot/limit"
	"chimera/storage"
)

// Follow lets the asker's place be told of each move of a game, or no more.
func (s *Service) Follow(ctx context.Context, by By, id storage.GameID, wanted bool) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		g, err := named(w.Reader, id)
		switch {
		case err != nil:
			return Done{}, err
		case g.Over():
			return Done{}, Refuse(Over, id)
		case slices.Contains(g.Places(), by.Place) && !slices.Contains(g.Also, by.Place):
			return Done{}, Refuse(PlayedHere, id)
		case wanted && len(g.Also) >= limit.Follows:
			return Done{}, Refuse(TooManyFollow, id)
		}
		if err := shown(w.Reader, by, &g); wanted && err != nil {
			return Done{}, err
		}
		was := g
		told := slices.Contains(g.Places(), by.Place)
		if wanted && !told {
			g.Also = append(slices.Clone(g.Also), by.Place)
		}
		if !wanted {
			if !slices.Contains(g.Also, by.Place) {
				return Done{}, Refuse(NotFollowed, id)
			}
			g.Also = slices.DeleteFunc(slices.Clone(g.Also), func(p storage.PlaceID) bool { return p == by.Place })
		}
		return Done{What: Chose, Game: id}, w.PutGame(was, g)
	})
}
