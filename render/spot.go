package render

import (
	"math"

	"chimera/rules"
)

// paintCheck puts a ringed disc behind a king: a shape, for those who do not see
// the color.
func (b *board) paintCheck(sq rules.Square) {
	c := b.center(sq)
	b.dc.DrawCircle(c.x, c.y, .455*b.cell)
	b.dc.SetColor(checkTint)
	b.dc.FillPreserve()
	b.dc.SetColor(checkRing)
	b.dc.SetLineWidth(.06 * b.cell)
	b.dc.Stroke()
}

// paintFrost frames a square with ice: what stands there may not move.
func (b *board) paintFrost(sq rules.Square) {
	const width = .07
	x, y := b.corner(sq)
	b.fillSquare(sq, frostTint)
	b.dc.DrawRectangle(x+width/2*b.cell, y+width/2*b.cell, (1-width)*b.cell, (1-width)*b.cell)
	b.dc.SetColor(frost)
	b.dc.SetLineWidth(width * b.cell)
	b.dc.Stroke()
}

// paintFlake pins a snow crystal to the lower right corner of a square, above the
// man.
func (b *board) paintFlake(sq rules.Square) {
	const off, plate, arm = .37, .125, .085
	c := b.center(sq)
	c = point{c.x + off*b.cell, c.y + off*b.cell}
	b.dc.DrawCircle(c.x, c.y, plate*b.cell)
	b.dc.SetColor(flakePlate)
	b.dc.FillPreserve()
	b.dc.SetColor(frost)
	b.dc.SetLineWidth(.03 * b.cell)
	b.dc.Stroke()
	for i := range 3 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 3)
		dx, dy := arm*b.cell*sin, arm*b.cell*cos
		b.dc.DrawLine(c.x-dx, c.y-dy, c.x+dx, c.y+dy)
	}
	b.dc.Stroke()
}
