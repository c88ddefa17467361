package golden

import (
	"image"
	"image/color"
	"testing"
)

// CompareNearly compares two pictures of the same thing made in different ways, of which most pixels may be strange.
func CompareNearly(t *testing.T, got, want *image.RGBA, most int) {
	t.Helper()
	if got.Rect != want.Rect {
		t.Fatalf("the pictures are %v and %v", got.Rect.Max, want.Rect.Max)
	}
	strange, diff := Strange(got, want)
	if strange <= most {
		return
	}
	t.Errorf("%d pixels are in one picture alone; see got.png, want.png and diff.png in %s", strange, kept(t, got, want, diff))
}

// Strange counts the pixels that only one of two pictures of one size has, and paints them red on a pale picture. Edges
// may differ by a pixel, and in smoothness: a pixel is not strange if the other picture has about the same color there
// or beside it.
func Strange(got, want *image.RGBA) (strange int, diff *image.RGBA) {
	diff = image.NewRGBA(want.Rect)
	for y := range want.Rect.Max.Y {
		for x := range want.Rect.Max.X {
			diff.SetRGBA(x, y, pale(want.RGBAAt(x, y)))
			if !near(got, want.RGBAAt(x, y), x, y) || !near(want, got.RGBAAt(x, y), x, y) {
				diff.SetRGBA(x, y, color.RGBA{0xff, 0, 0, 0xff})
				strange++
			}
		}
	}
	return strange, diff
}

// near reports whether a picture has about that color at a place or beside it.
func near(m *image.RGBA, c color.RGBA, x, y int) bool {
	const tolerance = 64
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			at := image.Pt(x+dx, y+dy)
			if at.In(m.Rect) && farthest(m.RGBAAt(at.X, at.Y), c) <= tolerance {
				return true
			}
		}
	}
	return false
}
