package render

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"io"
	"testing"

	"chimera/render/internal/golden"
	"chimera/render/palette"
	"chimera/rules"
	"chimera/rules/variants"
)

// goldens are the diagrams whose pictures and texts are kept in testdata.
func goldens(t testing.TB) map[string]Diagram {
	start := diagram(t, startBoard)

	hybrids := diagram(t, "[rb][rn][bn][qn]k3/8/[RB][RN][BN][QN]4/[rb][rn][bn][qn]4/4[qrb][QRB][wz][WZ]/[Nr][Rn][Qb][Bq][Nn][Qq][Rr][Bb]/8/[RB][RN][BN][QN]K3")

	check := diagram(t, "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR")
	check.Marks = []Mark{mark(check, Left, "d8"), mark(check, Reached, "h4"), mark(check, Check, "e1")}

	merge := diagram(t, "r1bqkbnr/pppppppp/2n5/8/4P3/5[RN]2/PPPP1PPP/RNBQKB2")
	merge.Marks = []Mark{mark(merge, Left, "h1"), mark(merge, Reached, "f3"), mark(merge, Joined, "h1", "f3")}
	merge.Turn = rules.Black

	split := diagram(t, "4k3/8/3p1n2/2p5/3RN3/8/3Q4/4K3")
	split.Marks = []Mark{
		mark(split, Left, "d4"), mark(split, Reached, "e4"), mark(split, Parted, "d4", "e4"),
		mark(split, Killed, "e4", "d6"), mark(split, Killed, "e4", "f5"), mark(split, Fired, "d4", "a4"),
	}

	flipped := check
	flipped.Bottom = rules.Black

	holes := diagram(t, "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K***")
	holes.Turn = rules.Black

	lent := holes.ShowZones(zones(holes))

	frozen := diagram(t, "rnb1kbnr/pppp1ppp/8/4p1[Bq]1/8/3P4/PPP1PPPP/RN1QKBNR")
	frozen.Marks = []Mark{mark(frozen, Left, "d8"), mark(frozen, Reached, "g5"), mark(frozen, Joined, "d8", "g5"), mark(frozen, Frozen, "g5")}

	blast := diagram(t, "***k***/*ib1nr*/*p1p1p*/*1p3*/7/*1P3*/*P1P1P*/*IB1NR*/***K***")
	blast.Marks = []Mark{mark(blast, Left, "d2"), mark(blast, Reached, "d4")}
	for _, name := range []string{"d4", "e4", "e5", "e6"} {
		m := mark(blast, Blasted, name)
		m.Piece = rules.PieceOf(rules.White, pawn)
		blast.Marks = append(blast.Marks, m)
	}

	targets := diagram(t, "4k3/8/1p3p2/8/3R4/8/1p3P2/4K3").ShowMoves(27, []rules.Move{
		{From: 27, To: 24},
		{From: 27, To: 25},
		{From: 27, To: 26},
		{From: 27, To: 13, Act: rules.Merge},
		{From: 27, To: 27, Kills: rules.Square(45).Set() | rules.Square(9).Set()},
		{From: 4, To: 3}, // another piece's
	})

	run := after(t, "stealth", "4k3/8/p7/8/p7/8/8/[RRR]3K3 w - - 0 1", "a1a8xa4xa6")
	armor := after(t, "brigade", "k7/8/8/8/8/2p5/1p6/1N5K w - - 0 1", "b1c3xb2")
	armor.Bottom = rules.White

	fused := game(t, "combine")
	before, err := fused.Position("4k3/8/8/3p4/3[RN]4/2B2p2/3P4/R3K2R w - - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	choice := Of(before, nil, rules.White).ShowMoves(fused.Shape.Parse("d4"), before.Moves())
	join := Of(before, nil, rules.White).ShowMoves(fused.Shape.Parse("a1"), before.Moves())

	sways, err := game(t, "combination").Position("")
	if err != nil {
		t.Fatal(err)
	}
	sway := Of(sways, nil, rules.White).ShowMoves(sways.Variant().Shape.Parse("e2"), sways.Moves()).ShowZones(sways.Influences())

	taken := barred(t)
	taken.Theme = palette.Night

	won := taken.ShowWinner(rules.Black)
	won.Theme, won.Bottom, won.Over = palette.Wood, rules.Black, true
	won.Bars.Result, won.Bars.Sides[0].When = "0–1 · resignation", ""

	drawn := barred(t)
	drawn.Theme, drawn.Over, drawn.Bars.Result, drawn.Bars.Sides[0].When = palette.Contrast, true, "½–½ · Stellungswiederholung", ""

	outside := check
	outside.Coords = Outside

	aside := holes
	aside.Coords, aside.Bottom = Outside, rules.Black

	contrast := check
	contrast.Theme = palette.Contrast

	levels := Sheets(game(t, "stealth"))
	levels[3].Theme = palette.Night

	print := lent
	print.Theme = palette.Print
	all := map[string]Diagram{
		"start": start, "hybrids": hybrids, "check": check, "merge": merge,
		"split": split, "flipped": flipped, "holes": holes, "zones": lent,
		"frozen": frozen, "blast": blast, "targets": targets, "taken": taken, "won": won, "drawn": drawn,
		"contrast": contrast, "print": print, "levels": levels[2], "levels-night": levels[3], "run": run, "outside": outside, "outside-holes": aside,
		"armor":        armor,
		"choice-split": choice, "choice-merge": join, "choice-zone": sway,
	}
	for name, d := range taught(t) {
		all[name] = d
	}
	for _, v := range variants.All() {
		pos, err := v.Position("")
		if err != nil {
			t.Fatal(err)
		}
		all["start-"+v.Key] = Of(pos, nil, rules.White)
		all["pieces-"+v.Key] = Sheets(v)[0]
	}
	return all
}

func TestPicturesAreAsTheyWere(t *testing.T) {
	for name, d := range goldens(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := PNG(&b, d, Medium); err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name, b.Bytes())
		})
	}
}

// framed is how wide seven squares of so many pixels are with the frame that boards with holes have.
func framed(square float64) int {
	side := int(square)
	return 7*side + 2*int(.1*float64(side))
}

func TestTheLongerSideHasTheSizeAskedFor(t *testing.T) {
	wide, tall := diagram(t, "8/8/8"), diagram(t, "***k***/7/7/7/7/7/7/7/7")
	for _, size := range []int{MinSize, 241, DefaultSize, 500} {
		for d, want := range map[*Diagram]image.Point{
			&wide: {size, size / 8 * 3},
			&tall: {framed(float64(size) / (9 + 2*.1)), size},
		} {
			if got := picture(t, *d, size).Bounds().Size(); got != want {
				t.Errorf("size %d: the picture is %v, want %v", size, got, want)
			}
		}
	}
}

func TestSizesOutOfRangeAreRefused(t *testing.T) {
	for _, size := range []int{-1, 0, MinSize - 1, MaxSize + 1} {
		var b bytes.Buffer
		if err := PNG(&b, diagram(t, startBoard), size); err == nil || b.Len() > 0 {
			t.Errorf("size %d: error %v and %d bytes", size, err, b.Len())
		}
	}
}

func TestFailingWritersAreReported(t *testing.T) {
	r, w := io.Pipe()
	full := errors.New("full")
	_ = r.CloseWithError(full)
	if err := PNG(w, diagram(t, startBoard), MinSize); !errors.Is(err, full) {
		t.Errorf("the error is %v", err)
	}
}

func TestHolesAreNotPainted(t *testing.T) {
	m := picture(t, diagram(t, "7*/8/8/8/8/8/8/8"), 160)
	for y := range 16 {
		for x := range 16 {
			if m.At(159-x, y) != color.RGBA(palette.Wood.Scheme().Ground) {
				t.Fatalf("pixel %d,%d of a hole is %v", 159-x, y, m.At(159-x, y))
			}
		}
	}
}

// picture is d painted, encoded and decoded.
func picture(t testing.TB, d Diagram, size int) *image.RGBA {
	t.Helper()
	var b bytes.Buffer
	if err := PNG(&b, d, size); err != nil {
		t.Fatal(err)
	}
	return golden.Decode(t, &b)
}
