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

func TestCardsShowWhatAPieceCanDo(t *testing.T) {
	chess := game(t, "chess").Shape
	all := strings.TrimSpace(Diagram{Shape: chess}.names(chess.Squares &^ chess.Parse("d4").Set()))
	for _, c := range []struct{ game, piece, goes, kills string }{
		{"chess", "N", "b3 b5 c2 c6 e2 e6 f3 f5", "b3 b5 c2 c6 e2 e6 f3 f5"},
		{"chess", "P", "d5", "c5 e5"},
		{"chess", "K", "c3 c4 c5 d3 d5 e3 e4 e5", "c3 c4 c5 d3 d5 e3 e4 e5"},
		{"stealth", "C", "c4 d3 d5 e4", "c3 c5 e3 e5"},
		{"brigade", "Q", all, all},
		{"brigade", "R", "a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4", "a1 a4 a7 d1 d7 d8 g1 g4 g7 h4 h8"},
	} {
		v := game(t, c.game)
		d, err := Card(v, v.Table.Role(c.piece))
		if err != nil {
			t.Fatal(err)
		}
		goes, kills := d.names(d.marked(Target)), d.names(d.marked(Aimed))
		if strings.TrimSpace(goes) != c.goes || strings.TrimSpace(kills) != c.kills {
			t.Errorf("%s in %s goes to%s and kills on%s", c.piece, c.game, goes, kills)
		}
	}
}

func TestEveryPieceHasACard(t *testing.T) {
	for _, v := range variants.All() {
		for r := range v.Table[1:] {
			d, err := Card(v, rules.Role(r+1))
			if err != nil {
				t.Errorf("%s: %v", v.Key, err)
				continue
			}
			if d.marked(Target) == 0 {
				t.Errorf("%s: %s can go nowhere", v.Key, v.Table[r+1].Name)
			}
		}
		if _, err := Card(v, rules.NoRole); err == nil {
			t.Errorf("%s: nobody has a card", v.Key)
		}
	}
}
