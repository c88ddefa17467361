package render

import (
	"bytes"
	"errors"
	"image"
	"io"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/rules/phrase"
)

// paintsForLong leaves a test out of short runs, such as those of the race detector: it paints much, one picture
// after the other.
func paintsForLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it paints for long: without -short")
	}
}

func TestPicturesAreAsTheyWere(t *testing.T) {
	for name, d := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			golden.Must(t, NewPainter().PNG(&b, d, Medium))
			golden.Compare(t, name, b.Bytes())
		})
	}
}

func TestWhatCannotBePaintedOrWrittenIsAnError(t *testing.T) {
	d := sample.Diagram(t, sample.StartBoard)
	r, broken := io.Pipe()
	full := errors.New("full")
	_ = r.CloseWithError(full)
	for name, encode := range map[string]func(w io.Writer, size int) error{
		"PNG": func(w io.Writer, size int) error { return NewPainter().PNG(w, d, size) },
		"GIF": func(w io.Writer, size int) error { return NewPainter().GIF(w, []diagram.Diagram{d}, size, Pace{}) },
		"SVG": func(w io.Writer, size int) error { return SVG(w, d, size, phrase.English) },
	} {
		for _, size := range []int{-1, 0, MinSize - 1, MaxSize + 1} {
			var b bytes.Buffer
			if err := encode(&b, size); err == nil || b.Len() > 0 {
				t.Errorf("%s, size %d: error %v and %d bytes", name, size, err, b.Len())
			}
		}
		if err := encode(broken, MinSize); !errors.Is(err, full) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// framed is how wide seven squares of that size are with the frame that boards with holes have.
func framed(square float64) int {
	side := int(square)
	return 7*side + 2*int(.1*float64(side))
}

func TestTheLongerSideHasTheSizeAskedFor(t *testing.T) {
	wide, tall := sample.Diagram(t, "8/8/8"), sample.Diagram(t, "***k***/7/7/7/7/7/7/7/7")
	for _, size := range []int{MinSize, 241, DefaultSize, 500} {
		for d, want := range map[*diagram.Diagram]image.Point{
			&wide: {size, size / 8 * 3},
			&tall: {framed(float64(size) / (9 + 2*.1)), size},
		} {
			if got := picture(t, *d, size).Bounds().Size(); got != want {
				t.Errorf("size %d: the picture is %v, want %v", size, got, want)
			}
		}
	}
}

// picture is d painted, encoded and decoded.
func picture(t testing.TB, d diagram.Diagram, size int) *image.RGBA {
	t.Helper()
	var b bytes.Buffer
	golden.Must(t, NewPainter().PNG(&b, d, size))
	return golden.Decode(t, &b)
}
