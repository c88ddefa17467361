package render

import (
	"encoding/binary"
	"math"

	"chimera/render/diagram"
	"chimera/rules"
)

// flight is a piece over a tile, seen from there: how many tiles to the right and down.
type flight struct {
	piece rules.Piece
	x, y  float64
}

// fly shows a piece between squares on the tiles that it is over.
func (g *grid) fly(d *diagram.Diagram, f diagram.Flight) {
	x, y := g.over(d, f)
	for row := range g.rows {
		for col := range g.cols {
			dx, dy := x-float64(col), y-float64(row)
			if math.Abs(dx) >= 1 || math.Abs(dy) >= 1 {
				continue
			}
			i := row*g.cols + col
			g.contents[i].over = append(g.contents[i].over, flight{f.Piece, dx, dy})
			key := binary.LittleEndian.AppendUint64(nil, look(d.Table, f.Piece))
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(dx))
			g.tiles[i].over += string(binary.LittleEndian.AppendUint64(key, math.Float64bits(dy)))
		}
	}
}

// over is the column and the row of a flight.
func (g *grid) over(d *diagram.Diagram, f diagram.Flight) (x, y float64) {
	at := func(sq rules.Square) point {
		col, row := g.place(d, sq)
		return point{float64(col), float64(row)}
	}
	stops := []point{at(f.From)}
	for sq := range f.Path.Squares() {
		stops = append(stops, at(sq))
	}
	if f.Path == "" {
		stops = append(stops, at(f.To))
	}
	whole := 0.0
	for i := range stops[1:] {
		whole += stops[i].distance(stops[i+1])
	}
	left := f.Way * whole
	for i, a := range stops[:len(stops)-1] {
		z, long := stops[i+1], a.distance(stops[i+1])
		if left <= long && long > 0 {
			return a.x + (z.x-a.x)*left/long, a.y + (z.y-a.y)*left/long
		}
		left -= long
	}
	end := stops[len(stops)-1]
	return end.x, end.y
}

func (a point) distance(z point) float64 { return math.Hypot(z.x-a.x, z.y-a.y) }
