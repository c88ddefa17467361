package computer

import (
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/fide"
)

func TestAHintSaysWhatItsMoveIsGoodFor(t *testing.T) {
	for _, c := range []struct {
		what, fen, kind, about string
		attackers, defenders   int
	}{
		{"a rook is attacked twice and guarded once", "4k3/8/2n1n3/8/3R4/4P3/8/4K3 w - - 0 1", "saves", "d4", 2, 1},
		{"a queen can be taken", "4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "wins", "", 0, 0},
		{"the king loses its squares", "7k/8/5K2/8/8/8/8/R7 w - - 0 1", "cuts", "", 0, 0},
	} {
		pos, err := fide.Chess().Position(c.fen)
		must(t, err)
		game := rules.NewGame(pos)
		found, err := engine.Search(t.Context(), game, engine.Limits{Nodes: 20_000})
		must(t, err)
		why := Why(game, found)
		if why.Kind != c.kind || c.about != "" && pos.Variant().Shape.Name(why.Danger.On) != c.about || why.Danger.Attackers != c.attackers || why.Danger.Defenders != c.defenders {
			t.Errorf("%s: %s %+v, %+v", c.what, pos.Chat(found.Move()), found.Score, why)
		}
	}
}
