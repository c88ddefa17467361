package brigade_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/internal/rulestest"
)

// TestPathsAreWaysToPlayTheirMoves reads the path that is told of a move as a player would write
// it, which must be that move. Every move of an armor has one, and every raid.
func TestPathsAreWaysToPlayTheirMoves(t *testing.T) {
	v := brigade.Brigade()
	armor, raids := 0, 0
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 7))
		pos := rulestest.Position(t, v, "")
		for range 60 {
			moves := pos.Moves()
			if len(moves) == 0 {
				break
			}
			for _, m := range moves {
				piece := v.Table[pos.Board()[m.From].Half(pos.Turn())].Code
				effects := pos.Effects(m)
				for _, e := range effects {
					if e.Kind != rules.Moved {
						continue
					}
					fired := len(effects) > 1 && (effects[0].Kind == rules.Shot || effects[len(effects)-1].Kind == rules.Shot)
					wanted := piece == "N" || piece == "Q" && m.Kills != 0 && !fired
					if (e.Path != "") != wanted {
						t.Fatalf("seed %d: %s of %s has the path %q", seed, v.Coordinate(m), pos.FEN(), e.Path)
					}
					if !wanted {
						continue
					}
					names := []string{piece + v.Shape.Name(m.From)}
					for sq := range e.Path.Squares() {
						names = append(names, v.Shape.Name(sq))
					}
					text := strings.Join(names, "-")
					if got, err := pos.Parse(text); err != nil || got != m {
						t.Fatalf("seed %d: in %s, %s is read as %s, %v, want %s", seed, pos.FEN(), text, v.Coordinate(got), err, v.Coordinate(m))
					}
					if piece == "N" {
						armor++
					} else {
						raids++
					}
				}
			}
			pos = rulestest.Played(t, pos, moves[random.IntN(len(moves))])
		}
	}
	if armor < 100 || raids < 100 {
		t.Errorf("only %d paths of armor and %d of raids", armor, raids)
	}
}
