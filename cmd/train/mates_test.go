package main

import (
	"strings"
	"testing"

	"chimera/rules/variants"
)

func TestMatesAreFoundAsFarAsAPlayerLooks(t *testing.T) {
	for player, want := range map[string]string{"depth=1": "chess               2/2", "nodes=20000": "chess               2/2       2/2       2/2"} {
		var out strings.Builder
		c := mates{Games: []string{"chess"}, Player: player, Each: 2, Seed: 40}
		must(t, c.Run(t.Context(), &out))
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s, seed 40:\n%swant a line that begins %q", player, out.String(), want)
		}
	}
}

func TestAProofSeesWhatForcesAMate(t *testing.T) {
	v, err := variants.Named("chess")
	must(t, err)
	for fen, moves := range map[string]int{
		"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1": 1, // a8
		"7k/8/5K2/8/8/8/8/R7 w - - 0 1":     2, // f7, then h1
		"8/8/8/8/8/2k5/1r6/K7 w - - 0 1":    0,
	} {
		pos, err := v.Position(fen)
		must(t, err)
		for n := 1; n <= 3; n++ {
			if got := matesIn(pos, n); got != (n == moves) {
				t.Errorf("%s: a mate in %d and no fewer: %t", fen, n, got)
			}
		}
	}
}
