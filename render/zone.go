package render

import (
	"math"

	"chimera/rules"
)

// paintZones hatches a square to which pieces lend their powers: White's zones upwards,
// Black's downwards, so that squares in both are crossed. The lines go on in the next
// square.
func (p *pen) paintZones(t *tile) {
	const lines, width = 5, .03
	for side, from := range t.lent {
		if from == 0 {
			continue
		}
		for i := range 2 * lines {
			off := (float64(i) + .5) / lines
			x, end := off, off-1
			if rules.Color(side) == rules.Black {
				x, end = 1-off, 2-off
			}
			p.line(x, end)
		}
		p.stroke(p.zones[side], width)
	}
}

// line lays a slanting line from the top of a tile to its bottom, as much as is
// within.
func (p *pen) line(x, end float64) {
	inside := func(x float64) (float64, float64) { // and how far below the top
		c := max(0, min(1, x))
		return c, math.Abs(c - x)
	}
	ax, ay := inside(x)
	zx, zy := inside(end)
	a, z := p.at(ax, ay), p.at(zx, 1-zy)
	p.dc.DrawLine(a.x, a.y, z.x, z.y)
}

// paintLenders points into a square of a zone from where the power comes: one
// arrowhead of the lender's color from a neighbouring square, two from further away.
func (p *pen) paintLenders(t *tile) {
	for side, from := range t.lent {
		for i, dir := range directions {
			if from>>i&0x101 == 0 {
				continue
			}
			dx, dy := -float64(dir[0]), -float64(dir[1])
			p.paintHead(point{.5 - dx*.33, .5 - dy*.33}, dx, dy, rules.Color(side))
			if from>>(8+i)&1 != 0 {
				p.paintHead(point{.5 - dx*.45, .5 - dy*.45}, dx, dy, rules.Color(side))
			}
		}
	}
}

// paintHead draws an arrowhead with its tip at z.
func (p *pen) paintHead(z point, dx, dy float64, side rules.Color) {
	const long, half = .14, .09
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	for i, q := range []point{z, {z.x - dx*long - dy*half, z.y - dy*long + dx*half}, {z.x - dx*long + dy*half, z.y - dy*long - dx*half}} {
		c := p.at(q.x, q.y)
		if i == 0 {
			p.dc.MoveTo(c.x, c.y)
		} else {
			p.dc.LineTo(c.x, c.y)
		}
	}
	p.dc.ClosePath()
	p.dc.SetColor(p.pieces[side.Other()].Fill)
	p.dc.SetLineWidth(.05 * p.cell)
	p.dc.StrokePreserve()
	p.dc.SetColor(p.pieces[side].Fill)
	p.dc.Fill()
}
