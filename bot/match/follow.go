package match

import (
	"context"
	"slices"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/storage"
)

// Follow lets the asker's place be told of each move of a game, or no more.
func (s *Service) Follow(ctx context.Context, by inbox.By, id storage.GameID, wanted bool) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		switch {
		case err != nil:
			return inbox.Done{}, err
		case g.Over():
			return inbox.Done{}, inbox.Refuse(inbox.Over, id)
		case slices.Contains(g.Places(), by.Place) && !slices.Contains(g.Also, by.Place):
			return inbox.Done{}, inbox.Refuse(inbox.PlayedHere, id)
		case wanted && len(g.Also) >= limit.Follows:
			return inbox.Done{}, inbox.Refuse(inbox.TooManyFollow, id)
		}
		if err := inbox.Shown(w.Reader, by, &g); wanted && err != nil {
			return inbox.Done{}, err
		}
		was := g
		told := slices.Contains(g.Places(), by.Place)
		if wanted && !told {
			g.Also = append(slices.Clone(g.Also), by.Place)
		}
		if !wanted {
			if !slices.Contains(g.Also, by.Place) {
				return inbox.Done{}, inbox.Refuse(inbox.NotFollowed, id)
			}
			g.Also = slices.DeleteFunc(slices.Clone(g.Also), func(p storage.PlaceID) bool { return p == by.Place })
		}
		return inbox.Done{What: inbox.Chose, Game: id}, w.PutGame(was, g)
	})
}
