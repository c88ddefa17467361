package render

import (
	"image"
	"image/color"
	"testing"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/sample"
)

// TestInksAreEnough compares what is painted with what was meant: few pixels are far
// from their colors.
func TestInksAreEnough(t *testing.T) {
	paintsForLong(t)
	all := sample.All(t)
	for _, theme := range diagram.Themes() {
		for _, name := range []string{"hybrids", "split", "zones", "targets", "frozen", "check", "taken", "won", "drawn"} {
			const far, most = 4 * 28 * 28, .003
			count, pixels := 0, 0
			eachPixel(all[name], theme, Small, func(meant color.RGBA, ink uint8) {
				if apart(meant, draw.PaletteOf(theme).Colors[ink].(color.RGBA)) > far {
					count++
				}
				pixels++
			})
			if share := float64(count) / float64(pixels); share > most {
				t.Errorf("%s in %v: %.2f%% of the pixels have a wrong color", name, theme, 100*share)
			}
		}
	}
}

// TestEdgesHaveTheTonesOfWhatMeets looks for specks: pixels that are greener or bluer than
// they were meant to be, though as light.
func TestEdgesHaveTheTonesOfWhatMeets(t *testing.T) {
	paintsForLong(t)
	const off, most = 16, .002
	d := sample.All(t)["hybrids"]
	for _, theme := range diagram.Themes() {
		for _, size := range []int{Small, Medium, Large} {
			specks, edges := 0, 0
			eachPixel(d, theme, size, func(meant color.RGBA, ink uint8) {
				seen := draw.PaletteOf(theme).Colors[ink].(color.RGBA)
				if meant != seen {
					edges++
				}
				if toneApart(meant, seen) > off {
					specks++
				}
			})
			if share := float64(specks) / float64(edges); share > most {
				t.Errorf("%v, %d pixels: %.2f%% of those at edges have a wrong tone", theme, size, 100*share)
			}
		}
	}
}

// eachPixel shows the color that each pixel of a picture was meant to have, and its ink.
func eachPixel(d diagram.Diagram, theme diagram.Theme, size int, show func(meant color.RGBA, ink uint8)) {
	d.Theme = theme
	s := newScene(&d, size, false)
	for i := range s.areas {
		m := image.NewRGBA(image.Rectangle{Max: s.areas[i].Size()})
		s.paint(&s.areas[i], draw.OnPixels(m), image.Point{})
		for j, ink := range draw.PaletteOf(theme).Trace(m) {
			show(m.RGBAAt(j%m.Rect.Dx(), j/m.Rect.Dx()), ink)
		}
	}
}

// apart is the square of the distance of two colors, in which a wrong tone counts as much as a wrong lightness.
func apart(a, b color.RGBA) int {
	r, g, l := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	light := (2*r + 5*g + l) / 8
	red, blue := r-light, l-light
	return 4 * (light*light + red*red + blue*blue)
}

// toneApart is by how much the differences between red, green and blue differ.
func toneApart(a, b color.RGBA) int {
	tone := func(c color.RGBA) [2]int { return [2]int{int(c.R) - int(c.G), int(c.B) - int(c.G)} }
	x, y := tone(a), tone(b)
	return max(x[0]-y[0], y[0]-x[0], x[1]-y[1], y[1]-x[1])
}
