package render

import (
	"errors"
	"image"
	"image/color"

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
	s := newScene(&d, DefaultSize, false)
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
		s := newScene(&d, size, false)
		if s.width <= most.X && s.height <= most.Y || side == 1 {
			corner := box.Min.Add(image.Pt((most.X-s.width)/2, (most.Y-s.height)/2))
			return Inset{Diagram: d, X: corner.X, Y: corner.Y, Size: size}, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(s.width, s.height))}
		}
		side--
	}
}

// inset paints a board over a picture, whose inks become more.
func (p *Painter) inset(on *image.Paletted, in Inset) error {
	if err := CheckSize(in.Size); err != nil {
		return err
	}
	in.Diagram.Idle = true // so that no edge shows whose turn it is
	s := newScene(&in.Diagram, in.Size, false)
	at := image.Rect(in.X, in.Y, in.X+s.width, in.Y+s.height)
	if !at.In(on.Rect) {
		return errors.New("render: a board is larger than the picture that it is in")
	}
	board := p.paint(s, nil)
	here := make([]uint8, len(board.Palette)) // what each of the board's inks is on the picture, 0 if that is not known yet
	for y := range s.height {
		to := on.Pix[on.PixOffset(at.Min.X, at.Min.Y+y):]
		for x, ink := range board.Pix[y*board.Stride:][:s.width] {
			if here[ink] == draw.Transparent {
				here[ink] = admit(on, board.Palette[ink])
			}
			to[x] = here[ink]
		}
	}
	return nil
}

// admit is the ink for a color: a new one if it has none yet and there is room, else the nearest.
func admit(m *image.Paletted, c color.Color) uint8 {
	ink := m.Palette.Index(c)
	if m.Palette[ink] != c && len(m.Palette) < draw.MaxColors {
		ink = len(m.Palette)
		m.Palette = append(m.Palette, c)
	}
	return uint8(ink)
}
