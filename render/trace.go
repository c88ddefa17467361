package render

import (
	"image/color"
	"math"

	"chimera/render/diagram"
)

// layer is one of those that traces are painted in: all casings below all lines.
type layer uint8

const (
	casings layer = iota
	lines
)

// lowest is the lowest layer that is painted.
func (p *pen) lowest() layer {
	if p.brief {
		return lines
	}
	return casings
}

// paintWays shows what went across the tile from one square to another.
func (p *pen) paintWays(t *tile) {
	for on := p.lowest(); on <= lines; on++ {
		p.paintLayer(t, on)
	}
}

// paintLayer paints one layer of all ways. Runs and checks are lines across squares that change else
// little.
func (p *pen) paintLayer(t *tile, on layer) {
	for _, w := range t.ways {
		if !p.brief || w.kind != diagram.Ran && w.kind != diagram.Checker {
			p.paintWay(w, on)
		}
	}
}

func (p *pen) paintWay(w way, on layer) {
	switch w.kind {
	case diagram.Fired:
		p.paintShot(w, on)
	case diagram.Joined:
		p.paintArrow(w, on, p.Join, .06)
	case diagram.Parted:
		p.paintParting(w, on)
	case diagram.Ran:
		p.paintRun(w, on)
	case diagram.Checker:
		a, z := p.between(w, .3, .44)
		p.dc.DrawLine(a.x, a.y, z.x, z.y)
		p.trace(on, p.Check, .035)
	default: // about one square
	}
}

// trace strokes the path of the brush on one layer, so many tiles wide, with dashes and gaps if
// there are any. The casing keeps a trace apart from pieces of its own lightness.
func (p *pen) trace(on layer, ink color.NRGBA, width float64, dashes ...float64) {
	const rim = .03
	if on == casings {
		p.stroke(p.Casing, width+2*rim)
		return
	}
	lengths := make([]float64, len(dashes)) // in pixels: the caller's stay as they are
	for i, d := range dashes {
		lengths[i] = d * p.cell
	}
	p.dc.Stroke(ink, width*p.cell, lengths...)
}

// paintShot draws a dashed line of fire to a sight on the target, around what stands there.
func (p *pen) paintShot(w way, on layer) {
	radius := sightAround(w.busy)
	a, z := p.between(w, .1, radius)
	p.dc.DrawLine(a.x, a.y, z.x, z.y)
	p.trace(on, p.Kill, .05, .12, .1)
	p.drawSight(p.middle(w.z), radius)
	p.trace(on, p.Kill, .05)
}

// paintParting draws a dashed arrow that begins with an open dot, upon what stayed behind.
func (p *pen) paintParting(w way, on layer) {
	const dot = .085
	c := p.middle(w.a)
	p.dc.DrawCircle(c.x, c.y, dot*p.cell)
	p.trace(on, p.Part, .05)
	p.paintArrow(w, on, p.Part, dot+.06, .12, .11)
}

// paintRun draws one leg of a run: a line with a chevron in its middle, and at the end of the last
// leg an arrowhead.
func (p *pen) paintRun(w way, on layer) {
	const width, arm = .065, .12
	if w.last {
		p.paintArrow(w, on, p.Trail, 0)
	} else {
		a, z := p.between(w, 0, 0)
		p.dc.DrawLine(a.x, a.y, z.x, z.y)
		p.trace(on, p.Trail, width)
	}
	a, z := p.between(w, 0, 0)
	dx, dy := p.direction(a, z)
	tip := point{(a.x+z.x)/2 + dx*arm/2, (a.y+z.y)/2 + dy*arm/2}
	p.dc.MoveTo(tip.x-(dx-dy)*arm, tip.y-(dy+dx)*arm)
	p.dc.LineTo(tip.x, tip.y)
	p.dc.LineTo(tip.x-(dx+dy)*arm, tip.y-(dy-dx)*arm)
	p.trace(on, p.Trail, width)
}

// paintArrow draws an arrow that begins so many tiles from the middle of one square, and ends at
// the edge of what stands on another.
func (p *pen) paintArrow(w way, on layer, ink color.NRGBA, off float64, dashes ...float64) {
	const width, barb, half, short = .08, .19, .15, .3
	if w.a == w.z {
		return
	}
	a, z := p.between(w, off, short)
	dx, dy := p.direction(a, z)
	neck := point{z.x - dx*barb, z.y - dy*barb}
	p.dc.DrawLine(a.x, a.y, neck.x, neck.y)
	p.trace(on, ink, width, dashes...)
	p.dc.MoveTo(z.x, z.y)
	p.dc.LineTo(neck.x-dy*half, neck.y+dx*half)
	p.dc.LineTo(neck.x+dy*half, neck.y-dx*half)
	p.dc.ClosePath()
	if on == lines {
		p.dc.FillPreserve(ink)
	}
	p.trace(on, ink, .02)
}

// middle is the middle of a tile, seen from the one that is being painted.
func (p *pen) middle(c cell) point { return p.at(float64(c.col)+.5, float64(c.row)+.5) }

// direction is one tile's length of the way from a to z.
func (p *pen) direction(a, z point) (dx, dy float64) {
	length := max(math.Hypot(z.x-a.x, z.y-a.y)/p.cell, 1e-9)
	return (z.x - a.x) / length, (z.y - a.y) / length
}

// between is the way from the middle of one tile to that of another, less so many
// tiles at either end.
func (p *pen) between(w way, off, short float64) (point, point) {
	a, z := p.middle(w.a), p.middle(w.z)
	dx, dy := p.direction(a, z)
	return point{a.x + dx*off, a.y + dy*off}, point{z.x - dx*short, z.y - dy*short}
}
