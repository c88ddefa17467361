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
