package draw

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"chimera/render/diagram"
)

func TestThereAreInksToSpare(t *testing.T) {
	for _, theme := range diagram.Themes() {
		if n := len(PaletteOf(theme).Colors); n >= MaxColors {
			t.Errorf("%v has no room for more than %d inks", theme, n)
		}
		if n := PaletteOf(theme).flats; n >= maxFlats {
			t.Errorf("%v has %d flat inks or more", theme, n)
		}
	}
}

// Whatever is left out when a picture is traced, each pixel has its ink.
func TestEachPixelIsTracedInItsInk(t *testing.T) {
	const seed = 7
	dice := rand.New(rand.NewPCG(seed, seed))
	k := PaletteOf(diagram.Wood)
	for _, width := range []int{1, 2, 3, 37} {
		m := image.NewRGBA(image.Rect(0, 0, width, 40))
		c := color.RGBA{A: 0xff}
		for y := range m.Rect.Dy() {
			for x := range width {
				if dice.IntN(3) == 0 {
					c = color.RGBA{uint8(dice.Uint32()), uint8(dice.Uint32()), uint8(dice.Uint32()), 0xff}
				}
				m.SetRGBA(x, y, c)
			}
			if y > 0 && dice.IntN(2) == 0 {
				copy(m.Pix[y*m.Stride:], m.Pix[(y-1)*m.Stride:y*m.Stride])
			}
		}
		var flat []uint8
		for y := range m.Rect.Dy() {
			for x := range width {
				flat = append(flat, k.Flat(m.RGBAAt(x, y)))
			}
		}
		got := k.Trace(m)
		for i, want := range flat {
			x, y := i%width, i/width
			if want == Transparent {
				want = k.between(m.RGBAAt(x, y), around(flat, width, x, y))
			}
			if got[i] != want {
				t.Fatalf("seed %d: %v at %d, %d of %d is in ink %d, want %d", seed, m.RGBAAt(x, y), x, y, width, got[i], want)
			}
		}
	}
}
