package render

import (
	"chimera/render/glyph"
	"chimera/rules"
)

// paintZones draws the edge of tinted squares by which zones are told without their colors: White's
// have a line below, Black's above.
func (p *pen) paintZones(t *tile) {
	const width = .05
	for side, ink := range p.Zones {
		if t.lent>>side&1 == 0 {
			continue
		}
		y := 1 - width
		if rules.Color(side) == rules.Black {
			y = 0
		}
		a := p.at(0, y)
		p.dc.DrawRectangle(a.x, a.y, p.cell, width*p.cell)
		p.dc.SetColor(ink)
		p.dc.Fill()
	}
}

// paintBadges pins the powers that a piece has from others to its right: the figures of those that
// lend them, on a plate of the color of the zone.
func (p *pen) paintBadges(table rules.Table, seen *contents) {
	const margin, edge, round, rim = .015, .02, .05, .035
	y := edge
	for side, roles := range seen.borrowed {
		if len(roles) == 0 {
			continue
		}
		size := max(.2, .28-.02*float64(len(roles))) // so that four fit in
		wide := size + 2*margin
		high := float64(len(roles))*size + 2*margin
		a := p.at(1-edge-wide, y)
		p.dc.DrawRoundedRectangle(a.x, a.y, wide*p.cell, high*p.cell, round*p.cell)
		p.dc.SetColor(p.Casing)
		p.dc.SetLineWidth(rim * p.cell)
		p.dc.StrokePreserve()
		p.dc.SetColor(p.Zones[side])
		p.dc.Fill()
		ink := glyph.Livery{Name: "badge", Fill: p.Casing, Edge: p.Casing, Detail: p.Zones[side]}
		for i, role := range roles {
			at := p.at(1-edge-wide+margin, y+margin+float64(i)*size)
			piece := rules.PieceOf(rules.Color(side), role)
			glyph.Draw(p.dc, table, piece, at.x, at.y, size*p.cell, &[2]glyph.Livery{ink, ink})
		}
		y += high + edge
	}
}
