package render

import (
	"strings"
	"testing"

	"chimera/render/palette"
	"chimera/rules"
	"chimera/rules/probe"
	"chimera/rules/variants"
)

// cardOf is the card of a piece of White's by its letters, or of one of both sides by White's and
// Black's.
func cardOf(t testing.TB, key, code string) Diagram {
	t.Helper()
	v := game(t, key)
	white, black, _ := strings.Cut(code, "/")
	w, err := probe.Of(v, rules.Piece{White: v.Table.Role(white), Black: v.Table.Role(black)})
	if err != nil {
		t.Fatal(err)
	}
	return Card(v, w)
}

// threatened is a position with its threats shown.
func threatened(t testing.TB, key, fen string) Diagram {
	t.Helper()
	pos, err := game(t, key).Position(fen)
	if err != nil {
		t.Fatal(err)
	}
	return Of(pos, nil, pos.Turn()).ShowThreats(probe.Find(pos))
}

// taught are the diagrams of cards and threats that are compared with what they were.
func taught(t testing.TB) map[string]Diagram {
	admiral, doomed := cardOf(t, "stealth", "BNW"), threatened(t, "combination", "***k***/*2b1r*/*p1a1p*/*1p3*/7/*1PIP1*/*P1R1P*/*2BN1*/***K*** w - - 0 1")
	part := func(code string) Mark {
		return Mark{Kind: Goes, From: admiral.Marks[0].From, Piece: rules.Piece{White: game(t, "stealth").Table.Role(code)}}
	}
	admiral.Legend = []Lesson{{
		Piece: admiral.Board[admiral.Marks[0].From], Name: "Admiral (BNW)",
		Line:  "The admiral can slide along diagonals, leap as a knight and step one square straight.",
		Signs: []Sign{{Mark: part("B"), Means: "bishop"}, {Mark: part("N"), Means: "knight"}, {Mark: part("WF"), Means: "prince"}, {Mark: Mark{Kind: Takes}, Means: "can capture here"}},
	}}
	admiral.Theme = palette.Print
	pawn := rules.Piece{White: doomed.Table.Role("P")}
	doomed.Legend = []Lesson{{Name: "Threats by Black", Signs: []Sign{
		{Mark: Mark{Kind: Attacks}, Piece: pawn, Means: "attacked piece"},
		{Mark: Mark{Kind: Attacks}, Means: "attacked"},
		{Mark: Mark{Kind: Doomed}, Piece: pawn, Means: "could be annihilated"},
	}}}
	fresh := diagram(t, "r1bqkbnr/pppppppp/2n5/8/4P3/5[RN]2/PPPP1PPP/RNBQKB2")
	fresh.Bars = &Bars{Sides: [2]Bar{{Name: "alice"}, {Name: "bob"}}}
	fresh.Legend = []Lesson{{
		Piece: rules.Piece{White: rookKnight}, Name: "New: rook-knight (RN)",
		Line: "The rook-knight moves and captures as a rook or as a knight. It can split: one part moves to a neighbouring empty square.",
	}}
	fresh.Theme = palette.Night
	return map[string]Diagram{
		"legend-new":     fresh,
		"legend-card":    admiral,
		"legend-threats": doomed,
		"card-passes":    cardOf(t, "stealth", "RRN"),
		"card-runs":      cardOf(t, "stealth", "QQQ"),
		"card-both":      cardOf(t, "knightmare", "R/N"),
		"card-guns":      cardOf(t, "brigade", "B"),
		"card-armor":     cardOf(t, "brigade", "N"),
		"card-lends":     cardOf(t, "combination", "A"),
		"threats":        threatened(t, "chess", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"),
		"threats-guns":   threatened(t, "brigade", "r3k2r/pp3ppp/2b2n2/8/3P4/2N1B3/PP3PPP/R3K2R w - - 0 1"),
	}
}

func TestCardsTellPartsAndCapturesApart(t *testing.T) {
	for _, c := range []struct{ game, piece, want string }{
		{"chess", "P", "White: Pawn d4. Pawn goes to: d5. Chosen: d4. It can capture on: c5 e5."},
		{
			"combine", "RN", "White: Rook-knight d4. Rook goes to: a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4. Knight goes to: b3 b5 c2 c6 e2 e6 f3 f5. Chosen: d4. " +
				"It can capture on: a4 b3 b4 b5 c2 c4 c6 d1 d2 d3 d5 d6 d7 d8 e2 e4 e6 f3 f4 f5 g4 h4.",
		},
		{"brigade", "R", "White: Rook d4. Rook goes to: a4 b4 c4 d1 d2 d3 d5 d6 d7 d8 e4 f4 g4 h4. Chosen: d4. In range of a gun: a1 a4 a7 d1 d7 d8 g1 g4 g7 h4 h8."},
		{
			"combination", "A", "White: Amplifier d5. Amplifier goes to: b5 d3 d7 f5. Chosen: d5. It can capture on: b5 d3 d7 f5. " +
				"Powers lent: Amplifier d5 to c4 c5 c6 d4 d6 e4 e5 e6.",
		},
	} {
		if got := Words(cardOf(t, c.game, c.piece)).String(); got != c.want {
			t.Errorf("%s in %s:\n%s\nwant\n%s", c.piece, c.game, got, c.want)
		}
	}
}

func TestEveryPieceHasACard(t *testing.T) {
	for _, v := range variants.All() {
		for _, p := range pieces(v) {
			if p.White == rules.NoRole {
				continue
			}
			w, err := probe.Of(v, p)
			if err != nil {
				t.Errorf("%s: %v", v.Key, err)
				continue
			}
			d := Card(v, w)
			if d.marked(Goes) == 0 {
				t.Errorf("%s: %s can go nowhere", v.Key, v.Noun(p))
			}
			if text := Text(d); strings.ContainsAny(text, "○●") {
				t.Errorf("%s: on the card of %s somebody is to move:\n%s", v.Key, v.Noun(p), text)
			}
		}
	}
}

// TestPartsHaveSignsOfTheirOwn looks at the tiles of a piece with three parts.
func TestPartsHaveSignsOfTheirOwn(t *testing.T) {
	d := cardOf(t, "stealth", "BNW")
	g := newGrid(&d)
	for square, want := range map[string]uint8{"e5": 1, "f5": 2, "d5": 3, "h5": 0} {
		if got := g.at(g.place(&d, d.Shape.Parse(square))).part; got != want {
			t.Errorf("on %s there is the sign of part %d, want %d", square, got, want)
		}
	}
}

func TestThreatsAreToldInWords(t *testing.T) {
	for name, want := range map[string]string{
		"threats":        "Attacked: a3 a6 b3 b5 c3 d1 d3",
		"threats-guns":   "In range of a gun: ",
		"legend-threats": "Could be annihilated: c4 c6 d3 d4 d7 d8 e4.",
	} {
		if got := Words(taught(t)[name]).String(); !strings.Contains(got, want) {
			t.Errorf("%s: %q is not in %q", name, want, got)
		}
	}
}

func TestThreatsHideTheLastMove(t *testing.T) {
	d := diagram(t, startBoard)
	d.Marks = []Mark{mark(d, Left, "e2"), mark(d, Reached, "e4"), mark(d, Check, "e1")}
	shown := d.ShowThreats(probe.Threats{Attacked: d.Shape.Parse("d3").Set()})
	if got, want := tell(shown), "check e1, attacks d3"; got != want {
		t.Errorf("the marks are %q, want %q", got, want)
	}
	if len(d.Marks) != 3 {
		t.Error("the diagram itself was changed")
	}
}
