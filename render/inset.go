package render

import (
	"errors"
	"image"
	"image/color"
	"slices"

	"chimera/render/diagram"
	"chimera/render/draw"
)

// Inset is a board within another picture, where no edge shows whose turn it is: words are near.
type Inset struct {
	Diagram diagram.Diagram
	X, Y    int // of its upper left corner, in pixels
	Size    int // of the longer side of its board, in pixels
}

// Aspect is how high a picture of d is, as a share of its width.
func Aspect(d diagram.Diagram) float64 {
	s := newScene(&d, DefaultSize)
	return float64(s.height) / float64(s.width)
}

// Within is d as large as it fits into a box with all squares of one size, in the middle of it, and the
// pixels that it covers there.
func Within(d diagram.Diagram, box image.Rectangle) (Inset, image.Rectangle) {
	most := box.Size()
	across, _ := extent(&d)
	side := int(min(float64(most.X), float64(most.Y)/Aspect(d))/across) + 1
	for {
		size := sizeOf(&d, side)
		s := newScene(&d, size)
		if s.width <= most.X && s.height <= most.Y || side == 1 {
			corner := box.Min.Add(image.Pt((most.X-s.width)/2, (most.Y-s.height)/2))
			return Inset{Diagram: d, X: corner.X, Y: corner.Y, Size: size}, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(s.width, s.height))}
		}
		side--
	}
}

// inset paints boards over p, whose inks become more.
func (p *canvas) inset(boards []Inset) error {
	b := studio.bench()
	defer studio.benches.Put(b)
	p.Palette = slices.Clip(p.Palette[:p.last+1])
	for _, in := range boards {
		if err := CheckSize(in.Size); err != nil {
			return err
		}
		s := newScene(&in.Diagram, in.Size)
		s.rest()
		at := image.Rect(in.X, in.Y, in.X+s.width, in.Y+s.height)
		if !at.In(p.Rect) {
			return errors.New("render: a board is larger than the picture that it is in")
		}
		b.canvas.paint(s, studio.sprites.of(s, &b.brush))
		var here [draw.MaxColors]uint8 // what each of the board's inks is here, none if that is not known yet
		for y := range s.height {
			row := p.Pix[(at.Min.Y+y)*p.Stride+at.Min.X:]
			for x, ink := range b.canvas.Pix[y*b.canvas.Stride : y*b.canvas.Stride+s.width] {
				if here[ink] == draw.Transparent {
					here[ink] = p.admit(b.canvas.Palette[ink])
				}
				row[x] = here[ink]
			}
		}
	}
	return nil
}

// admit is the ink for a color: a new one if it has none yet and there is room, else the nearest.
func (p *canvas) admit(c color.Color) uint8 {
	ink := p.Palette.Index(c)
	if p.Palette[ink] != c && len(p.Palette) < draw.MaxColors {
		ink = len(p.Palette)
		p.Palette = append(p.Palette, c)
		p.last = uint8(ink)
	}
	return uint8(ink)
}
