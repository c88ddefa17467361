package render

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
)

// A board on another picture looks as it does by itself, and leaves the rest of that as it was.
func TestBoardsLieOnAPicture(t *testing.T) {
	const size, x, y = 240, 30, 50
	ground := color.NRGBA{0xf7, 0xf0, 0xe4, 0xff}
	k := draw.NewPalette([]color.NRGBA{ground}, nil)
	m := image.NewRGBA(image.Rect(0, 0, 600, 400))
	for i := range m.Pix {
		m.Pix[i] = []uint8{ground.R, ground.G, ground.B, ground.A}[i%4]
	}
	for _, theme := range diagram.Themes() {
		d := sample.Diagram(t, sample.StartBoard)
		d.Theme = theme
		var file, alone bytes.Buffer
		golden.Must(t, NewPainter().EncodePNG(&file, m, k, Inset{Diagram: d, X: x, Y: y, Size: size}))
		d.Idle = true // there no edge says whose turn it is
		golden.Must(t, NewPainter().PNG(&alone, d, size))
		got, want := golden.Decode(t, &file), golden.Decode(t, &alone)
		board := want.Rect.Add(image.Pt(x, y))
		for py := range got.Rect.Dy() {
			for px := range got.Rect.Dx() {
				expected := color.RGBA{ground.R, ground.G, ground.B, 0xff}
				if at := image.Pt(px, py); at.In(board) {
					expected = want.RGBAAt(px-x, py-y)
				}
				if c := got.RGBAAt(px, py); c != expected {
					t.Fatalf("%v: at %d, %d is %v, want %v", theme, px, py, c, expected)
				}
			}
		}
	}
}

func TestABoardThatDoesNotFitIsRefused(t *testing.T) {
	k, m := draw.NewPalette([]color.NRGBA{{A: 0xff}}, nil), image.NewRGBA(image.Rect(0, 0, 300, 300))
	d := sample.Diagram(t, sample.StartBoard)
	for _, in := range []Inset{{Size: 240, X: 100}, {Size: 240, Y: -1}, {Size: MinSize - 1}, {Size: MaxSize + 1}} {
		in.Diagram = d
		if err := NewPainter().EncodePNG(&bytes.Buffer{}, m, k, in); err == nil {
			t.Errorf("%d pixels at %d, %d are painted", in.Size, in.X, in.Y)
		}
	}
}

// A board in a box is in the middle of it and has squares of one size, the largest for which there is room.
func TestABoardIsAsLargeAsItsBox(t *testing.T) {
	for name, d := range sample.All(t) {
		for _, box := range []image.Rectangle{image.Rect(10, 20, 674, 804), image.Rect(3, 5, 303, 305), image.Rect(0, 0, 800, 310)} {
			in, seen := Within(d, box)
			s := newScene(&d, in.Size, false)
			if got := image.Rect(in.X, in.Y, in.X+s.width, in.Y+s.height); got != seen || !got.In(box) {
				t.Errorf("%s is in %v, said to be in %v, of the box %v", name, got, seen, box)
			}
			before, after := seen.Min.Sub(box.Min), box.Max.Sub(seen.Max)
			if off := after.Sub(before); off.X < 0 || off.X > 1 || off.Y < 0 || off.Y > 1 {
				t.Errorf("%s has %v before it and %v after it", name, before, after)
			}
			side := layoutOf(&d, in.Size).side
			if sizeOf(&d, side) != in.Size {
				t.Errorf("%s is %d long, but for squares of %d pixels", name, in.Size, side)
			}
			if larger := newScene(&d, sizeOf(&d, side+1), false); larger.width <= box.Dx() && larger.height <= box.Dy() {
				t.Errorf("%s has squares of %d pixels, though there is room for larger ones in %v", name, side, box)
			}
		}
	}
}

// TestAspect compares Aspect with the sizes of pictures.
func TestAspect(t *testing.T) {
	for _, fen := range []string{sample.StartBoard, "*3k3*/9/*3K3*", "3/3/1k1/3/3/1K1/3"} {
		d := sample.Diagram(t, fen)
		var file bytes.Buffer
		golden.Must(t, NewPainter().PNG(&file, d, 360))
		size := golden.Decode(t, &file).Rect.Size()
		if got, want := Aspect(d), float64(size.Y)/float64(size.X); got < .98*want || got > 1.02*want {
			t.Errorf("%s: it is %.3f, want %.3f", fen, got, want)
		}
	}
}
