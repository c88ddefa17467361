package render

import (
	"bytes"
	"errors"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"chimera/rules"
	"chimera/rules/variants"
)

var update = flag.Bool("update", false, "write the golden files anew")

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
		blast.Marks = append(blast.Marks, mark(blast, Blasted, name))
	}

	targets := diagram(t, "4k3/8/1p3p2/8/3R4/8/1p3P2/4K3").ShowMoves(27, []rules.Move{
		{From: 27, To: 24},
		{From: 27, To: 25},
		{From: 27, To: 26},
		{From: 27, To: 13, Act: rules.Merge},
		{From: 27, To: 27, Kills: rules.Square(45).Set() | rules.Square(9).Set()},
		{From: 4, To: 3}, // another man's
	})

	taken := diagram(t, "r1b1kb1r/pp2pppp/2n5/8/8/5N2/PP3PPP/R3KB1R").ShowTaken(start.Board)
	taken.Theme = Night

	contrast := check
	contrast.Theme = Contrast

	print := lent
	print.Theme = Print
	all := map[string]Diagram{
		"start": start, "hybrids": hybrids, "check": check, "merge": merge,
		"split": split, "flipped": flipped, "holes": holes, "zones": lent,
		"frozen": frozen, "blast": blast, "targets": targets, "taken": taken,
		"contrast": contrast, "print": print,
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
			if err := PNG(&b, d, DefaultSize); err != nil {
				t.Fatal(err)
			}
			comparePicture(t, name, b.Bytes())
		})
	}
}

// comparePicture compares a picture with the one of that name in testdata.
func comparePicture(t *testing.T, name string, picture []byte) {
	t.Helper()
	file := filepath.Join("testdata", name+".png")
	if *update {
		writeFile(t, file, picture)
		return
	}
	got := decode(t, bytes.NewReader(picture))
	want := readPNG(t, file)
	diff, share := compare(got, want)
	const most = 0.002
	if share <= most {
		return
	}
	dir := t.ArtifactDir()
	writePNG(t, filepath.Join(dir, "got.png"), got)
	writePNG(t, filepath.Join(dir, "want.png"), want)
	writePNG(t, filepath.Join(dir, "diff.png"), diff)
	t.Errorf("%.2f%% of the pixels differ from %s; see got.png, want.png and diff.png in %s", 100*share, file, dir)
}

// compare paints the pixels that differ red on a pale picture, and gives their
// share.
func compare(got, want *image.RGBA) (diff *image.RGBA, share float64) {
	area := got.Bounds().Union(want.Bounds())
	diff = image.NewRGBA(area)
	differ := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			g, w := got.RGBAAt(x, y), want.RGBAAt(x, y)
			const tolerance = 8
			if max(difference8(g.R, w.R), difference8(g.G, w.G), difference8(g.B, w.B), difference8(g.A, w.A)) > tolerance {
				differ++
				diff.SetRGBA(x, y, color.RGBA{0xff, 0, 0, 0xff})
				continue
			}
			pale := 192 + color.GrayModel.Convert(w).(color.Gray).Y/4
			diff.SetRGBA(x, y, color.RGBA{pale, pale, pale, 0xff})
		}
	}
	return diff, float64(differ) / float64(area.Dx()*area.Dy())
}

func difference8(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func TestTheLongerSideHasTheSizeAskedFor(t *testing.T) {
	wide, tall := diagram(t, "8/8/8"), diagram(t, "***k***/7/7/7/7/7/7/7/7")
	for _, size := range []int{MinSize, 241, DefaultSize, 500} {
		for d, want := range map[*Diagram]image.Point{
			&wide: {size, size / 8 * 3},
			&tall: {size / 9 * 7, size},
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
	m := picture(t, diagram(t, "*7/8/8/8/8/8/8/8"), 160)
	for y := range 16 {
		for x := range 16 {
			if m.At(x, y) != opaque(schemes[Wood].ground) {
				t.Fatalf("pixel %d,%d of a hole is %v", x, y, m.At(x, y))
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
	return decode(t, &b)
}

func readPNG(t testing.TB, name string) *image.RGBA {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return decode(t, f)
}

func decode(t testing.TB, r io.Reader) *image.RGBA {
	t.Helper()
	m, err := png.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	rgba := image.NewRGBA(m.Bounds())
	draw.Draw(rgba, m.Bounds(), m, m.Bounds().Min, draw.Src)
	return rgba
}

func writePNG(t testing.TB, name string, m image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, b.Bytes())
}

func writeFile(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
