package match_test

import (
	"testing"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/storage"
)

// TestAKindOfPieceIsNewOnce has both sides make rook-knights, and White one a second time: only the
// first is new, whenever its board is seen.
func TestAKindOfPieceIsNewOnce(t *testing.T) {
	c := newClub(t)
	id := c.game()
	news := func(ply int) (names []string) {
		sight, err := c.Load(t.Context(), id, ply)
		c.ok(err)
		for _, p := range sight.New {
			names = append(names, sight.Variant.Noun(p).String())
		}
		return names
	}
	moves := []string{"R~Nb1", "R~Ng8", "RNb1/Ra1", "a6", "R~Nb1", "a5", "e3", "a4", "Nf3", "a3", "Q~Nf3"}
	for ply, text := range moves {
		c.must(c.Move(t.Context(), [...]event.By{c.alice, c.bob}[ply%2], id, text))
		now := news(match.Latest)
		want := map[int]string{0: "rook-knight", 10: "queen-knight"}[ply]
		if len(now) > 1 || len(now) == 1 && now[0] != want || len(now) == 0 && want != "" {
			t.Errorf("after %s: new are %q, want %q", text, now, want)
		}
	}
	for ply := range len(moves) + 1 {
		want := map[int]string{1: "rook-knight", 11: "queen-knight"}[ply]
		if then := news(ply); len(then) > 1 || len(then) == 1 && then[0] != want || len(then) == 0 && want != "" {
			t.Errorf("at ply %d: new are %q, want %q", ply, then, want)
		}
	}
}

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
