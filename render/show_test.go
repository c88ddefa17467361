package render

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/variants"
)

func TestTheMovesOfAPieceAreMarked(t *testing.T) {
	v := game(t, "combine")
	pos, err := v.Position("4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	shown := Of(pos, nil, rules.White).ShowMoves(v.Shape.Parse("c3"), pos.Moves())
	got := strings.Split(tell(shown), ", ")
	for _, want := range []string{"chosen c3", "target d5", "target b5", "target a2"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is missing in %v", want, got)
		}
	}
	if slices.Contains(got, "target a8") {
		t.Errorf("the rook's moves are marked: %v", got)
	}
}

func TestShotsAreAimed(t *testing.T) {
	v := game(t, "brigade")
	pos, err := v.Position("4k3/8/8/p7/8/8/8/R3K3 w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	shown := Of(pos, nil, rules.White).ShowMoves(v.Shape.Parse("a1"), pos.Moves())
	if got, want := shown.marked(Aimed), v.Shape.Parse("a5").Set(); got != want {
		t.Errorf("aimed at %v, want a5", v.Shape.ByFile(got))
	}
}

func game(t testing.TB, key string) *rules.Variant {
	t.Helper()
	for _, v := range variants.All() {
		if v.Key == key {
			return v
		}
	}
	t.Fatalf("no game %s", key)
	return nil
}
