package match

import (
	"context"
	"slices"

	"chimera/bot/inbox"
	"chimera/bot/limit"
	"chimera/storage"
)

// Follow lets the asker's place be told of each move of a game, or no more. It refuses
// NoSuchGame, Damaged, Aborted, Over, PlayedHere, TooManyFollow, NotShown and NotFollowed.
func (s *Service) Follow(ctx context.Context, by inbox.By, id storage.GameID, wanted bool) (inbox.Done, error) {
	return s.inbox.Once(ctx, by, func(w storage.Writer) (inbox.Done, error) {
		g, err := inbox.Named(w.Reader, id)
		if err != nil {
			return inbox.Done{}, err
		}
		follows := slices.Index(g.Also, by.Place)
		told := slices.Contains(g.Places(), by.Place)
		switch {
		case g.Over():
			err = inbox.Refuse(inbox.Over, id)
		case told && follows < 0:
			err = inbox.Refuse(inbox.PlayedHere, id)
		case wanted && len(g.Also) >= limit.Follows:
			err = inbox.Refuse(inbox.TooManyFollow, id)
		case wanted:
			err = inbox.Shown(w.Reader, by, &g)
		case follows < 0:
			err = inbox.Refuse(inbox.NotFollowed, id)
		}
		if err != nil {
			return inbox.Done{}, err
		}
		was := g
		switch {
		case !wanted:
			g.Also = slices.Delete(slices.Clone(g.Also), follows, follows+1)
		case !told:
			g.Also = append(slices.Clone(g.Also), by.Place)
		}
		return inbox.Done{What: inbox.Chose, Game: id}, w.PutGame(was, g)
	})
}
