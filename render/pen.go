package render

import (
	"fmt"
	"image/color"
	"math"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// pen paints one tile at a time, whose side is the unit of its canvas. It is for one goroutine.
type pen struct {
	*draw.Scheme
	draw.Brush
	table rules.Table
	brief bool // marks of the last move must change few pixels
}

type point = draw.Point

// paint paints everything on a tile, from the ground up. It may paint beyond the tile.
func (p *pen) paint(t *tile) {
	p.paintGround(t)
	p.paintBelow(t)
	p.paintGhost(t)
	p.paintPieces(t)
	p.paintDeaths(t)
	if !p.brief {
		p.paintWays(t)
	}
	p.paintPins(t)
}

func (p *pen) paintGround(t *tile) {
	p.fill(p.groundOf(t))
	if t.ground == hole {
		p.paintRim(t)
	}
}

// groundOf is the color of an empty tile.
func (p *pen) groundOf(t *tile) color.NRGBA {
	return [...]color.NRGBA{hole: p.Ground, lightSquare: p.Light, darkSquare: p.Dark}[t.ground]
}

// paintBelow paints what lies between the ground and a piece.
func (p *pen) paintBelow(t *tile) {
	if t.ground != hole {
		for _, tint := range p.tints(t) {
			p.fill(tint)
		}
		p.paintFrames(t)
		p.paintZones(t)
	}
	p.paintNames(t)
	p.paintTurn(t)
	p.paintSpots(t)
	if p.brief { // lines across pieces would make files larger
		p.paintWays(t)
	}
}

// paintGhost paints the ghost of what was killed on a tile, unless a piece can go there now.
func (p *pen) paintGhost(t *tile) {
	if t.ghost != (rules.Piece{}) && !p.brief && !t.has(diagram.Target) {
		ground := p.under(t)
		p.Piece(p.table, t.ghost, false, 0, 0, 1, &[2]draw.Livery{ghost(p.Pieces[0], ground), ghost(p.Pieces[1], ground)})
	}
}

// paintPieces paints what stands on a tile.
func (p *pen) paintPieces(t *tile) {
	p.Piece(p.table, t.here, t.has(diagram.Fallen), 0, 0, 1, &p.Pieces)
}

// ghost is the colors of a piece at 35 % opacity on a ground.
func ghost(m draw.Livery, ground color.NRGBA) draw.Livery {
	const share = .35
	return draw.Livery{
		Name: fmt.Sprintf("ghost on %02x%02x%02x", ground.R, ground.G, ground.B),
		Fill: draw.Blend(ground, m.Fill, share), Edge: draw.Blend(ground, m.Edge, share), Detail: draw.Blend(ground, m.Detail, share),
	}
}

// fill covers the tile.
func (p *pen) fill(c color.NRGBA) { p.Box(c, 0, 0, 1, 1, 0) }

// rim is how broad the frame of a board is.
const rim = .08

// paintRim frames the outline of a board, where there is no square.
func (p *pen) paintRim(t *tile) {
	const round = .06
	wide := math.Round(rim*p.Unit) / p.Unit // whole pixels, so that neighbors' frames join without seams
	for i, dir := range directions {
		if t.near>>i&1 != 0 {
			p.Box(p.Rim, float64(dir[0])-wide, float64(dir[1])-wide, 1+2*wide, 1+2*wide, round)
		}
	}
}

// tints are the colors over a square, the lowest first.
func (p *pen) tints(t *tile) (all []color.NRGBA) {
	add := func(seen bool, tint color.NRGBA) {
		if seen {
			all = append(all, tint)
		}
	}
	add(t.lent&1 != 0, p.ZoneTints[0])
	add(t.lent&2 != 0, p.ZoneTints[1])
	add(t.has(diagram.Reached) && !p.brief, p.ReachedTint)
	add(t.has(diagram.Left) && !t.has(diagram.Reached) && !p.brief, p.LeftTint)
	add(t.has(diagram.Chosen), p.ChosenTint)
	add(t.has(diagram.Frozen), p.FrostTint)
	return all
}

// under is the color behind what stands on a square.
func (p *pen) under(t *tile) color.NRGBA {
	c := p.groundOf(t)
	for _, tint := range p.tints(t) {
		c = draw.Over(tint, c)
	}
	return c
}

// paintNames writes the names of the rank and the file: in the left corners, or in the middle of a tile beside the
// board. Letters are never too small to read.
func (p *pen) paintNames(t *tile) {
	ink := p.Coordinates
	if t.ground == hole {
		ink = p.Outside
	}
	write := func(name string, x, y, pixels float64, align draw.Align) {
		p.Write(draw.Style{Size: pixels / p.Unit, Bold: true, Ink: ink, Align: align}, x, y, name)
	}
	if t.beside {
		const off = .22 // from the board to the middle of the names
		size := max(8, min(10, p.Unit*.3), p.Unit*.2)
		low := .36 * size / p.Unit
		write(t.rank, 1-off, .5+low, size, draw.Center)
		write(t.file, .5, off+low, size, draw.Center)
		return
	}
	size := max(7, min(9, p.Unit*.27), p.Unit*.175)
	left, top, foot := .035, .035, .96
	switch {
	case t.ground == hole: // beside a frame, perhaps
		left += rim
		top += rim
	case t.turn&lowerEdge != 0:
		foot -= edgeStrip
	case t.turn != 0:
		top += edgeStrip + edgeLine
	}
	write(t.rank, left, top+.76*size/p.Unit, size, draw.Begin)
	write(t.file, left, foot, size, draw.Begin)
}

// How broad the edge of the side to move is.
const edgeStrip, edgeLine = .05, .02

// paintTurn paints a strip of the mover's color along the mover's edge, with a line of the other color.
func (p *pen) paintTurn(t *tile) {
	if t.turn == 0 {
		return
	}
	own, other := p.Pieces[rules.White].Fill, p.Pieces[rules.Black].Fill
	if t.turn&blackEdge != 0 {
		own, other = other, own
	}
	strip, line := 0., edgeStrip
	if t.turn&lowerEdge != 0 {
		strip, line = 1-edgeStrip, 1-edgeStrip-edgeLine
	}
	p.Box(own, 0, strip, 1, edgeStrip, 0)
	p.Box(other, 0, line, 1, edgeLine, 0)
}

// paintFrames draws the frames along the edges of a square: for the last move and for the piece about to move.
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

// paintBlocks draws corners of whole pixels, which are small in animations.
func (p *pen) paintBlocks(width, arm float64) {
	wide, long := max(1, math.Round(width*p.Unit))/p.Unit, math.Round(arm*p.Unit)/p.Unit
	for _, c := range corners {
		p.Box(p.Trail, c.X*(1-long), c.Y*(1-wide), long, wide, 0)
		p.Box(p.Trail, c.X*(1-wide), c.Y*(1-long), wide, long, 0)
	}
}

// The radius of a ring around a piece, and of a gun's sight around a piece, on an empty square, and on an empty square
// in its range.
const around, wideSight, sight, rangedSight = .455, .38, .25, .2

// paintSpots paints the marks in the middle of a square, below the piece.
func (p *pen) paintSpots(t *tile) {
	if t.has(diagram.Check) || t.has(diagram.Fallen) { // a shape, for people who do not see the color
		p.Circle(.5, .5, around)
		p.rim(p.Check, .06)
		p.FillPreserve(p.CheckTint)
		p.Stroke(p.Check, .06)
	}
	p.paintAims(t)
	p.paintDangers(t)
	p.paintPowers(t)
}

// aims are the marks on the targets of a piece's moves.
const aims = 1<<diagram.Merges | 1<<diagram.Splits | 1<<diagram.Target | 1<<diagram.Aimed

// paintAims paints what moves to a square would do.
func (p *pen) paintAims(t *tile) {
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
		p.drawSight(point{X: .5, Y: .5}, sightAround(t.occupied(), sight))
		p.mark(p.Kill, .05)
	}
}

// paintSpot shows where a piece can go: an open dot of that radius on an empty square, a ring around a piece.
func (p *pen) paintSpot(ink color.NRGBA, radius float64, occupied bool) {
	width := .05
	if occupied {
		radius, width = around, .07
	}
	p.Circle(.5, .5, radius)
	p.mark(ink, width)
}

// markRim is the width of the rim around a mark, which makes it visible on squares of its own lightness.
const markRim = .025

// mark strokes the path of a mark, with a rim unless few pixels may change.
func (p *pen) mark(ink color.NRGBA, width float64) {
	p.rim(ink, width)
	p.Stroke(ink, width)
}

// blot fills the path of a mark, with the same rim.
func (p *pen) blot(ink color.NRGBA) {
	p.rim(ink, 0)
	p.Fill(ink)
}

func (p *pen) rim(ink color.NRGBA, width float64) {
	if !p.brief {
		p.Follow(p.rimOf(ink), draw.Line{Width: width + 2*markRim})
	}
}

func (p *pen) rimOf(ink color.NRGBA) color.NRGBA {
	if ink == p.Target {
		return p.TargetRim
	}
	return p.Casing
}

// sightAround is the radius of a sight: around a piece, or on an empty square.
func sightAround(occupied bool, empty float64) float64 {
	if occupied {
		return wideSight
	}
	return empty
}

// drawSight makes the path of a gun's sight.
func (p *pen) drawSight(c point, radius float64) {
	p.Circle(c.X, c.Y, radius)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		in, out := radius-.1, radius+.09
		p.Line(point{X: c.X + cos*in, Y: c.Y + sin*in}, point{X: c.X + cos*out, Y: c.Y + sin*out})
	}
}

// paintPowers shows what a piece could do on a square: a sign for the part that could go there, a disc for the first, a
// diamond for the second, a triangle for the third; with a thin ring around it if that could capture too; and small
// dots if the piece could do both everywhere.
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
		p.FillPreserve(p.rimOf(ink)) // looks the same on light and dark squares
		p.mark(ink, .035)
	}
	switch {
	case t.occupied() || t.part == 0:
		return
	case t.part == 1:
		p.Circle(.5, .5, round)
	case t.part == 2:
		p.Loop(point{X: .5, Y: .5 - long}, point{X: .5 + long, Y: .5}, point{X: .5, Y: .5 + long}, point{X: .5 - long, Y: .5})
	default:
		p.Loop(point{X: .5, Y: .5 - high}, point{X: .5 + high, Y: .5 + .75*high}, point{X: .5 - high, Y: .5 + .75*high})
	}
	p.blot(ink)
}

// paintDangers shows what threatens a square: a ring around an attacked piece, a thin one if the capture would gain
// nothing, a small block on an attacked empty square, a gun's sight in its range, thorns around what could be
// annihilated.
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
	case t.has(diagram.Vain):
		p.Circle(.5, .5, .445)
		p.mark(p.Kill, .025)
	case t.has(diagram.Attacks) && !t.occupied() && !t.has(diagram.Ranged):
		p.Rectangle(.5-block/2, .5-block/2, block, block, 0)
		p.blot(p.Kill)
	}
	if t.has(diagram.Ranged) {
		p.drawSight(point{X: .5, Y: .5}, sightAround(t.occupied(), rangedSight))
		p.mark(p.Kill, .05)
	}
}

// paintDeaths shows the fate of what is no longer on a square, above its ghost or the piece now there: a cross where it
// was killed, in the corner if something stands there, and a burst, open in the middle, where it was annihilated.
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
		p.star(rays, open, open, -1) // the other direction, which leaves the middle empty
		p.FillPreserve(p.Blast)
		p.Stroke(p.Kill, .04)
	}
}

// star adds an outline around the middle of a square, with corners at the outer and inner distance in turn, clockwise
// if turn is 1, counterclockwise if -1.
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

// paintPins puts signs in the corners of a square, above the piece, and paints what flies over it.
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

// pin puts a disc of a color behind a sign: at the lower right of a square, or large in the middle of its open dot. It
// returns the sign's color, its middle, from the left and from the top, and half its length.
func (p *pen) pin(ink color.NRGBA, corner bool) (sign color.NRGBA, middle, arm float64) {
	const plate, rim, at = .135, .03, .845
	if !corner {
		return ink, .5, .1
	}
	p.Disc(p.Casing, at, at, plate+rim)
	p.Disc(ink, at, at, plate)
	return p.Casing, at, .075
}

// paintBadges puts the powers that a piece borrows to its right: the figures of the lenders, on a plate in the color of
// the zone.
func (p *pen) paintBadges(t *tile) {
	const margin, edge, round, rim = .015, .02, .05, .035
	y := edge
	for side, roles := range t.borrowed {
		if len(roles) == 0 {
			continue
		}
		size := max(.2, .28-.02*float64(len(roles))) // small enough for four
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

// paintZones draws the outlines of zones where they cross a tile: White's is a line, Black's inside it is dashed, so
// that they differ without color.
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
			if dir[0] != 0 && dir[1] != 0 { // a corner, where two neighbors' lines meet
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

// layer is a layer of traces: all casings lie below all lines.
type layer uint8

const (
	casings layer = iota
	lines
)

// lowest is the lowest layer to paint.
func (p *pen) lowest() layer {
	if p.brief {
		return lines
	}
	return casings
}

// paintWays shows the lines across a tile from one square to another.
func (p *pen) paintWays(t *tile) {
	for on := p.lowest(); on <= lines; on++ {
		p.paintLayer(t, on)
	}
}

// paintLayer paints one layer of all ways. Brief pictures leave out lines of runs and checks, which cross squares that
// otherwise change little.
func (p *pen) paintLayer(t *tile, on layer) {
	const dot = .085
	for _, w := range t.ways {
		switch w.kind {
		case diagram.Fired: // a dashed line to a sight on the target
			radius := sightAround(w.busy, sight)
			p.Line(w.between(.1, radius))
			p.trace(on, p.Kill, .05, .12, .1)
			p.drawSight(w.z.middle(), radius)
			p.trace(on, p.Kill, .05)
		case diagram.Joined:
			p.paintArrow(w, on, p.Join, .06)
		case diagram.Parted: // from an open dot, above the part that stayed
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
		default: // marks of one square
		}
	}
}

// trace strokes the path on one layer, with dashes and gaps if there are any. The casing separates a trace from pieces
// of its own lightness.
func (p *pen) trace(on layer, ink color.NRGBA, width float64, dashes ...float64) {
	const rim = .03
	if on == casings {
		p.Stroke(p.Casing, width+2*rim)
	} else {
		p.Stroke(ink, width, dashes...)
	}
}

// paintRun draws one leg of a run: a line with a chevron in its middle, and an arrowhead at the end of the last leg.
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

// paintArrow draws an arrow that begins off the middle of one square, and ends at the edge of the piece on another.
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

// middle is the middle of a tile, relative to the one being painted.
func (c cell) middle() point { return point{X: float64(c.col) + .5, Y: float64(c.row) + .5} }

// direction is the vector of a way, one tile long.
func (w way) direction() (dx, dy float64) {
	x, y := float64(w.z.col-w.a.col), float64(w.z.row-w.a.row)
	length := max(math.Hypot(x, y), 1e-9)
	return x / length, y / length
}

// between is the line of a way from the middle of one tile to that of another, shortened at each end.
func (w way) between(off, short float64) (a, z point) {
	a, z = w.a.middle(), w.z.middle()
	dx, dy := w.direction()
	return point{X: a.X + dx*off, Y: a.Y + dy*off}, point{X: z.X - dx*short, Y: z.Y - dy*short}
}
