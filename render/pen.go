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
	brief bool // marks of the last move are to change few pixels
}

type point = draw.Point

// paint paints everything that is seen on a tile, from the ground up. It may
// paint beyond the tile.
func (p *pen) paint(t *tile) {
	p.paintGround(t)
	p.paintBelow(t)
	p.paintPieces(t)
	p.paintDeaths(t)
	if !p.brief {
		p.paintWays(t)
	}
	p.paintPins(t)
}

func (p *pen) paintGround(t *tile) {
	switch t.ground {
	case hole:
		p.fill(p.Ground)
		p.paintRim(t)
	case lightSquare:
		p.fill(p.Light)
	case darkSquare:
		p.fill(p.Dark)
	}
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
	if p.brief { // where lines across pieces would make files larger
		p.paintWays(t)
	}
}

// paintPieces paints what stands on a tile, or the ghost of what was killed there.
func (p *pen) paintPieces(t *tile) {
	if t.ghost != (rules.Piece{}) && !p.brief {
		ground := p.under(t)
		p.Piece(p.table, t.ghost, false, 0, 0, 1, &[2]draw.Livery{ghost(p.Pieces[0], ground), ghost(p.Pieces[1], ground)})
	}
	p.Piece(p.table, t.here, t.has(diagram.Fallen), 0, 0, 1, &p.Pieces)
}

// ghost is how 35 % of a piece look on a color.
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
	wide := math.Round(rim*p.Unit) / p.Unit // whole pixels, so that frames of neighbors have no seams
	for i, dir := range directions {
		if t.near>>i&1 != 0 {
			p.Box(p.Rim, float64(dir[0])-wide, float64(dir[1])-wide, 1+2*wide, 1+2*wide, round)
		}
	}
}

// tints are the colors that lie on a square, the lowest first.
func (p *pen) tints(t *tile) (all []color.NRGBA) {
	for _, of := range []struct {
		seen bool
		tint color.NRGBA
	}{
		{t.lent&1 != 0, p.ZoneTints[0]},
		{t.lent&2 != 0, p.ZoneTints[1]},
		{t.has(diagram.Reached) && !p.brief, p.ReachedTint},
		{t.has(diagram.Left) && !t.has(diagram.Reached) && !p.brief, p.LeftTint},
		{t.has(diagram.Chosen), p.ChosenTint},
		{t.has(diagram.Frozen), p.FrostTint},
	} {
		if of.seen {
			all = append(all, of.tint)
		}
	}
	return all
}

// under is the color on which what stands on a square is painted.
func (p *pen) under(t *tile) color.NRGBA {
	c := p.Light
	switch t.ground {
	case hole:
		return p.Ground
	case darkSquare:
		c = p.Dark
	case lightSquare:
	}
	for _, tint := range p.tints(t) {
		c = draw.Over(tint, c)
	}
	return c
}

// paintNames writes the names of the rank and the file: in the left corners, or in the middle of a tile
// beside the board. Letters are no smaller than can be read.
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

// paintTurn paints a strip of the mover's color along the mover's edge, with a line of the
// other's.
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
