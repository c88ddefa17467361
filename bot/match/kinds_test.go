package match_test

import (
	"testing"

	"chimera/bot/match"
	"chimera/storage"
)

// TestAGameWhosePastCannotBeReadIsSeen has a game's first move damaged after which a kind of piece is
// made: the game is shown and goes on, and of nothing is said that it is new.
func TestAGameWhosePastCannotBeReadIsSeen(t *testing.T) {
	c := newClub(t)
	id := c.game()
	c.moves(id, "e3", "a6", "R~Nb1")
	first := func(move string) {
		c.change(id, func(g *storage.Game) { g.Moves = append([]string{move}, g.Moves[1:]...) })
	}
	first("e2e9")
	sight, err := c.Load(t.Context(), id, match.Latest)
	if err != nil || sight.New != nil {
		t.Errorf("the game is seen as %+v: %v", sight, err)
	}
	c.must(c.Move(t.Context(), c.bob, id, "a5"))
	first("e2e3")
}
