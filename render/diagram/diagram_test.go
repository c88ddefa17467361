package diagram_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/rules"
	"chimera/rules/analysis"
)

// TestMarksOfRealMoves plays the moves of testdata/marks.txt. A line says what it is, in which game, in which
// position, by which move, and the marks after it.
func TestMarksOfRealMoves(t *testing.T) {
	known, err := os.ReadFile("testdata/marks.txt")
	golden.Must(t, err)
	var got strings.Builder
	for line := range strings.Lines(string(known)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")[:4]
		fmt.Fprintln(&got, strings.Join(append(parts, told(sample.After(t, parts[1], parts[2], parts[3]))), " | "))
	}
	golden.CompareText(t, "marks.txt", got.String())
}

// told lists the marks of d: the kind, and its squares.
func told(d diagram.Diagram) string {
	var all []string
	for _, m := range d.Marks {
		text := m.Kind.String() + " " + d.Shape.Name(m.From)
		if m.From != m.To {
			text += "-" + d.Shape.Name(m.To)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestZonesAreShownOnACopy(t *testing.T) {
	d := sample.Diagram(t, "3/1b1/3/1B1")
	d.Marks = make([]diagram.Mark, 0, 8)
	shown := d.ShowZones(sample.Zones(d))
	if got, want := told(shown), "lent b1-a1, lent b1-c1, lent b1-b2, lent b3-b2, lent b3-a3, lent b3-c3, lent b3-b4"; got != want {
		t.Errorf("the marks are %q, want %q", got, want)
	}
	if len(d.Marks) != 0 || len(d.ShowZones(nil).Marks) != 0 {
		t.Error("the diagram itself was marked")
	}
	if white, black := shown.Lender(shown.Marks[0]), shown.Lender(shown.Marks[6]); white != rules.White || black != rules.Black {
		t.Errorf("the lenders are %v and %v", white, black)
	}
}

func TestBlackAtTheBottomTurnsTheBoardHalfAround(t *testing.T) {
	d := sample.Diagram(t, "***k***/7/7")
	for _, c := range []struct {
		bottom   rules.Color
		col, row int
		want     string
	}{
		{rules.White, 0, 2, "a1"},
		{rules.White, 6, 1, "g2"},
		{rules.White, 0, 0, "-"},
		{rules.Black, 0, 2, "-"},
		{rules.Black, 3, 2, "d3"},
		{rules.Black, 0, 0, "g1"},
	} {
		d.Bottom = c.bottom
		if got := d.Shape.Name(d.At(c.col, c.row)); got != c.want {
			t.Errorf("%v at the bottom: column %d, row %d is %s, want %s", c.bottom, c.col, c.row, got, c.want)
		}
		for sq := range d.Shape.Squares.Squares() {
			if got := d.At(d.Flip(d.Shape.File(sq), d.Shape.Rank(sq))); got != sq {
				t.Errorf("%v at the bottom: %s is seen at %s", c.bottom, d.Shape.Name(sq), d.Shape.Name(got))
			}
		}
	}
}

func TestShotsAreAimed(t *testing.T) {
	v := sample.Game(t, "brigade")
	pos, err := v.Position("4k3/8/8/p7/8/8/8/R3K3 w - - 0 1")
	golden.Must(t, err)
	shown := diagram.Of(pos, nil, rules.White).ShowMoves(v.Shape.Parse("a1"), pos.Moves())
	if got, want := shown.Marked(diagram.Aimed), v.Shape.Parse("a5").Set(); got != want {
		t.Errorf("aimed at %v, want a5", v.Shape.ByFile(got))
	}
}

func TestPickersTellMergesAndSplitsFromMoves(t *testing.T) {
	v := sample.Game(t, "combine")
	pos, err := v.Position("4k3/8/8/3p4/3[RN]4/2B2p2/3P4/R3K2R w - - 0 1")
	golden.Must(t, err)
	for _, c := range []struct{ from, goes, joins, splits string }{
		{"a1", "a2 a3 a4 a5 a6 a7 a8 b1 c1 d1", "c3", ""},
		{"d4", "a4 b3 b4 b5 c2 c4 c6 d3 d5 e2 e4 e6 f3 f4 f5 g4 h4", "", "c4 c5 d3 e3 e4 e5"},
	} {
		d := diagram.Of(pos, nil, rules.White).ShowMoves(v.Shape.Parse(c.from), pos.Moves())
		for what, got := range map[string][2]string{
			"goes": {d.Shape.Names(d.Marked(diagram.Target)), c.goes}, "joins": {d.Shape.Names(d.Marked(diagram.Merges)), c.joins}, "splits": {d.Shape.Names(d.Marked(diagram.Splits)), c.splits},
		} {
			if got[0] != got[1] {
				t.Errorf("%s %s %q, want %q", c.from, what, got[0], got[1])
			}
		}
	}
}

func TestAChosenPieceShowsItsOwnZoneAlone(t *testing.T) {
	d := sample.Diagram(t, "3/3/rp1/RPB")
	all := d.ShowZones(sample.Zones(d))
	lenders := func(d diagram.Diagram) (set rules.Set) {
		for _, m := range d.Marks {
			if m.Kind == diagram.Lent {
				set |= m.From.Set()
			}
		}
		return set
	}
	if got := d.Shape.Names(lenders(all)); got != "a1 a2 c1" {
		t.Fatalf("%s lend powers", got)
	}
	rook := d.Shape.Parse("a1")
	for name, chosen := range map[string]diagram.Diagram{
		"zones after the choice": d.ShowMoves(rook, nil).ShowZones(sample.Zones(d)), "zones before it": all.ShowMoves(rook, nil),
	} {
		if got := d.Shape.Names(lenders(chosen)); got != "a1" {
			t.Errorf("%s: %s lend powers, want a1", name, got)
		}
	}
	// A pawn lends nothing, and has its powers from the bishop beside it.
	pawn := d.ShowMoves(d.Shape.Parse("b1"), nil).ShowZones(sample.Zones(d))
	if got := d.Shape.Names(lenders(pawn)); got != "c1" {
		t.Errorf("%s lend powers to the pawn, want c1", got)
	}
}

func TestThreatsHideTheLastMove(t *testing.T) {
	d := sample.Diagram(t, sample.StartBoard)
	d.Marks = []diagram.Mark{sample.Mark(d, diagram.Left, "e2"), sample.Mark(d, diagram.Reached, "e4"), sample.Mark(d, diagram.Check, "e1")}
	shown := d.ShowThreats(analysis.Threats{Attacked: d.Shape.Parse("d3").Set()})
	if got, want := told(shown), "check e1, attacked d3"; got != want {
		t.Errorf("the marks are %q, want %q", got, want)
	}
	if len(d.Marks) != 3 {
		t.Error("the diagram itself was changed")
	}
}

func TestWhatIsTakenIsWhatIsMissing(t *testing.T) {
	start := sample.Diagram(t, "rnbqk/ppppp/PPPPP/RNBQK")
	for _, c := range []struct {
		now, white, black string // what they have taken
		ahead             [2]int
	}{
		{"rnbqk/ppppp/PPPPP/RNBQK", "", "", [2]int{}},
		{"1nbqk/pppp1/PPPPP/RNB1K", "pr", "Q", [2]int{0, 3}},
		{"rnbqk/ppppp/PPPPP/[RN]1BQK", "", "", [2]int{}},        // a compound is both of its parts
		{"rnb1k/ppppp/PPPPP/1[Rq]NBK", "", "Q", [2]int{0, 9}},   // half of a shared piece is still there
		{"rnbqk/ppppp/PPPPQ/RNBQK", "", "", [2]int{8, 0}},       // promoted
		{"rnbqk/pp3/PPPP1/[RN]1BNK", "ppp", "Q", [2]int{0, 4}},  // promoted to a part of a compound
		{"rnb1k/ppp2/PPPQQ/RNB1K", "ppq", "P", [2]int{18, 0}},   // and another captured
		{"rnbqk/ppppp/PPPPP/RNB[qrb]K", "", "Q", [2]int{0, 26}}, // more than there were are none taken
		{"4k/ppppp/PPPPP/RNBQK", "nbrq", "", [2]int{20, 0}},     // the least first
	} {
		bars := sample.Diagram(t, c.now).ShowTaken(start.Board, nil).Bars
		for side, want := range []string{c.white, c.black} {
			got := taken(sample.Table, bars.Sides[side])
			if got != want || bars.Sides[side].Ahead != c.ahead[side] {
				t.Errorf("%s: %v has taken %q and is %d ahead, want %q and %d", c.now, rules.Color(side), got, bars.Sides[side].Ahead, want, c.ahead[side])
			}
		}
	}
}

// taken are the codes of what a side has captured, Black's in small letters.
func taken(table rules.Table, by diagram.Bar) (codes string) {
	for _, p := range by.Taken {
		code := table[p.White|p.Black].Code
		if p.White == rules.NoRole {
			code = strings.ToLower(code)
		}
		codes += code
	}
	return codes
}

// TestWhatHasGrownTellsNothingOfWhatWasCaptured is about a game in which captors get what they capture:
// a knight is missing that a rook has taken in, a pawn that became a captain, and a bishop that was captured.
func TestWhatHasGrownTellsNothingOfWhatWasCaptured(t *testing.T) {
	start := sample.After(t, "stealth", "rn1qkb2/pppp4/8/8/8/8/PPPP4/R3KB2 w - - 0 1", "e1f2")
	now := sample.After(t, "stealth", "r2qkb2/p1pp4/8/8/8/8/P1CP4/[RN]3K3 w - - 0 1", "e1f2")
	knight, pawn, princess := start.Board[start.Shape.Parse("b8")], rules.PieceOf(rules.Black, start.Table.Role("P")), rules.PieceOf(rules.White, start.Table.Find("BN"))
	for _, c := range []struct {
		taken        []rules.Piece
		white, black string
	}{
		{nil, "", ""},
		{[]rules.Piece{knight, princess, pawn}, "pn", "BN"},
	} {
		bars := now.ShowTaken(start.Board, c.taken).Bars
		for side, want := range []string{c.white, c.black} {
			got := taken(now.Table, bars.Sides[side])
			if n := bars.Sides[side].Ahead; got != want || n != 0 {
				t.Errorf("%v were captured, and %v has taken %q and is %d ahead, want %q and 0", c.taken, rules.Color(side), got, n, want)
			}
		}
	}
}

func TestTheKingOfTheLoserIsMarked(t *testing.T) {
	d := sample.Barred(t)
	if got, want := d.ShowWinner(rules.White).Marked(diagram.Fallen), d.Shape.Parse("e8").Set(); got != want {
		t.Errorf("marked are %v, want e8", d.Shape.Names(got))
	}
	if d.Marked(diagram.Fallen) != 0 || d.Bars.Sides[rules.White].Won {
		t.Error("the diagram itself has changed")
	}
}
