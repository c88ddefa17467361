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

func TestWhatIsTakenIsWhatIsMissing(t *testing.T) {
	start := diagram(t, "rnbqk/ppppp/PPPPP/RNBQK")
	for _, c := range []struct{ now, want string }{
		{"rnbqk/ppppp/PPPPP/RNBQK", ""},
		{"1nbqk/pppp1/PPPPP/RNB1K", "prQ"},
		{"rnbqk/ppppp/PPPPP/[RN]1BQK", ""},   // a compound is both of its parts
		{"rnb1k/ppppp/PPPPP/1[Rq]NBK", "Q"},  // half of a shared piece is still there
		{"rnbqk/ppppp/PPPPQ/RNBQK", "P"},     // promoted
		{"rnbqk/ppppp/PPPPP/RNB[qrb]K", "Q"}, // more than there were are none taken
	} {
		now := diagram(t, c.now)
		got := ""
		for _, p := range now.ShowTaken(start.Board).Taken {
			got += letters(table[max(p.White, p.Black)].Code, side(p))
		}
		if got != c.want {
			t.Errorf("%s: taken are %q, want %q", c.now, got, c.want)
		}
	}
}

func side(p rules.Piece) rules.Color {
	if p.White != rules.NoRole {
		return rules.White
	}
	return rules.Black
}

func TestTakenPiecesAreInStripsBesideTheBoard(t *testing.T) {
	d := diagram(t, startBoard)
	plain := newScene(&d, DefaultSize)
	d = d.ShowTaken(d.Board)
	empty := newScene(&d, DefaultSize)
	if plain.height != DefaultSize || empty.height <= plain.height || empty.width != plain.width {
		t.Errorf("the picture is %d×%d, with strips %d×%d", plain.width, plain.height, empty.width, empty.height)
	}
	d.Taken = append(d.Taken, rules.PieceOf(rules.White, queen), rules.PieceOf(rules.Black, pawn), rules.PieceOf(rules.White, rook))
	s := newScene(&d, DefaultSize)
	var top, bottom []rules.Piece
	for _, slot := range s.slots[64:] {
		switch {
		case slot.contents.here == rules.Piece{}:
		case slot.y == 0:
			top = append(top, slot.contents.here)
		default:
			bottom = append(bottom, slot.contents.here)
		}
	}
	if want := []rules.Piece{rules.PieceOf(rules.White, queen), rules.PieceOf(rules.White, rook)}; !slices.Equal(top, want) {
		t.Errorf("Black has taken %v, want %v", top, want)
	}
	if want := []rules.Piece{rules.PieceOf(rules.Black, pawn)}; !slices.Equal(bottom, want) {
		t.Errorf("White has taken %v, want %v", bottom, want)
	}
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
