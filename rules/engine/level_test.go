package engine_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// hanging lists positions of random games in which capturing the most valuable piece that
// can be captured is by far the best move, and that move.
func hanging(t *testing.T, e *engine.Engine, v *rules.Variant, most int) (games []rules.Game, moves []rules.Move) {
	t.Helper()
	for seed := uint64(0); seed < 300 && len(games) < most; seed++ {
		game := rules.NewGame(rulestest.RandomPosition(t, v, seed))
		if game.Outcome().Over() || len(game.Position.Moves()) < 5 {
			continue
		}
		found, err := e.Search(t.Context(), game, engine.Limits{Nodes: 600, Lines: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Lines) < 2 || found.Score.Mate != 0 || found.Lines[1].Score.Mate != 0 {
			continue
		}
		better := found.Score.Centipawns - found.Lines[1].Score.Centipawns
		if game.Position.Board()[found.Move().To] != (rules.Piece{}) && better >= 500 {
			games, moves = append(games, game), append(moves, found.Move())
		}
	}
	return games, moves
}

// What weak levels get wrong is what is far from their eyes, not a piece that is there to
// be taken.
func TestWeakLevelsTakeWhatHangs(t *testing.T) {
	want := [...]int{1: 75, 2: 80, 3: 80, 4: 85} // per cent
	taken, all := [len(want)]int{}, 0
	for _, v := range variants.All() {
		e, err := engine.New(v)
		if err != nil {
			t.Fatal(err)
		}
		games, moves := hanging(t, e, v, 10)
		all += len(games)
		for i, game := range games {
			for level := 1; level < len(want); level++ {
				found, err := e.Search(t.Context(), game, engine.Limits{Level: level, Seed: uint64(i)})
				if err != nil {
					t.Fatal(err)
				}
				if found.Move() == moves[i] {
					taken[level]++
				}
			}
		}
	}
	for level, n := range taken {
		if n*100 < want[level]*all {
			t.Errorf("level %d takes %d of %d", level, n, all)
		}
	}
}

func TestALevelIsTheSameForTheSameSeedAlone(t *testing.T) {
	for _, v := range variants.All() {
		game := rules.NewGame(position(t, v, ""))
		moves := map[rules.Move]bool{}
		for seed := range uint64(12) {
			m := search(t, game, engine.Limits{Level: 2, Seed: seed}).Move()
			if again := search(t, game, engine.Limits{Level: 2, Seed: seed}).Move(); again != m {
				t.Errorf("%s: seed %d plays %v, then %v", v.Key, seed, m, again)
			}
			moves[m] = true
		}
		if len(moves) < 2 {
			t.Errorf("%s: level 2 begins every game in the same way", v.Key)
		}
	}
}
