package engine_test

import (
	"math/rand/v2"
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// A mate in one or two is found whatever it gives up, by the best level too.
func TestNoMateInOneOrTwoIsOverlooked(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			e := ready(t, v)
			found := [3]int{}
			for seed := uint64(0); seed < 9 || found[1]+found[2] < 5 && seed < 50; seed++ {
				game, random := rules.NewGame(rulestest.Position(t, v, "")), rand.New(rand.NewPCG(seed, 5))
				for !game.Outcome().Over() {
					moves := game.Position.Moves()
					m := moves[random.IntN(len(moves))]
					if len(moves) > 1 && random.IntN(4) > 0 {
						m = searchWith(t, e, game, engine.Limits{Nodes: 150}).Move()
					}
					if random.IntN(3) == 0 && game.Position.HalfMoves() < 90 { // no draw may be claimed on the way
						found[overlooked(t, e, seed, game)]++
					}
					game, _ = game.Play(m)
				}
			}
			if found[1]+found[2] < 5 {
				t.Errorf("there were mates in one, and in two, in only %v positions", found[1:])
			}
		})
	}
}

// Black's shared bishop and rook gives up what White may take, and mates.
func TestAQuietMateInTwoThatGivesUpMuchIsFound(t *testing.T) {
	game := rules.NewGame(rulestest.Position(t, variant("knightmare"), "4k3/4prb1/4K2P/1Pp4p/P1P5/5P[Br]1/5Q2/R2[Rn]4 b - - 0 53 -"))
	if n := overlooked(t, ready(t, game.Position.Variant()), 0, game); n != 2 {
		t.Errorf("there is a mate in %d, want 2", n)
	}
}

// overlooked checks that a mate in one or two is found, and returns which there is, 0 for none.
func overlooked(t *testing.T, e *engine.Engine, seed uint64, game rules.Game) int {
	t.Helper()
	for n := 1; n <= 2; n++ {
		if !wins(t, game.Position, n) {
			continue
		}
		for _, limits := range []engine.Limits{{Nodes: 60_000}, {Level: engine.AtLevel(engine.Levels)}} {
			if got := searchWith(t, e, game, limits); got.Score.Mate != n {
				t.Errorf("seed %d, %s: there is a mate in %d, and %+v was found", seed, game.Position.FEN(), n, got.Line)
			}
		}
		return n
	}
	return 0
}
