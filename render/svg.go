package render

import (
	"fmt"
	"io"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/text"
	"chimera/rules/phrase"
)

// drawnSquare is the side of a square in a drawing, in its units.
const drawnSquare = 100

// SVG writes d as a drawing that shows what the picture of [PNG] shows at that size, and can
// be made larger. It has no styles and no scripts, so that any page may contain it; each
// kind of piece is one symbol, whose name tells it from all others that drawings of boards have.
// Screen readers read whose turn it is as its title, and [text.Words] as its description, in a
// language. It refuses sizes as PNG does.
func SVG(w io.Writer, d diagram.Diagram, size int, l phrase.Language) error {
	if err := CheckSize(size); err != nil {
		return err
	}
	s := newScene(&d, sizeOf(&d, drawnSquare))
	v := draw.NewVector()
	s.draw(v)
	pixels := newScene(&d, size)
	err := v.File(w, draw.Sheet{
		Width: s.width, Height: s.height, Across: pixels.width, Down: pixels.height,
		Title: text.Turn(d).Text(l), Description: text.Words(d).Text(l),
	})
	if err != nil {
		return fmt.Errorf("render: %w", err)
	}
	return nil
}

// draw draws all of s, each layer of its tiles on the one before.
func (s *scene) draw(v *draw.Vector) {
	colors := draw.SchemeOf(s.theme)
	tiles, bars := s.parted()
	pens := map[int]*pen{}
	at := func(slot *slot) *pen {
		p := pens[slot.height]
		if p == nil {
			p = newPen(colors, draw.NewBrush(v), slot.height)
			pens[slot.height] = p
		}
		p.x, p.y = float64(slot.x), float64(slot.y)
		return p
	}
	each := func(do func(*pen, *slot)) {
		for i := range tiles {
			do(at(&tiles[i]), &tiles[i])
		}
	}
	v.Layer("board")
	v.Fill(draw.Rectangle(0, 0, float64(s.width), float64(s.height)), colors.Ground)
	each(func(p *pen, s *slot) {
		if s.ground == hole {
			p.paintRim(&s.tile)
		}
	})
	for _, ground := range []ground{lightSquare, darkSquare} {
		each(func(p *pen, s *slot) {
			if s.ground == ground {
				p.paintGround(&s.tile)
			}
		})
	}
	v.Layer("marks")
	each(func(p *pen, s *slot) { p.paintBelow(&s.tile) })
	v.Layer("pieces")
	each(func(p *pen, slot *slot) { p.paintPieces(&slot.tile, s.table, &slot.contents) })
	v.Layer("above")
	each(func(p *pen, s *slot) { p.paintDeaths(&s.tile) })
	for on := casings; on <= lines; on++ {
		each(func(p *pen, s *slot) { p.paintLayer(&s.tile, on) })
	}
	each(func(p *pen, slot *slot) { p.paintPins(&slot.tile, s.table, &slot.contents) })
	v.Layer("bars")
	var letters draw.Faces
	for i := range bars {
		bars[i].part.paint(newPanelist(at(&bars[i]), &bars[i], &letters))
	}
}
