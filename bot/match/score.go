package match

import (
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/rules"
	"chimera/storage"
)

// scores are those that were asked for last: whoever looks at a game asks for its score, and a move
// only adds to it.
type scores = lru.Cache[storage.GameID, score]

type score struct {
	start [2]string // the kind of game, and where it began
	moves []string  // as they are stored
	texts []string
	end   rules.Game
}

// Score is the chat text of each move of a game. It refuses what Replay does.
func (s *Games) Score(g *storage.Game) ([]string, error) {
	pos, err := s.position(g, g.Start)
	if err != nil {
		return nil, err
	}
	start := [2]string{g.Variant, g.Start}
	sc, _ := s.scores.Get(g.ID)
	n := len(sc.moves)
	if n > len(g.Moves) || sc.start != start || !slices.Equal(sc.moves, g.Moves[:n]) {
		sc, n = score{}, 0
	}
	if n == 0 {
		sc.end = rules.NewGame(pos)
	}
	texts := slices.Clip(sc.texts)
	for i, text := range g.Moves[n:] {
		m, next, err := step(g.ID, sc.end, n+i+1, text)
		if err != nil {
			return nil, err
		}
		texts, sc.end = append(texts, sc.end.Position.Chat(m)), next
	}
	s.scores.Add(g.ID, score{start, slices.Clone(g.Moves), texts, sc.end})
	return texts, nil
}
