package render

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/variants"
)

func TestEveryEffectHasItsMarks(t *testing.T) {
	const a, b = rules.Square(3), rules.Square(12)
	left, reached := on(Left, a), on(Reached, b)
	for _, c := range []struct {
		name string
		kind rules.EffectKind
		from rules.Square
		want []Mark
	}{
		{"a move", rules.Moved, a, []Mark{left, reached}},
		{"a castled rook", rules.Castled, a, []Mark{left, reached}},
		{"a capture", rules.Captured, a, []Mark{{Kind: Killed, From: a, To: b}}},
		{"an absorption", rules.Absorbed, a, []Mark{{Kind: Killed, From: a, To: b}}},
		{"an annihilation", rules.Annihilated, a, []Mark{{Kind: Blasted, From: b, To: b}}},
		{"a shot", rules.Shot, a, []Mark{{Kind: Fired, From: a, To: b}}},
		{"a birth", rules.Born, a, []Mark{left, reached, {Kind: Joined, From: a, To: b}}},
		{"a part that comes", rules.Merged, a, []Mark{left, reached, {Kind: Joined, From: a, To: b}}},
		{"a part that was there", rules.Merged, b, []Mark{reached}},
		{"a part that goes", rules.Parted, a, []Mark{left, reached, {Kind: Parted, From: a, To: b}}},
		{"a promotion", rules.Promoted, b, nil},
	} {
		if got := marks(rules.Effect{Kind: c.kind, From: c.from, To: b}); !slices.Equal(got, c.want) {
			t.Errorf("%s is marked %v, want %v", c.name, got, c.want)
		}
	}
}

func TestMarksOfRealMoves(t *testing.T) {
	for _, c := range []struct {
		name, variant, fen, move string
		marks                    string // of the position after the move
	}{
		{
			"a capture", "chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5",
			"left e4, reached d5",
		},
		{
			"an en-passant capture", "chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6",
			"killed e5-d5, left e5, reached d6",
		},
		{
			"check", "chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8",
			"left a1, reached a8, check e8, checker a8-e8",
		},
		{
			"a merge", "combine", "4k3/8/8/8/8/8/8/R1B1K3 w - - 0 1", "a1~c1",
			"left a1, reached c1, joined a1-c1",
		},
		{
			"a split", "combine", "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "d4/Ne5",
			"left d4, reached e5, parted d4-e5",
		},
		{
			"a birth", "knightmare", "3qk3/8/8/6B1/8/8/8/4K3 b - - 0 1 -", "d8g5",
			"left d8, reached g5, joined d8-g5, frozen g5",
		},
		{
			"a shot", "brigade", "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1", "a1a1xa5",
			"fired a1-a5",
		},
		{
			"a run of kills", "stealth", "4k3/8/p7/8/p7/8/8/[RRR]3K3 w - - 0 1", "a1a8xa4xa6",
			"killed a1-a4, killed a1-a6, left a1, reached a8, ran a1-a8, check e8, checker a8-e8",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := tell(after(t, c.variant, c.fen, c.move)); got != c.marks {
				t.Errorf("the marks are %q, want %q", got, c.marks)
			}
		})
	}
}

// after is the diagram after a move, given as coordinate text.
func after(t testing.TB, variant, fen, move string) Diagram {
	t.Helper()
	for _, v := range variants.All() {
		if v.Key != variant {
			continue
		}
		pos, err := v.Position(fen)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pos.Moves() {
			if v.Coordinate(m) != move {
				continue
			}
			next, err := pos.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			return Of(next, pos.Effects(m), next.Turn())
		}
	}
	t.Fatalf("%s has no move %s", variant, move)
	return Diagram{}
}

// tell lists the marks of d: the kind, and its squares.
func tell(d Diagram) string {
	names := map[MarkKind]string{
		Left: "left", Reached: "reached", Check: "check", Killed: "killed", Fired: "fired", Joined: "joined",
		Parted: "parted", Blasted: "blasted", Frozen: "frozen", Lent: "lent",
		Chosen: "chosen", Target: "target", Aimed: "aimed", Merges: "merges", Splits: "splits", Ran: "ran",
		Checker: "checker", Attacks: "attacks", Fallen: "fallen", Goes: "goes", Takes: "takes", Ranged: "ranged", Doomed: "doomed",
	}
	var all []string
	for _, m := range d.Marks {
		text := names[m.Kind] + " " + d.Shape.Name(m.From)
		if m.From != m.To {
			text += "-" + d.Shape.Name(m.To)
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestZonesAreShownOnACopy(t *testing.T) {
	d := diagram(t, "3/1b1/3/1B1")
	d.Marks = make([]Mark, 0, 8)
	shown := d.ShowZones(zones(d))
	if got, want := tell(shown), "lent b1-a1, lent b1-c1, lent b1-b2, lent b3-b2, lent b3-a3, lent b3-c3, lent b3-b4"; got != want {
		t.Errorf("the marks are %q, want %q", got, want)
	}
	if len(d.Marks) != 0 || len(d.ShowZones(nil).Marks) != 0 {
		t.Error("the diagram itself was marked")
	}
	if white, black := shown.lender(shown.Marks[0]), shown.lender(shown.Marks[6]); white != rules.White || black != rules.Black {
		t.Errorf("the lenders are %v and %v", white, black)
	}
}

func TestBlackAtTheBottomTurnsTheBoardHalfAround(t *testing.T) {
	d := diagram(t, "***k***/7/7")
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
		if got := d.Shape.Name(d.at(c.col, c.row)); got != c.want {
			t.Errorf("%v at the bottom: column %d, row %d is %s, want %s", c.bottom, c.col, c.row, got, c.want)
		}
		for sq := range d.Shape.Squares.Squares() {
			if got := d.at(d.flip(d.Shape.File(sq), d.Shape.Rank(sq))); got != sq {
				t.Errorf("%v at the bottom: %s is seen at %s", c.bottom, d.Shape.Name(sq), d.Shape.Name(got))
			}
		}
	}
}
