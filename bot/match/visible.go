package match

import (
	"context"

	"chimera/bot/inbox"
	"chimera/storage"
)

// See is Look for the asker, where they are. A game is shown to its players and to those
// whom it is told in private, anywhere; to everybody else at the places where it is played
// or followed, and in the servers to which the places where it is played belong. A game that
// was imported is played nowhere, and everybody may see it. NotShown is refused.
func (s *Games) See(ctx context.Context, by inbox.By, id storage.GameID, ply int) (*Sight, error) {
	sight, err := s.Look(ctx, id, ply)
	if err != nil {
		return nil, err
	}
	return sight, s.store.View(ctx, func(r storage.Reader) error { return inbox.Shown(r, by, &sight.Game) })
}

// Seen are those of some games and challenges that the asker may see where they are.
func (s *Games) Seen(ctx context.Context, by inbox.By, games []storage.Game, challenges []storage.Challenge) (g []storage.Game, c []storage.Challenge, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		e, err := inbox.NewEyes(r, by)
		if err != nil {
			return err
		}
		if g, err = filter(games, func(g storage.Game) (bool, error) { return e.Sees(&g) }); err != nil {
			return err
		}
		c, err = filter(challenges, e.SeesChallenge)
		return err
	})
	return g, c, err
}

func filter[T any](all []T, want func(T) (bool, error)) (found []T, err error) {
	for _, one := range all {
		wanted, err := want(one)
		if err != nil {
			return nil, err
		}
		if wanted {
			found = append(found, one)
		}
	}
	return found, nil
}
