package render

import (
	"image/color"

	"chimera/render/diagram"
)

// paintPowers shows what a piece could do on a square: a sign for the part that could go there,
// with a thin ring around it where it could capture too; and small dots where it could do both on all
// squares.
func (p *pen) paintPowers(t *tile) {
	const wide, around = .215, .455 // around nothing or a sign, and around a piece
	occupied := t.occupied()
	if t.field {
		p.paintDot(p.inkOf(t.part), .05)
		return
	}
	if t.has(diagram.Takes) {
		radius, ink := wide, p.Kill
		switch {
		case occupied:
			radius = around
		case t.part > 0:
			ink = p.inkOf(t.part)
		}
		c := p.at(.5, .5)
		p.dc.DrawCircle(c.x, c.y, radius*p.cell)
		p.stroke(ink, .035)
	}
	if t.part > 0 && !occupied {
		p.paintPart(t.part)
	}
}

// paintPart draws the sign of a part of a piece: a disc for the first, a diamond for the second, a
// triangle for the third.
func (p *pen) paintPart(number uint8) {
	const round, long, high = .105, .135, .13
	ink := p.inkOf(number)
	switch number {
	case 1:
		p.paintDot(ink, round)
	case 2:
		p.polygon(ink, point{.5, .5 - long}, point{.5 + long, .5}, point{.5, .5 + long}, point{.5 - long, .5})
	default:
		p.polygon(ink, point{.5, .5 - high}, point{.5 + high, .5 + .75*high}, point{.5 - high, .5 + .75*high})
	}
}

// inkOf is the color of the sign of a part.
func (p *pen) inkOf(number uint8) color.NRGBA {
	return [...]color.NRGBA{p.Target, p.Join, p.Part}[number-1]
}

// polygon fills what is between corners, given in tiles.
func (p *pen) polygon(ink color.NRGBA, corners ...point) {
	for i, c := range corners {
		at := p.at(c.x, c.y)
		if i == 0 {
			p.dc.MoveTo(at.x, at.y)
		} else {
			p.dc.LineTo(at.x, at.y)
		}
	}
	p.dc.ClosePath()
	p.dc.Fill(ink)
}
