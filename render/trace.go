package render

import "math"

// paintWay shows what went from one square to another, below the pieces.
func (p *pen) paintWay(w way) {
	switch w.kind {
	case Fired:
		p.paintShot(w)
	case Joined:
		p.dc.SetColor(p.join)
		p.paintArrow(w, .1)
	case Parted:
		p.dc.SetColor(p.part)
		p.dc.SetDash(.07*p.cell, .12*p.cell)
		p.paintArrow(w, .3)
		p.dc.SetDash()
	default: // about one square
	}
}

// paintShot draws a dashed line of fire to a sight on the target.
func (p *pen) paintShot(w way) {
	a, z := p.between(w, .1, sight)
	p.dc.SetDash(.12*p.cell, .1*p.cell)
	p.dc.DrawLine(a.x, a.y, z.x, z.y)
	p.stroke(p.kill, .05)
	p.dc.SetDash()
	p.paintSight(p.middle(w.z), sight)
}

// paintArrow draws an arrow of the current color that begins so many tiles from the
// middle of one square, and ends at the edge of what stands on another.
func (p *pen) paintArrow(w way, off float64) {
	const width, barb = .1, .17
	if w.a == w.z {
		return
	}
	a, z := p.between(w, off, .33)
	dx, dy := z.x-a.x, z.y-a.y
	length := math.Hypot(dx, dy)
	dx, dy = dx/length*p.cell, dy/length*p.cell
	neck := point{z.x - dx*barb, z.y - dy*barb}
	p.dc.SetLineWidth(width * p.cell)
	p.dc.DrawLine(a.x, a.y, neck.x-dx*width/2, neck.y-dy*width/2)
	p.dc.Stroke()
	p.dc.MoveTo(z.x, z.y)
	p.dc.LineTo(neck.x-dy*barb, neck.y+dx*barb)
	p.dc.LineTo(neck.x+dy*barb, neck.y-dx*barb)
	p.dc.ClosePath()
	p.dc.Fill()
}

// middle is the middle of a tile, seen from the one that is being painted.
func (p *pen) middle(c cell) point { return p.at(float64(c.col)+.5, float64(c.row)+.5) }

// between is the way from the middle of one tile to that of another, less so many
// tiles at either end.
func (p *pen) between(w way, off, short float64) (point, point) {
	a, z := p.middle(w.a), p.middle(w.z)
	length := max(math.Hypot(z.x-a.x, z.y-a.y)/p.cell, 1e-9)
	dx, dy := (z.x-a.x)/length, (z.y-a.y)/length
	return point{a.x + dx*off, a.y + dy*off}, point{z.x - dx*short, z.y - dy*short}
}
