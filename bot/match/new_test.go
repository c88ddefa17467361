package match_test

import (
	"testing"

	"chimera/bot/inbox"
	"chimera/bot/match"
)

// TestAKindOfPieceIsNewOnce has both sides make rook-knights, and White one a second time: only the
// first is new, whenever its board is seen.
func TestAKindOfPieceIsNewOnce(t *testing.T) {
	c := newClub(t)
	id := c.game()
	news := func(ply int) (names []string) {
		sight, err := c.Look(t.Context(), id, ply)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range sight.New {
			names = append(names, sight.Variant.Noun(p).String())
		}
		return names
	}
	moves := []string{"R~Nb1", "R~Ng8", "RNb1/Ra1", "a6", "R~Nb1", "a5", "e3", "a4", "Nf3", "a3", "Q~Nf3"}
	for ply, text := range moves {
		c.must(c.Move(t.Context(), [...]inbox.By{c.alice, c.bob}[ply%2], id, text))
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
