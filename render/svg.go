package render

import (
	"fmt"
	"image"
	"io"
	"slices"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
)

// drawnSquare is the side of a square in a drawing, in its units.
const drawnSquare = 100

// SVG writes d as a scalable drawing with the same content as the picture of [Painter.PNG] at that size. It has no
// styles and no scripts, so that any page may contain it; each kind of piece is one symbol, with a name that is unique
// among all drawings of boards. For screen readers, its title says whose turn it is, and its description is
// [text.Words], in the given language. It refuses sizes as PNG does.
func SVG(w io.Writer, d diagram.Diagram, size int, l phrase.Language) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	s := newScene(&d, sizeOf(&d, drawnSquare), false)
	pixels := newScene(&d, size, false)
	return s.file(w, draw.Sheet{
		Width: s.width, Height: s.height, Across: pixels.width, Down: (pixels.width*s.height + s.width/2) / s.width, // else pages would draw it narrower than they plan it
		Title: text.Turn(d).Text(l), Description: text.Words(d).Text(l), Kept: d.Chosen,
	})
}

// Detail writes a drawing of a part of a board between two opposite corner squares, without bars: what happens there,
// for pages that say it in words. Lines that only lead there are cut off. If one of the squares is [rules.NoSquare], it
// is the whole board.
func Detail(w io.Writer, d diagram.Diagram, from, to rules.Square) error {
	d.Idle, d.Bars, d.Legend = true, nil, nil
	s := newScene(&d, sizeOf(&d, drawnSquare), false)
	var part image.Rectangle
	for _, row := range PlanOf(d).Rows {
		for _, f := range row {
			if f.Name == d.Shape.Name(from) || f.Name == d.Shape.Name(to) {
				part = part.Union(image.Rect(f.X, f.Y, f.X+f.Side, f.Y+f.Side))
			}
		}
	}
	if d.Coords == diagram.Outside { // their names below and to the left
		b := borderOf(&d)
		part.Min.X, part.Max.Y = part.Min.X-int(b.left*drawnSquare), part.Max.Y+int(b.bottom*drawnSquare)
	}
	if part.Empty() { // the whole board
		part = s.all()
	}
	s.areas = slices.DeleteFunc(s.areas, func(a area) bool { return !a.Overlaps(part) })
	return s.file(w, draw.Sheet{Left: part.Min.X, Top: part.Min.Y, Width: part.Dx(), Height: part.Dy(), Across: part.Dx(), Down: part.Dy()})
}

// file writes s as an SVG file.
func (s *scene) file(w io.Writer, sheet draw.Sheet) error {
	v := draw.NewVector()
	s.draw(v)
	if err := v.File(w, sheet); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// draw draws s, one layer of its tiles above the other.
func (s *scene) draw(v *draw.Vector) {
	each := func(do func(*pen, *tile)) {
		for i := range s.areas {
			if a := &s.areas[i]; a.tile != nil {
				do(s.pen(a, v, a.Min), a.tile)
			}
		}
	}
	v.Layer("board")
	v.Fill(draw.Rectangle(0, 0, float64(s.width), float64(s.height)), draw.SchemeOf(s.theme).Ground)
	each(func(p *pen, t *tile) {
		if t.ground == hole {
			p.paintRim(t)
		}
	})
	for _, ground := range []ground{lightSquare, darkSquare} {
		each(func(p *pen, t *tile) {
			if t.ground == ground {
				p.paintGround(t)
			}
		})
	}
	v.Layer("marks")
	each(func(p *pen, t *tile) {
		rest := *t
		rest.marks &^= aims
		rest.rank, rest.file = "", ""
		p.paintBelow(&rest)
	})
	each((*pen).paintGhost)
	v.Layer("names") // the same in all positions
	each((*pen).paintNames)
	v.Layer("aims") // pages hide it while another piece is chosen
	each((*pen).paintAims)
	v.Layer("pieces")
	each((*pen).paintPieces)
	v.Layer("above")
	each((*pen).paintDeaths)
	for on := casings; on <= lines; on++ {
		each(func(p *pen, t *tile) { p.paintLayer(t, on) })
	}
	v.Layer("pins")
	each((*pen).paintPins)
	v.Layer("bars")
	for i := range s.areas {
		if a := &s.areas[i]; a.part != nil {
			s.paint(a, v, a.Min)
		}
	}
}

// Plan is where the squares are in a drawing of [SVG], in its units, for pages on which they can be touched.
type Plan struct {
	Width, Height int
	Rows          [][]Field // from above, each from the left
}

// Field is a square of a Plan.
type Field struct {
	Name       string
	X, Y, Side int
	Says       phrase.Phrase // the square's name and content
}

// PlanOf is the plan of the drawing of a diagram.
func PlanOf(d diagram.Diagram) Plan {
	size := sizeOf(&d, drawnSquare)
	s, l := newScene(&d, size, false), layoutOf(&d, size)
	p := Plan{Width: s.width, Height: s.height}
	for row := range d.Shape.Ranks {
		var fields []Field
		for col := range d.Shape.Files {
			if sq := d.At(col, row); sq != rules.NoSquare {
				fields = append(fields, Field{d.Shape.Name(sq), l.x + col*l.side, l.y + row*l.side, l.side, text.Field(d, sq)})
			}
		}
		p.Rows = append(p.Rows, fields)
	}
	return p
}
