package render

import (
	"math"

	"chimera/rules"
)

// paintZones hatches the squares to which men lend their powers: White's zones
// upwards, Black's downwards, so that squares in both are crossed.
func (b *board) paintZones() {
	var zones [2]rules.Set
	for _, m := range b.Marks {
		if m.Kind == Lent {
			zones[b.lender(m)] |= m.To.Set()
		}
	}
	for side, zone := range zones {
		for sq := range zone.Squares() {
			b.hatch(sq, rules.Color(side))
		}
	}
}

// hatch covers a square with slanting lines that go on in the next one.
func (b *board) hatch(sq rules.Square, side rules.Color) {
	const lines = 5
	x, y := b.corner(sq)
	b.dc.DrawRectangle(x, y, b.cell, b.cell)
	b.dc.Clip()
	for i := range 2 * lines {
		off := (float64(i) + .5) * b.cell / lines
		if side == rules.White {
			b.dc.DrawLine(x+off, y, x+off-b.cell, y+b.cell)
		} else {
			b.dc.DrawLine(x+b.cell-off, y, x+2*b.cell-off, y+b.cell)
		}
	}
	b.dc.SetColor(zoneLines[side])
	b.dc.SetLineWidth(.035 * b.cell)
	b.dc.Stroke()
	b.dc.ResetClip()
}

// paintLenders points into each square of a zone from where the power comes: one
// arrowhead of the lender's color from a neighbouring square, two from further
// away.
func (b *board) paintLenders() {
	for _, m := range b.Marks {
		if m.Kind != Lent || !b.Shape.Squares.Has(m.From) || !b.Shape.Squares.Has(m.To) {
			continue
		}
		a, z := b.center(m.From), b.center(m.To)
		dx, dy := sign1(z.x-a.x), sign1(z.y-a.y)
		b.paintHead(point{z.x - dx*.33*b.cell, z.y - dy*.33*b.cell}, dx, dy, b.lender(m))
		if max(math.Abs(z.x-a.x), math.Abs(z.y-a.y)) > 1.5*b.cell {
			b.paintHead(point{z.x - dx*.46*b.cell, z.y - dy*.46*b.cell}, dx, dy, b.lender(m))
		}
	}
}

// paintHead draws an arrowhead with its tip at z.
func (b *board) paintHead(z point, dx, dy float64, side rules.Color) {
	const long, half = .14, .09
	length := math.Hypot(dx, dy)
	dx, dy = dx/length*b.cell, dy/length*b.cell
	b.dc.MoveTo(z.x, z.y)
	b.dc.LineTo(z.x-dx*long-dy*half, z.y-dy*long+dx*half)
	b.dc.LineTo(z.x-dx*long+dy*half, z.y-dy*long-dx*half)
	b.dc.ClosePath()
	l := liveries[side]
	b.dc.SetColor(liveries[side.Other()].fill)
	b.dc.SetLineWidth(.05 * b.cell)
	b.dc.StrokePreserve()
	b.dc.SetColor(l.fill)
	b.dc.Fill()
}

// sign1 is -1, 0 or 1, as x is below 0, 0 or above.
func sign1(x float64) float64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}
