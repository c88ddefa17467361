package match

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
)

// keptPositions and keptScores are how many positions are kept, of the games that are played at
// the same time those after and before their last moves, and of how many games the score.
const keptPositions, keptScores = 512, 128

// positions are those that were read or reached last, by kind of game and FEN: each is
// looked at several times for one move, and written down but once.
type positions = lru.Cache[[2]string, *rules.Position]

// position is one of a game, by its FEN; "" for the start. It refuses NoSuchVariant and
// Damaged.
func (s *Games) position(g *storage.Game, fen string) (*rules.Position, error) {
	if pos, kept := s.positions.Get([2]string{g.Variant, fen}); kept {
		return pos, nil
	}
	v := s.Variant(g.Variant)
	if v == nil {
		return nil, event.Refuse(event.NoSuchVariant, g.ID)
	}
	pos, err := v.Position(fen)
	if err != nil {
		return nil, event.Unreadable(g.ID, err)
	}
	s.positions.Add([2]string{g.Variant, fen}, pos)
	return pos, nil
}
