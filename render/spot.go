package render

import (
	"image/color"
	"math"

	"chimera/render/diagram"
)

// paintFrames draws what follows the edges of a square: of the last move and of the
// piece that is about to move.
func (p *pen) paintFrames(t *tile) {
	switch {
	case t.has(diagram.Frozen):
		p.paintFrame(p.Frost, .07)
	case t.has(diagram.Chosen):
		p.paintFrame(p.Target, .06)
	case t.has(diagram.Reached) && p.brief:
		p.paintBlocks(.08, .22)
	case t.has(diagram.Left) && p.brief:
		p.paintBlocks(.03, .16)
	case t.has(diagram.Reached):
		p.paintFrame(p.Trail, .03)
	case t.has(diagram.Left):
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
	p.stroke(p.Trail, width)
}

// paintBlocks draws corners of whole pixels, which take little room in animations.
func (p *pen) paintBlocks(width, arm float64) {
	wide, long := max(1, math.Round(width*p.cell)), math.Round(arm*p.cell)
	for _, c := range [][2]float64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		block := func(width, height float64) {
			p.dc.DrawRectangle(p.x+c[0]*(p.cell-width), p.y+c[1]*(p.cell-height), width, height)
			p.dc.Fill(p.Trail)
		}
		block(long, wide)
		block(wide, long)
	}
}

// paintDot draws a disc in the middle.
func (p *pen) paintDot(ink color.NRGBA, radius float64) {
	c := p.at(.5, .5)
	p.dc.DrawCircle(c.x, c.y, radius*p.cell)
	p.dc.Fill(ink)
}

// paintSpots shows what is marked in the middle of a square, below the piece.
func (p *pen) paintSpots(t *tile) {
	if t.has(diagram.Check) || t.has(diagram.Fallen) {
		p.paintCheck()
	}
	switch {
	case t.has(diagram.Merges):
		p.paintSpot(p.Join, .2, t.occupied())
	case t.has(diagram.Splits) && t.has(diagram.Target) && !t.occupied():
		p.paintSpot(p.Part, .21, false)
		p.paintDot(p.Target, .11)
	case t.has(diagram.Splits):
		p.paintSpot(p.Part, .21, t.occupied())
	case t.has(diagram.Target) && t.occupied():
		p.paintSpot(p.Target, 0, true)
	case t.has(diagram.Target):
		p.paintDot(p.Target, .14)
	}
	if t.has(diagram.Aimed) {
		p.drawSight(p.at(.5, .5), sightAround(t.occupied()))
		p.stroke(p.Kill, .05)
	}
	p.paintPowers(t)
	p.paintDangers(t)
}

// paintDeaths shows what happened to what is no longer on a square, above a ghost or whatever
// stands there now.
func (p *pen) paintDeaths(t *tile) {
	if t.has(diagram.Killed) {
		p.paintKill(t)
	}
	if t.has(diagram.Blasted) {
		p.paintBlast()
	}
}

// paintPins pins signs to the corners of a square, above the piece, and paints what flies over it.
func (p *pen) paintPins(t *tile) {
	if t.has(diagram.Frozen) {
		p.paintFlake()
	}
	if t.has(diagram.Merges) {
		p.paintJoin(t.occupied())
	}
	if t.has(diagram.Splits) {
		p.paintDivision(t.occupied() || t.has(diagram.Target))
	}
	p.paintBadges(t)
	for _, f := range t.over {
		p.piece(f.piece, f.x, f.y, 1, &p.Pieces)
	}
}

// paintCheck puts a ringed disc behind a king: a shape, for those who do not see
// the color.
func (p *pen) paintCheck() {
	c := p.at(.5, .5)
	p.dc.DrawCircle(c.x, c.y, .455*p.cell)
	p.dc.FillPreserve(p.CheckTint)
	p.stroke(p.Check, .06)
}

// paintKill crosses a square: all of it if it is empty now, else its corner.
func (p *pen) paintKill(t *tile) {
	x, y, r := .5, .5, .2
	if t.occupied() {
		x, y, r = .88, .12, .06
	}
	a, z := p.at(x-r, y-r), p.at(x+r, y+r)
	for on := p.lowest(); on <= lines; on++ {
		p.dc.DrawLine(a.x, a.y, z.x, z.y)
		p.dc.DrawLine(a.x, z.y, z.x, a.y)
		p.trace(on, p.Kill, .06)
	}
}

// star adds an outline around the middle of a square, whose corners are by turns so far from it, with
// the clock if turn is 1, and against it if it is -1.
func (p *pen) star(rays int, outer, inner, turn float64) {
	c := p.at(.5, .5)
	for i := range 2 * rays {
		r := outer * p.cell
		if i%2 == 1 {
			r = inner * p.cell
		}
		sin, cos := math.Sincos(turn * float64(i) * math.Pi / float64(rays))
		if i == 0 {
			p.dc.MoveTo(c.x+r*sin, c.y-r*cos)
			continue
		}
		p.dc.LineTo(c.x+r*sin, c.y-r*cos)
	}
	p.dc.ClosePath()
}

// paintBlast draws a burst around what was annihilated, open in the middle.
func (p *pen) paintBlast() {
	const rays, outer, inner, open = 12, .47, .37, .29
	p.star(rays, outer, inner, 1)
	p.star(rays, open, open, -1) // the other way round, which leaves it empty
	p.dc.FillPreserve(p.Blast)
	p.stroke(p.Kill, .04)
}

// paintSpot shows where a piece can go: an open dot of that radius on an empty square, a ring
// around what stands there.
func (p *pen) paintSpot(ink color.NRGBA, radius float64, occupied bool) {
	width := .05
	if occupied {
		radius, width = .455, .07
	}
	c := p.at(.5, .5)
	p.dc.DrawCircle(c.x, c.y, radius*p.cell)
	p.stroke(ink, width)
}

// The radius of the sight of a gun on an empty square, and around what stands there.
const sight, wideSight = .25, .38

func sightAround(occupied bool) float64 {
	if occupied {
		return wideSight
	}
	return sight
}

// drawSight makes the path of the sight of a gun of some radius around a point.
func (p *pen) drawSight(c point, radius float64) {
	p.dc.DrawCircle(c.x, c.y, radius*p.cell)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		in, out := (radius-.1)*p.cell, (radius+.09)*p.cell
		p.dc.DrawLine(c.x+cos*in, c.y+sin*in, c.x+cos*out, c.y+sin*out)
	}
}

// pin puts a disc of a color behind a sign: at the lower right of a square, or large in the middle
// of its open dot. It gives where the sign's middle is, and how long half of it.
func (p *pen) pin(ink color.NRGBA, corner bool) (c point, arm float64) {
	const plate, rim = .135, .03
	if !corner {
		return p.at(.5, .5), .1 * p.cell
	}
	c = p.at(.845, .845)
	p.dc.DrawCircle(c.x, c.y, (plate+rim)*p.cell)
	p.dc.Fill(p.Casing)
	p.dc.DrawCircle(c.x, c.y, plate*p.cell)
	p.dc.Fill(ink)
	return c, .075 * p.cell
}

// signInk is the color of a sign on a pin of a color, or on the square.
func (p *pen) signInk(ink color.NRGBA, corner bool) color.NRGBA {
	if corner {
		return p.Casing
	}
	return ink
}

// paintJoin draws a plus.
func (p *pen) paintJoin(corner bool) {
	c, arm := p.pin(p.Join, corner)
	p.dc.DrawLine(c.x-arm, c.y, c.x+arm, c.y)
	p.dc.DrawLine(c.x, c.y-arm, c.x, c.y+arm)
	p.stroke(p.signInk(p.Join, corner), .045)
}

// paintDivision draws the sign of a division.
func (p *pen) paintDivision(corner bool) {
	const dot = .026
	c, arm := p.pin(p.Part, corner)
	ink := p.signInk(p.Part, corner)
	p.dc.DrawLine(c.x-arm, c.y, c.x+arm, c.y)
	p.stroke(ink, .04)
	p.dc.DrawCircle(c.x, c.y-arm*.85, dot*p.cell)
	p.dc.DrawCircle(c.x, c.y+arm*.85, dot*p.cell)
	p.dc.Fill(ink)
}

// paintFlake pins a snow crystal to the lower right corner of a square, above the
// piece.
func (p *pen) paintFlake() {
	const at, plate, arm = .87, .125, .085
	c := p.at(at, at)
	p.dc.DrawCircle(c.x, c.y, plate*p.cell)
	p.dc.FillPreserve(p.Plate)
	p.stroke(p.Frost, .03)
	for i := range 3 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		dx, dy := arm*p.cell*sin, arm*p.cell*cos
		p.dc.DrawLine(c.x-dx, c.y-dy, c.x+dx, c.y+dy)
	}
	p.stroke(p.Frost, .03)
}
