package render

import (
	"chimera/render/draw"
	"chimera/rules"
)

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
			start := func(far int) float64 { return [...]float64{off, 1 - width - off}[far] }
			switch {
			case dir[0] == 0:
				p.dashes(dashes, start((dir[1]+1)/2), width, true)
			case dir[1] == 0:
				p.dashes(dashes, start((dir[0]+1)/2), width, false)
			default: // a corner, which the lines of two neighbors reach
				a := p.at(start((dir[0]+1)/2), start((dir[1]+1)/2))
				p.dc.DrawRectangle(a.x, a.y, width*p.cell, width*p.cell)
			}
		}
		p.dc.Fill(p.Zones[side])
	}
}

// dashes adds parts of a line along or across the tile, each from one place to another.
func (p *pen) dashes(ends []float64, at, width float64, along bool) {
	for i := 0; i < len(ends); i += 2 {
		from, length := ends[i], ends[i+1]-ends[i]
		if along {
			a := p.at(from, at)
			p.dc.DrawRectangle(a.x, a.y, length*p.cell, width*p.cell)
		} else {
			a := p.at(at, from)
			p.dc.DrawRectangle(a.x, a.y, width*p.cell, length*p.cell)
		}
	}
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
		a := p.at(1-edge-wide, y)
		p.dc.DrawRoundedRectangle(a.x, a.y, wide*p.cell, high*p.cell, round*p.cell)
		p.dc.StrokePreserve(p.Casing, rim*p.cell)
		p.dc.Fill(p.Zones[side])
		ink := draw.Livery{Name: "badge", Fill: p.Casing, Edge: p.Casing, Detail: p.Zones[side]}
		for i, role := range roles {
			p.piece(rules.PieceOf(rules.Color(side), role), 1-edge-wide+margin, y+margin+float64(i)*size, size, &[2]draw.Livery{ink, ink})
		}
		y += high + edge
	}
}
