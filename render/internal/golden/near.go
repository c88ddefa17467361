package golden

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"
)

// CompareNearly compares two pictures of the same thing that were made in different ways, so that
// edges may be a pixel away and smoother or less smooth: each pixel of one has to be in the other,
// or beside it, in about the same color.
func CompareNearly(t *testing.T, got, want *image.RGBA) {
	t.Helper()
	if got.Rect != want.Rect {
		t.Fatalf("the pictures are %v and %v", got.Rect.Max, want.Rect.Max)
	}
	diff := image.NewRGBA(want.Rect)
	strange := 0
	for y := range want.Rect.Max.Y {
		for x := range want.Rect.Max.X {
			diff.SetRGBA(x, y, pale(want.RGBAAt(x, y)))
			if !near(got, want.RGBAAt(x, y), x, y) || !near(want, got.RGBAAt(x, y), x, y) {
				diff.SetRGBA(x, y, color.RGBA{0xff, 0, 0, 0xff})
				strange++
			}
		}
	}
	const most = .001
	share := float64(strange) / float64(want.Rect.Dx()*want.Rect.Dy())
	if share <= most {
		return
	}
	dir := t.ArtifactDir()
	writePNG(t, filepath.Join(dir, "got.png"), got)
	writePNG(t, filepath.Join(dir, "want.png"), want)
	writePNG(t, filepath.Join(dir, "diff.png"), diff)
	t.Errorf("%.2f%% of the pixels are in one picture alone; see got.png, want.png and diff.png in %s", 100*share, dir)
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
