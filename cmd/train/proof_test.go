package main

import (
	"flag"
	"math/rand/v2"
	"testing"

	"chimera/rules/engine"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
)

var (
	all  = flag.Bool("all", false, "look at all puzzles, and not at some of each game")
	seed = flag.Uint64("seed", 1, "which some")
)

// For all of them: go test ./cmd/train -run OneMove -all -timeout 60m -v
func TestOneMoveAloneWinsAtEachTurn(t *testing.T) {
	const nodes, some = 50_000, 3
	fair := bar{Won: 165, Ahead: 0.22} // which is passed with fewer nodes, too
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			puzzles, err := puzzle.Read(v)
			must(t, err)
			e, err := engine.New(v)
			must(t, err)
			order := rand.New(rand.NewPCG(*seed, 0)).Perm(len(puzzles))
			if !*all {
				order = order[:min(some, len(order))]
			}
			for _, i := range order {
				if puzzles[i].Withdrawn {
					continue
				}
				steps, err := puzzles[i].Steps(v)
				must(t, err)
				for turn := 0; turn < len(steps); turn += 2 {
					if turn > 0 && puzzle.Mates(steps[turn].After()) {
						continue // other moves may mate, too
					}
					best, alone, err := wonAlone(t.Context(), e, steps[turn].Before, nodes, fair)
					if err != nil || !alone || best.Moves[0] != steps[turn].Move {
						t.Errorf("seed %d: puzzle %d (%s), turn %d: %v wins alone: %v, with %+v, %v",
							*seed, i+1, &puzzles[i], turn/2+1, best.Moves[0], alone, best.Score, err)
					}
				}
			}
		})
	}
}
