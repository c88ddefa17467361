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

// paintLayer paints one layer of all ways. Brief pictures have no lines of runs and checks, across squares
// that change else little.
func (p *pen) paintLayer(t *tile, on layer) {
	const dot = .085
	for _, w := range t.ways {
		switch w.kind {
		case diagram.Fired: // a dashed line to a sight on the target, around what stands there
			radius := sightAround(w.busy)
			p.Line(w.between(.1, radius))
			p.trace(on, p.Kill, .05, .12, .1)
			p.drawSight(w.z.middle(), radius)
			p.trace(on, p.Kill, .05)
		case diagram.Joined:
			p.paintArrow(w, on, p.Join, .06)
		case diagram.Parted: // from an open dot, upon what stayed behind
			c := w.a.middle()
			p.Circle(c.X, c.Y, dot)
			p.trace(on, p.Part, .05)
			p.paintArrow(w, on, p.Part, dot+.06, .12, .11)
		case diagram.Ran:
			if !p.brief {
				p.paintRun(w, on)
			}
		case diagram.Checker:
			if !p.brief {
				p.Line(w.between(.3, .44))
				p.trace(on, p.Check, .035)
			}
		default: // about one square
		}
	}
}

// trace strokes the path on one layer, with dashes and gaps if there are any. The casing keeps a trace apart
// from pieces of its own lightness.
func (p *pen) trace(on layer, ink color.NRGBA, width float64, dashes ...float64) {
	const rim = .03
	if on == casings {
		p.Stroke(p.Casing, width+2*rim)
	} else {
		p.Stroke(ink, width, dashes...)
	}
}

// paintRun draws one leg of a run: a line with a chevron in its middle, and at the end of the last
// leg an arrowhead.
func (p *pen) paintRun(w way, on layer) {
	const width, arm = .065, .12
	a, z := w.between(0, 0)
	if w.last {
		p.paintArrow(w, on, p.Trail, 0)
	} else {
		p.Line(a, z)
		p.trace(on, p.Trail, width)
	}
	dx, dy := w.direction()
	tip := point{X: (a.X+z.X)/2 + dx*arm/2, Y: (a.Y+z.Y)/2 + dy*arm/2}
	p.Line(point{X: tip.X - (dx-dy)*arm, Y: tip.Y - (dy+dx)*arm}, tip, point{X: tip.X - (dx+dy)*arm, Y: tip.Y - (dy-dx)*arm})
	p.trace(on, p.Trail, width)
}

// paintArrow draws an arrow that begins some way off the middle of one square, and ends at
// the edge of what stands on another.
func (p *pen) paintArrow(w way, on layer, ink color.NRGBA, off float64, dashes ...float64) {
	const width, barb, half, short = .08, .19, .15, .3
	if w.a == w.z {
		return
	}
	a, z := w.between(off, short)
	dx, dy := w.direction()
	neck := point{X: z.X - dx*barb, Y: z.Y - dy*barb}
	p.Line(a, neck)
	p.trace(on, ink, width, dashes...)
	p.Loop(z, point{X: neck.X - dy*half, Y: neck.Y + dx*half}, point{X: neck.X + dy*half, Y: neck.Y - dx*half})
	if on == lines {
		p.FillPreserve(ink)
	}
	p.trace(on, ink, .02)
}

// middle is the middle of a tile, seen from the one that is being painted.
func (c cell) middle() point { return point{X: float64(c.col) + .5, Y: float64(c.row) + .5} }

// direction is one tile's length of a way.
func (w way) direction() (dx, dy float64) {
	x, y := float64(w.z.col-w.a.col), float64(w.z.row-w.a.row)
	length := max(math.Hypot(x, y), 1e-9)
	return x / length, y / length
}

// between is a way from the middle of one tile to that of another, less so much at either end.
func (w way) between(off, short float64) (a, z point) {
	a, z = w.a.middle(), w.z.middle()
	dx, dy := w.direction()
	return point{X: a.X + dx*off, Y: a.Y + dy*off}, point{X: z.X - dx*short, Y: z.Y - dy*short}
}
