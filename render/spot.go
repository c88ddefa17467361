package render

import (
	"image/color"
	"math"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
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
	p.Rectangle(width/2, width/2, 1-width, 1-width, 0)
	p.Stroke(ink, width)
}

// corners are those of a square.
//
//nolint:gochecknoglobals // never written
var corners = [...]point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: 1, Y: 1}}

// paintCorners draws the corners of a frame.
func (p *pen) paintCorners(width, arm float64) {
	for _, c := range corners {
		in := func(by float64) point { return point{X: c.X + by*(1-2*c.X), Y: c.Y + by*(1-2*c.Y)} }
		corner, end := in(width/2), in(arm)
		p.Line(point{X: corner.X, Y: end.Y}, corner, point{X: end.X, Y: corner.Y})
	}
	p.Stroke(p.Trail, width)
}

// paintBlocks draws corners of whole pixels, which take little room in animations.
func (p *pen) paintBlocks(width, arm float64) {
	wide, long := max(1, math.Round(width*p.Unit))/p.Unit, math.Round(arm*p.Unit)/p.Unit
	for _, c := range corners {
		p.Box(p.Trail, c.X*(1-long), c.Y*(1-wide), long, wide, 0)
		p.Box(p.Trail, c.X*(1-wide), c.Y*(1-long), wide, long, 0)
	}
}

// The radius of a ring around what stands on a square, and of the sight of a gun around it and on an empty
// square.
const around, wideSight, sight = .455, .38, .25

// paintSpots shows what is marked in the middle of a square, below the piece.
func (p *pen) paintSpots(t *tile) {
	if t.has(diagram.Check) || t.has(diagram.Fallen) { // a shape, for those who do not see the color
		p.Circle(.5, .5, around)
		p.rim(p.Check, .06)
		p.FillPreserve(p.CheckTint)
		p.Stroke(p.Check, .06)
	}
	switch {
	case t.has(diagram.Merges):
		p.paintSpot(p.Join, .2, t.occupied())
	case t.has(diagram.Splits):
		p.paintSpot(p.Part, .21, t.occupied())
		if t.has(diagram.Target) && !t.occupied() {
			p.Circle(.5, .5, .11)
			p.blot(p.Target)
		}
	case t.has(diagram.Target) && t.occupied():
		p.paintSpot(p.Target, 0, true)
	case t.has(diagram.Target):
		p.Circle(.5, .5, .14)
		p.blot(p.Target)
	}
	if t.has(diagram.Aimed) {
		p.drawSight(point{X: .5, Y: .5}, sightAround(t.occupied()))
		p.mark(p.Kill, .05)
	}
	p.paintDangers(t)
	p.paintPowers(t)
}

// paintSpot shows where a piece can go: an open dot of that radius on an empty square, a ring
// around what stands there.
func (p *pen) paintSpot(ink color.NRGBA, radius float64, occupied bool) {
	width := .05
	if occupied {
		radius, width = around, .07
	}
	p.Circle(.5, .5, radius)
	p.mark(ink, width)
}

// markRim is how far a rim goes around a mark, so that it is seen on squares of its own lightness.
const markRim = .025

// mark strokes the path of a mark, and its rim unless few pixels are to change.
func (p *pen) mark(ink color.NRGBA, width float64) {
	p.rim(ink, width)
	p.Stroke(ink, width)
}

// blot fills it.
func (p *pen) blot(ink color.NRGBA) {
	p.rim(ink, 0)
	p.Fill(ink)
}

func (p *pen) rim(ink color.NRGBA, width float64) {
	rim := p.Casing
	if ink == p.Target {
		rim = p.TargetRim
	}
	if !p.brief {
		p.Follow(rim, draw.Line{Width: width + 2*markRim})
	}
}

func sightAround(occupied bool) float64 {
	if occupied {
		return wideSight
	}
	return sight
}

// drawSight makes the path of the sight of a gun of some radius around a place.
func (p *pen) drawSight(c point, radius float64) {
	p.Circle(c.X, c.Y, radius)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		in, out := radius-.1, radius+.09
		p.Line(point{X: c.X + cos*in, Y: c.Y + sin*in}, point{X: c.X + cos*out, Y: c.Y + sin*out})
	}
}

// paintPowers shows what a piece could do on a square: a sign for the part that could go there, a disc for
// the first, a diamond for the second, a triangle for the third; with a thin ring around it where it could
// capture too; and small dots where it could do both on all squares.
func (p *pen) paintPowers(t *tile) {
	const wide, round, long, high = .215, .105, .135, .13
	ink := [...]color.NRGBA{p.Kill, p.Target, p.Join, p.Part}[t.part]
	switch {
	case t.field:
		p.Circle(.5, .5, .05)
		p.blot(ink)
		return
	case t.has(diagram.Takes) && t.occupied():
		p.Circle(.5, .5, around)
		p.mark(p.Kill, .035)
	case t.has(diagram.Takes):
		p.Circle(.5, .5, wide)
		p.mark(ink, .035)
	}
	switch {
	case t.occupied() || t.part == 0:
	case t.part == 1:
		p.Circle(.5, .5, round)
		p.blot(ink)
	case t.part == 2:
		p.Loop(point{X: .5, Y: .5 - long}, point{X: .5 + long, Y: .5}, point{X: .5, Y: .5 + long}, point{X: .5 - long, Y: .5})
		p.blot(ink)
	default:
		p.Loop(point{X: .5, Y: .5 - high}, point{X: .5 + high, Y: .5 + .75*high}, point{X: .5 - high, Y: .5 + .75*high})
		p.blot(ink)
	}
}

// paintDangers shows what threatens a square: a ring around a piece that is attacked, a small block
// on a square that is, the sight of a gun in its range, thorns around what could be annihilated.
func (p *pen) paintDangers(t *tile) {
	const block = .17
	if t.has(diagram.Doomed) {
		p.star(14, .49, .39, 1)
		p.FillPreserve(p.Blast)
		p.Stroke(p.Kill, .035)
	}
	switch {
	case t.has(diagram.Attacks) && t.occupied() && !t.has(diagram.Check):
		p.Circle(.5, .5, .445)
		p.mark(p.Kill, .07)
	case t.has(diagram.Attacks) && !t.occupied() && !t.has(diagram.Ranged):
		p.Rectangle(.5-block/2, .5-block/2, block, block, 0)
		p.blot(p.Kill)
	}
	if t.has(diagram.Ranged) {
		radius := .2
		if t.occupied() {
			radius = wideSight
		}
		p.drawSight(point{X: .5, Y: .5}, radius)
		p.mark(p.Kill, .05)
	}
}

// paintDeaths shows what happened to what is no longer on a square, above a ghost or whatever
// stands there now: a cross where it was killed, in the corner if something stands there, and a burst, open in
// the middle, where it was annihilated.
func (p *pen) paintDeaths(t *tile) {
	if t.has(diagram.Killed) {
		x, y, r := .5, .5, .2
		if t.occupied() {
			x, y, r = .88, .12, .06
		}
		for on := p.lowest(); on <= lines; on++ {
			p.Line(point{X: x - r, Y: y - r}, point{X: x + r, Y: y + r})
			p.Line(point{X: x - r, Y: y + r}, point{X: x + r, Y: y - r})
			p.trace(on, p.Kill, .06)
		}
	}
	if t.has(diagram.Blasted) {
		const rays, outer, inner, open = 12, .47, .37, .29
		p.star(rays, outer, inner, 1)
		p.star(rays, open, open, -1) // the other way round, which leaves it empty
		p.FillPreserve(p.Blast)
		p.Stroke(p.Kill, .04)
	}
}

// star adds an outline around the middle of a square, whose corners are by turns so far from it, with
// the clock if turn is 1, and against it if it is -1.
func (p *pen) star(rays int, outer, inner, turn float64) {
	var outline []point
	for i := range 2 * rays {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(turn * float64(i) * math.Pi / float64(rays))
		outline = append(outline, point{X: .5 + r*sin, Y: .5 - r*cos})
	}
	p.Loop(outline...)
}

// paintPins pins signs to the corners of a square, above the piece, and paints what flies over it.
func (p *pen) paintPins(t *tile) {
	if t.has(diagram.Frozen) { // a snow crystal
		const at, plate, arm = .87, .125, .085
		p.Circle(at, at, plate)
		p.FillPreserve(p.Plate)
		p.Stroke(p.Frost, .03)
		for i := range 3 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 3)
			p.Line(point{X: at - arm*sin, Y: at - arm*cos}, point{X: at + arm*sin, Y: at + arm*cos})
		}
		p.Stroke(p.Frost, .03)
	}
	if t.has(diagram.Merges) { // a plus
		ink, c, arm := p.pin(p.Join, t.occupied())
		p.Line(point{X: c - arm, Y: c}, point{X: c + arm, Y: c})
		p.Line(point{X: c, Y: c - arm}, point{X: c, Y: c + arm})
		p.Stroke(ink, .045)
	}
	if t.has(diagram.Splits) { // the sign of a division
		const dot = .026
		ink, c, arm := p.pin(p.Part, t.occupied() || t.has(diagram.Target))
		p.Line(point{X: c - arm, Y: c}, point{X: c + arm, Y: c})
		p.Stroke(ink, .04)
		p.Circle(c, c-arm*.85, dot)
		p.Circle(c, c+arm*.85, dot)
		p.Fill(ink)
	}
	p.paintBadges(t)
	for _, f := range t.over {
		p.Piece(p.table, f.piece, false, f.x, f.y, 1, &p.Pieces)
	}
}

// pin puts a disc of a color behind a sign: at the lower right of a square, or large in the middle
// of its open dot. It gives the sign's color, where its middle is, from the left and from above, and how
// long half of it is.
func (p *pen) pin(ink color.NRGBA, corner bool) (sign color.NRGBA, middle, arm float64) {
	const plate, rim, at = .135, .03, .845
	if !corner {
		return ink, .5, .1
	}
	p.Disc(p.Casing, at, at, plate+rim)
	p.Disc(ink, at, at, plate)
	return p.Casing, at, .075
}

// paintBadges pins the powers that a piece has from others to its right: the figures of those that
// lend them, on a plate of the color of the zone.
func (p *pen) paintBadges(t *tile) {
	const margin, edge, round, rim = .015, .02, .05, .035
	y := edge
	for side, roles := range t.borrowed {
		if len(roles) == 0 {
			continue
		}
		size := max(.2, .28-.02*float64(len(roles))) // so that four fit in
		wide := size + 2*margin
		high := float64(len(roles))*size + 2*margin
		p.Rectangle(1-edge-wide, y, wide, high, round)
		p.Follow(p.Casing, draw.Line{Width: rim})
		p.Fill(p.Zones[side])
		ink := draw.Livery{Name: "badge", Fill: p.Casing, Edge: p.Casing, Detail: p.Zones[side]}
		for i, role := range roles {
			piece := rules.PieceOf(rules.Color(side), role)
			p.Piece(p.table, piece, false, 1-edge-wide+margin, y+margin+float64(i)*size, size, &[2]draw.Livery{ink, ink})
		}
		y += high + edge
	}
}

// paintZones draws the outlines of zones where they pass a tile: White's is a line, Black's within it
// is dashed, so that they are told apart without their colors.
func (p *pen) paintZones(t *tile) {
	const width = .045
	for side, ends := range t.ends {
		off, dashes := 0., []float64{0, 1}
		if rules.Color(side) == rules.Black {
			dashes = []float64{.06, .19, .31, .44, .56, .69, .81, .94}
			if t.lent == 1<<rules.White|1<<rules.Black {
				off = width
			}
		}
		for i, dir := range directions {
			if ends>>i&1 == 0 {
				continue
			}
			x, y := off, off
			if dir[0] > 0 {
				x = 1 - width - off
			}
			if dir[1] > 0 {
				y = 1 - width - off
			}
			if dir[0] != 0 && dir[1] != 0 { // a corner, which the lines of two neighbors reach
				p.Rectangle(x, y, width, width, 0)
				continue
			}
			for k := 0; k < len(dashes); k += 2 {
				if long := dashes[k+1] - dashes[k]; dir[0] == 0 {
					p.Rectangle(dashes[k], y, long, width, 0)
				} else {
					p.Rectangle(x, dashes[k], width, long, 0)
				}
			}
		}
		p.Fill(p.Zones[side])
	}
}
