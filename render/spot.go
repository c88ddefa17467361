package render

import (
	"image/color"
	"math"
)

// paintFrames draws what follows the edges of a square: of the last move and of the
// piece that is about to move.
func (p *pen) paintFrames(t *tile) {
	switch {
	case t.has(Frozen):
		p.paintFrame(p.frost, .07)
	case t.has(Chosen):
		p.paintFrame(p.target, .06)
	case t.has(Reached) && t.brief:
		p.paintCorners(.08, .22)
	case t.has(Reached):
		p.paintFrame(p.trail, .03)
	case t.has(Left):
		p.paintCorners(.03, .16)
	}
}

func (p *pen) paintFrame(ink color.NRGBA, width float64) {
	a := p.at(width/2, width/2)
	p.dc.DrawRectangle(a.x, a.y, (1-width)*p.cell, (1-width)*p.cell)
	p.stroke(ink, width)
}

// paintCorners draws the corners of a frame.
func (p *pen) paintCorners(width, arm float64) {
	for _, c := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		in := func(by float64) point {
			return p.at(c[0]+by*(1-2*c[0]), c[1]+by*(1-2*c[1]))
		}
		corner, end := in(width/2), in(arm)
		p.dc.MoveTo(corner.x, end.y)
		p.dc.LineTo(corner.x, corner.y)
		p.dc.LineTo(end.x, corner.y)
	}
	p.stroke(p.trail, width)
}

// paintDot draws a disc in the middle.
func (p *pen) paintDot(ink color.NRGBA, radius float64) {
	c := p.at(.5, .5)
	p.dc.DrawCircle(c.x, c.y, radius*p.cell)
	p.dc.SetColor(ink)
	p.dc.Fill()
}

// paintSpots shows what is marked in the middle of a square, below the piece.
func (p *pen) paintSpots(t *tile) {
	if t.has(Check) {
		p.paintCheck()
	}
	if t.has(Killed) {
		p.paintKill(t.look != 0)
	}
	if t.has(Blasted) {
		p.paintBlast()
	}
	if t.has(Target) {
		p.paintTarget(t.look != 0)
	}
	if t.has(Aimed) {
		p.paintAim(t.look != 0)
	}
}

// paintCheck puts a ringed disc behind a king: a shape, for those who do not see
// the color.
func (p *pen) paintCheck() {
	c := p.at(.5, .5)
	p.dc.DrawCircle(c.x, c.y, .455*p.cell)
	p.dc.SetColor(p.checkTint)
	p.dc.FillPreserve()
	p.stroke(p.check, .06)
}

// paintKill crosses a square: all of it if it is empty now, else its corner.
func (p *pen) paintKill(occupied bool) {
	x, y, r := .5, .5, .2
	if occupied {
		x, y, r = .88, .12, .06
	}
	a, z := p.at(x-r, y-r), p.at(x+r, y+r)
	p.dc.DrawLine(a.x, a.y, z.x, z.y)
	p.dc.DrawLine(a.x, z.y, z.x, a.y)
	p.stroke(p.kill, .06)
}

// paintBlast draws a burst where something was annihilated.
func (p *pen) paintBlast() {
	const rays, outer, inner = 10, .36, .2
	c := p.at(.5, .5)
	for i := range 2 * rays {
		r := outer * p.cell
		if i%2 == 1 {
			r = inner * p.cell
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / rays)
		p.dc.LineTo(c.x+r*sin, c.y-r*cos)
	}
	p.dc.ClosePath()
	p.dc.SetColor(p.blast)
	p.dc.FillPreserve()
	p.stroke(p.kill, .05)
	p.dc.DrawCircle(c.x, c.y, .07*p.cell)
	p.dc.SetColor(p.kill)
	p.dc.Fill()
}

// paintTarget shows where a piece can go: a spot on an empty square, a ring around what
// stands there.
func (p *pen) paintTarget(occupied bool) {
	if occupied {
		c := p.at(.5, .5)
		p.dc.DrawCircle(c.x, c.y, .455*p.cell)
		p.stroke(p.target, .07)
		return
	}
	p.paintDot(p.target, .14)
}

// paintAim draws the sight of a gun on an empty square, or around what stands there.
func (p *pen) paintAim(occupied bool) {
	const wide = .38
	if occupied {
		p.paintSight(p.at(.5, .5), wide)
		return
	}
	p.paintSight(p.at(.5, .5), sight)
}

// sight is the radius of the sight of a gun.
const sight = .25

// paintSight draws the sight of a gun of some radius around a point.
func (p *pen) paintSight(c point, radius float64) {
	p.dc.DrawCircle(c.x, c.y, radius*p.cell)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		in, out := (radius-.1)*p.cell, (radius+.09)*p.cell
		p.dc.MoveTo(c.x+cos*in, c.y+sin*in)
		p.dc.LineTo(c.x+cos*out, c.y+sin*out)
	}
	p.stroke(p.kill, .05)
}

// paintFlake pins a snow crystal to the lower right corner of a square, above the
// piece.
func (p *pen) paintFlake() {
	const at, plate, arm = .87, .125, .085
	c := p.at(at, at)
	p.dc.DrawCircle(c.x, c.y, plate*p.cell)
	p.dc.SetColor(p.plate)
	p.dc.FillPreserve()
	p.stroke(p.frost, .03)
	for i := range 3 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		dx, dy := arm*p.cell*sin, arm*p.cell*cos
		p.dc.DrawLine(c.x-dx, c.y-dy, c.x+dx, c.y+dy)
	}
	p.stroke(p.frost, .03)
}
