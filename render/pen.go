package render

import (
	"fmt"
	"image/color"
	"math"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// pen paints one tile at a time. It is for one goroutine.
type pen struct {
	*draw.Scheme
	table rules.Table
	brief bool // marks of the last move are to change few pixels
	dc    *draw.Brush
	cell  float64 // the side of a tile in pixels
	x, y  float64 // the upper left corner of the tile on the surface
}

type point struct{ x, y float64 }

// at is a point of the tile on the surface, given in tiles.
func (p *pen) at(x, y float64) point { return point{p.x + x*p.cell, p.y + y*p.cell} }

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

// paintPieces paints what stands on a tile, or the ghost of what was killed there.
func (p *pen) paintPieces(t *tile) {
	if t.ghost != (rules.Piece{}) && !p.brief {
		ground := p.under(t)
		p.piece(t.ghost, 0, 0, 1, &[2]draw.Livery{ghost(p.Pieces[0], ground), ghost(p.Pieces[1], ground)})
	}
	if t.has(diagram.Fallen) {
		draw.FallenPiece(p.dc, p.table, t.here, p.x, p.y, p.cell, &p.Pieces)
		return
	}
	p.piece(t.here, 0, 0, 1, &p.Pieces)
}

// piece paints a piece in a square whose upper left corner and side are given in tiles.
func (p *pen) piece(piece rules.Piece, x, y, side float64, colors *[2]draw.Livery) {
	at := p.at(x, y)
	draw.Piece(p.dc, p.table, piece, at.x, at.y, side*p.cell, colors)
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

// ghost is how 35 % of a piece look on a color.
func ghost(m draw.Livery, ground color.NRGBA) draw.Livery {
	const share = .35
	return draw.Livery{
		Name: fmt.Sprintf("ghost on %02x%02x%02x", ground.R, ground.G, ground.B),
		Fill: draw.Blend(ground, m.Fill, share), Edge: draw.Blend(ground, m.Edge, share), Detail: draw.Blend(ground, m.Detail, share),
	}
}

// fill covers the tile.
func (p *pen) fill(c color.NRGBA) {
	p.dc.DrawRectangle(p.x, p.y, p.cell, p.cell)
	p.dc.Fill(c)
}

// stroke draws the path of the brush, so many tiles wide.
func (p *pen) stroke(c color.NRGBA, width float64) { p.dc.Stroke(c, width*p.cell) }

// rim is how broad the frame of a board is.
const rim = .08

// paintRim frames the outline of a board, where there is no square.
func (p *pen) paintRim(t *tile) {
	const round = .06
	wide := math.Round(rim * p.cell) // whole pixels, so that frames of neighbors have no seams
	for i, dir := range directions {
		if t.near>>i&1 == 0 {
			continue
		}
		a := p.at(float64(dir[0]), float64(dir[1]))
		p.dc.DrawRoundedRectangle(a.x-wide, a.y-wide, p.cell+2*wide, p.cell+2*wide, round*p.cell)
		p.dc.Fill(p.Rim)
	}
}

// tints are the colors that lie on a square, the lowest first.
func (p *pen) tints(t *tile) (all []color.NRGBA) {
	for side, tint := range p.ZoneTints {
		if t.lent>>side&1 != 0 {
			all = append(all, tint)
		}
	}
	switch {
	case p.brief:
	case t.has(diagram.Reached):
		all = append(all, p.ReachedTint)
	case t.has(diagram.Left):
		all = append(all, p.LeftTint)
	}
	for _, of := range []struct {
		kind diagram.MarkKind
		tint color.NRGBA
	}{{diagram.Chosen, p.ChosenTint}, {diagram.Frozen, p.FrostTint}} {
		if t.has(of.kind) {
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

// paintNames writes the names of the rank and the file in the left corners.
func (p *pen) paintNames(t *tile) {
	if t.rank == "" && t.file == "" {
		return
	}
	size := max(7, min(9, p.cell*.27), p.cell*.175)
	ink := p.Coordinates
	if t.ground == hole {
		ink = p.Outside
	}
	if t.beside {
		p.paintBeside(t, ink)
		return
	}
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
	if t.rank != "" {
		p.dc.Write(draw.Text{Words: t.rank, At: draw.Point{X: p.x + left*p.cell, Y: p.y + top*p.cell + .76*size}, Size: size, Bold: true}, ink)
	}
	if t.file != "" {
		p.dc.Write(draw.Text{Words: t.file, At: draw.Point{X: p.x + left*p.cell, Y: p.y + foot*p.cell}, Size: size, Bold: true}, ink)
	}
}

// paintBeside writes the names of a rank or a file beside the board.
func (p *pen) paintBeside(t *tile, ink color.NRGBA) {
	const off = .22 // from the board to the middle of the names
	size := max(8, min(10, p.cell*.3), p.cell*.2)
	name, at := t.rank, p.at(1-off, .5)
	if t.file != "" {
		name, at = t.file, p.at(.5, off)
	}
	p.dc.Write(draw.Text{Words: name, At: draw.Point{X: at.x, Y: at.y + .36*size}, Size: size, Bold: true, Middle: true}, ink)
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
	strip, line := p.at(0, 0), p.at(0, edgeStrip)
	if t.turn&lowerEdge != 0 {
		strip, line = p.at(0, 1-edgeStrip), p.at(0, 1-edgeStrip-edgeLine)
	}
	p.dc.DrawRectangle(strip.x, strip.y, p.cell, edgeStrip*p.cell)
	p.dc.Fill(own)
	p.dc.DrawRectangle(line.x, line.y, p.cell, edgeLine*p.cell)
	p.dc.Fill(other)
}
