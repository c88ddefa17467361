package render

import (
	"math"

	"chimera/rules"
)

// marked is the set of squares that have a mark of that kind.
func (d Diagram) marked(kind MarkKind) rules.Set {
	var set rules.Set
	for _, m := range d.Marks {
		if m.Kind == kind {
			set |= m.To.Set()
		}
	}
	return set
}

// paintTraces shows what else happened, below the men.
func (b *board) paintTraces() {
	b.dc.SetLineCapRound()
	for _, m := range b.Marks {
		if !b.Shape.Squares.Has(m.From) || !b.Shape.Squares.Has(m.To) {
			continue
		}
		switch m.Kind {
		case Killed:
			b.paintKill(m.To)
		case Fired:
			b.paintShot(m.From, m.To)
		case Joined:
			b.dc.SetColor(joinTrace)
			b.paintArrow(m.From, m.To, .1)
		case Parted:
			b.dc.SetColor(partTrace)
			b.dc.SetDash(.07*b.cell, .12*b.cell)
			b.paintArrow(m.From, m.To, .3)
			b.dc.SetDash()
		case Blasted:
			b.paintBlast(m.To)
		case Left, Reached, Check, Frozen, Lent: // painted with the squares, or upon the men
		}
	}
}

// paintKill crosses a square: all of it if it is empty now, else its corner.
func (b *board) paintKill(sq rules.Square) {
	c, r := b.center(sq), .2*b.cell
	if b.Board[sq] != (rules.Piece{}) {
		c.x, c.y, r = c.x+.38*b.cell, c.y-.38*b.cell, .06*b.cell
	}
	b.dc.DrawLine(c.x-r, c.y-r, c.x+r, c.y+r)
	b.dc.DrawLine(c.x-r, c.y+r, c.x+r, c.y-r)
	b.dc.SetColor(killTrace)
	b.dc.SetLineWidth(.05 * b.cell)
	b.dc.Stroke()
}

// paintBlast draws a burst where something was annihilated.
func (b *board) paintBlast(sq rules.Square) {
	const rays, outer, inner = 10, .36, .2
	c := b.center(sq)
	for i := range 2 * rays {
		r := outer * b.cell
		if i%2 == 1 {
			r = inner * b.cell
		}
		sin, cos := math.Sincos(float64(i) * math.Pi / rays)
		b.dc.LineTo(c.x+r*sin, c.y-r*cos)
	}
	b.dc.ClosePath()
	b.dc.SetColor(blastFill)
	b.dc.FillPreserve()
	b.dc.SetColor(killTrace)
	b.dc.SetLineWidth(.05 * b.cell)
	b.dc.Stroke()
	b.dc.DrawCircle(c.x, c.y, .07*b.cell)
	b.dc.Fill()
}

// paintShot draws a dashed line of fire to a sight on the target.
func (b *board) paintShot(from, to rules.Square) {
	const sight = .24
	a, z := b.between(from, to, .1, sight)
	b.dc.SetColor(killTrace)
	b.dc.SetLineWidth(.045 * b.cell)
	b.dc.SetDash(.12*b.cell, .1*b.cell)
	b.dc.DrawLine(a.x, a.y, z.x, z.y)
	b.dc.Stroke()
	b.dc.SetDash()
	c := b.center(to)
	b.dc.DrawCircle(c.x, c.y, sight*b.cell)
	for i := range 4 {
		sin, cos := math.Sincos(float64(i) * math.Pi / 2)
		b.dc.DrawLine(c.x+cos*.12*b.cell, c.y+sin*.12*b.cell, c.x+cos*.34*b.cell, c.y+sin*.34*b.cell)
	}
	b.dc.Stroke()
}

// paintArrow draws an arrow of the current color that begins so many squares'
// lengths from the center of one square, and ends at the edge of what stands on
// another.
func (b *board) paintArrow(from, to rules.Square, off float64) {
	const width, barb = .1, .17
	a, z := b.between(from, to, off, .33)
	dx, dy := z.x-a.x, z.y-a.y
	length := math.Hypot(dx, dy)
	dx, dy = dx/length*b.cell, dy/length*b.cell
	neck := point{z.x - dx*barb, z.y - dy*barb}
	b.dc.SetLineWidth(width * b.cell)
	b.dc.DrawLine(a.x, a.y, neck.x-dx*width/2, neck.y-dy*width/2)
	b.dc.Stroke()
	b.dc.MoveTo(z.x, z.y)
	b.dc.LineTo(neck.x-dy*barb, neck.y+dx*barb)
	b.dc.LineTo(neck.x+dy*barb, neck.y-dx*barb)
	b.dc.ClosePath()
	b.dc.Fill()
}

// between is the way from the center of one square to that of another, less so
// many squares' lengths at either end.
func (b *board) between(from, to rules.Square, off, short float64) (point, point) {
	a, z := b.center(from), b.center(to)
	length := math.Hypot(z.x-a.x, z.y-a.y) / b.cell
	dx, dy := (z.x-a.x)/length, (z.y-a.y)/length
	return point{a.x + dx*off, a.y + dy*off}, point{z.x - dx*short, z.y - dy*short}
}
