package render

import (
	"image/color"

	"chimera/render/glyph"
	"chimera/render/paint"
	"chimera/rules"
)

// pen paints one tile at a time. It is for one goroutine.
type pen struct {
	*scheme
	dc   *paint.Brush
	cell float64 // the side of a tile in pixels
	x, y float64 // the upper left corner of the tile on the surface
}

func newPen(s *scheme, on paint.Surface, cell int) *pen {
	return &pen{scheme: s, dc: paint.NewBrush(on), cell: float64(cell)}
}

type point struct{ x, y float64 }

// at is a point of the tile on the surface, given in tiles.
func (p *pen) at(x, y float64) point { return point{p.x + x*p.cell, p.y + y*p.cell} }

// paint paints everything that is seen on a tile, from the ground up. It may
// paint beyond the tile.
func (p *pen) paint(t *tile, table rules.Table, piece rules.Piece) {
	p.paintGround(t)
	p.paintBelow(t)
	p.paintWays(t)
	p.paintPiece(table, piece)
	p.paintAbove(t)
}

func (p *pen) paintPiece(table rules.Table, piece rules.Piece) {
	glyph.Draw(p.dc, table, piece, p.x, p.y, p.cell, &p.pieces)
}

func (p *pen) paintGround(t *tile) {
	switch t.ground {
	case hole:
		p.fill(p.ground)
		p.paintRim(t)
	case lightSquare:
		p.fill(p.light)
	case darkSquare:
		p.fill(p.dark)
	}
}

// paintBelow paints what lies between the ground and a piece.
func (p *pen) paintBelow(t *tile) {
	if t.ground != hole {
		p.paintTints(t)
		p.paintFrames(t)
		p.paintZones(t)
	}
	p.paintNames(t)
	p.paintTurn(t)
	p.paintSpots(t)
}

// paintWays paints what goes across the tile, as far as other tiles.
func (p *pen) paintWays(t *tile) {
	t.eachWay(func(w way) bool {
		p.paintWay(w)
		return true
	})
}

// paintAbove paints what lies on a piece.
func (p *pen) paintAbove(t *tile) {
	p.paintLenders(t)
	if t.has(Frozen) {
		p.paintFlake()
	}
}

// fill covers the tile.
func (p *pen) fill(c color.Color) {
	p.dc.DrawRectangle(p.x, p.y, p.cell, p.cell)
	p.dc.SetColor(c)
	p.dc.Fill()
}

// stroke draws the path of the brush, so many tiles wide.
func (p *pen) stroke(c color.Color, width float64) {
	p.dc.SetColor(c)
	p.dc.SetLineWidth(width * p.cell)
	p.dc.Stroke()
}

// paintRim frames the outline of a board that has holes, on a hole.
func (p *pen) paintRim(t *tile) {
	const rim, round = .09, .06
	p.dc.SetColor(p.rim)
	for i, dir := range directions {
		if t.near>>i&1 == 0 {
			continue
		}
		a := p.at(float64(dir[0])-rim, float64(dir[1])-rim)
		p.dc.DrawRoundedRectangle(a.x, a.y, (1+2*rim)*p.cell, (1+2*rim)*p.cell, round*p.cell)
		p.dc.Fill()
	}
}

func (p *pen) paintTints(t *tile) {
	switch {
	case t.brief:
	case t.has(Reached):
		p.fill(p.reachedTint)
	case t.has(Left):
		p.fill(p.leftTint)
	}
	if t.has(Chosen) {
		p.fill(p.chosenTint)
	}
	if t.has(Frozen) {
		p.fill(p.frostTint)
	}
}

// paintNames writes the names of the rank and the file in the left corners.
func (p *pen) paintNames(t *tile) {
	if t.rank == "" && t.file == "" {
		return
	}
	size := max(7, p.cell*.175)
	p.dc.SetColor(p.coordinates)
	if t.rank != "" {
		p.dc.Write(paint.Text{Words: t.rank, At: paint.Point{X: p.x + .035*p.cell, Y: p.y + .035*p.cell + .76*size}, Size: size, Bold: true})
	}
	if t.file != "" {
		p.dc.Write(paint.Text{Words: t.file, At: paint.Point{X: p.x + .03*p.cell, Y: p.y + .96*p.cell}, Size: size, Bold: true})
	}
}

// paintTurn paints as much as is seen of the disc of the side to move.
func (p *pen) paintTurn(t *tile) {
	if t.turn == 0 {
		return
	}
	x, y := .4, 0.
	if t.turn&rightDisc != 0 {
		x = .87
	}
	if t.turn&lowerDisc != 0 {
		y = 1
	}
	own, other := p.pieces[0], p.pieces[1]
	if t.turn&blackDisc != 0 {
		own, other = other, own
	}
	c := p.at(x, y)
	p.dc.DrawCircle(c.x, c.y, .11*p.cell)
	p.dc.SetColor(other.Fill)
	p.dc.SetLineWidth(.07 * p.cell)
	p.dc.StrokePreserve()
	p.dc.SetColor(own.Fill)
	p.dc.FillPreserve()
	p.stroke(own.Edge, .035)
}
