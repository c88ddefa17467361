package render

import (
	"chimera/render/diagram"
)

// paintDangers shows what threatens a square: a ring around a piece that is attacked, a small block
// on a square that is, the sight of a gun in its range, thorns around what could be annihilated.
func (p *pen) paintDangers(t *tile) {
	occupied := t.occupied()
	if t.has(diagram.Doomed) {
		p.paintThorns()
	}
	switch {
	case t.has(diagram.Attacks) && occupied && !t.has(diagram.Check):
		c := p.at(.5, .5)
		p.dc.DrawCircle(c.x, c.y, .445*p.cell)
		p.stroke(p.Kill, .07)
	case t.has(diagram.Attacks) && !occupied && !t.has(diagram.Ranged):
		p.paintBlock()
	}
	if t.has(diagram.Ranged) {
		radius := .2
		if occupied {
			radius = .38
		}
		p.drawSight(p.at(.5, .5), radius)
		p.stroke(p.Kill, .05)
	}
}

// paintBlock marks an empty square as attacked.
func (p *pen) paintBlock() {
	const side = .17
	a := p.at(.5-side/2, .5-side/2)
	p.dc.DrawRectangle(a.x, a.y, side*p.cell, side*p.cell)
	p.dc.Fill(p.Kill)
}

// paintThorns draws the outline of a burst around a piece.
func (p *pen) paintThorns() {
	const rays, outer, inner = 14, .49, .39
	p.star(rays, outer, inner, 1)
	p.dc.FillPreserve(p.Blast)
	p.stroke(p.Kill, .035)
}
