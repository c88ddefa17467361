package render

import (
	"errors"
	"image"
)

// Inset is a board within another picture.
type Inset struct {
	Diagram Diagram
	X, Y    int // of its upper left corner, in pixels
	Size    int // of the longer side of its board, in pixels
}

// Aspect is how high a picture of d is, as a share of its width.
func (d Diagram) Aspect() float64 {
	s := newScene(&d, DefaultSize)
	return float64(s.height) / float64(s.width)
}

// inset paints boards over p, in inks that are counted from first on.
func (p *canvas) inset(boards []Inset, first int) error {
	b := studio.bench()
	defer studio.benches.Put(b)
	for _, in := range boards {
		if err := CheckSize(in.Size); err != nil {
			return err
		}
		s := newScene(&in.Diagram, in.Size)
		at := image.Rect(in.X, in.Y, in.X+s.width, in.Y+s.height)
		if !at.In(p.Rect) {
			return errors.New("render: a board is larger than the picture that it is in")
		}
		b.canvas.paint(s, studio.sprites.of(s))
		for y := range s.height {
			row := p.Pix[(at.Min.Y+y)*p.Stride+at.Min.X:]
			for x, ink := range b.canvas.Pix[y*b.canvas.Stride : y*b.canvas.Stride+s.width] {
				row[x] = uint8(first) + ink
			}
		}
	}
	return nil
}

// and are k followed by the inks of a theme: of two pictures in one.
func (k *Inks) and(t Theme) *Inks {
	return &Inks{table: append(k.table[:len(k.table):len(k.table)], t.inks().table...)}
}

const _ = uint8(2 * (maxInks - 1)) // as many as a file can have
