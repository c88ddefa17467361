package render

import (
	"chimera/render/diagram"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Plan tells where the squares are in a drawing of [SVG], in its units, for pages on which they can be
// touched.
type Plan struct {
	Width, Height int
	Rows          [][]Field // from above, each from the left
}

// Field is a square of a Plan.
type Field struct {
	Name       string
	X, Y, Side int
	Says       phrase.Phrase // the square's name and what stands there
}

// PlanOf is the plan of the drawing of a diagram.
func PlanOf(d diagram.Diagram) Plan {
	size := sizeOf(&d, drawnSquare)
	s, l := newScene(&d, size, false), layoutOf(&d, size)
	above := 0
	if d.Bars != nil {
		above = barHeight(size)
	}
	p := Plan{Width: s.width, Height: s.height}
	for row := range d.Shape.Ranks {
		var fields []Field
		for col := range d.Shape.Files {
			if sq := d.At(col, row); sq != rules.NoSquare {
				fields = append(fields, Field{d.Shape.Name(sq), l.x + col*l.side, above + l.y + row*l.side, l.side, text.Field(d, sq)})
			}
		}
		p.Rows = append(p.Rows, fields)
	}
	return p
}
