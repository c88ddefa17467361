package render

import (
	"encoding/binary"
	"math"
	"slices"

	"chimera/rules"
)

// Played is the move that led to a position: the board before it, and its effects.
type Played struct {
	Start   rules.Board // of the game, as [Diagram.ShowTaken] has it
	Before  rules.Board
	Effects []rules.Effect
}

// Flight is a piece between two squares, in a picture of several that move.
type Flight struct {
	Piece    rules.Piece
	From, To rules.Square
	Path     rules.Path // by which it goes, To last; straight if there is none
	Way      float64    // how much of it is behind the piece, from 0 to 1
}

// Motion is how the move was played that led to d, as boards to be shown one after another, d last: six to
// eight of a merge, a split, a shot, a run or an annihilation. There is none of other moves, of which d
// tells enough.
func (d Diagram) Motion(p Played) []Diagram {
	if !slices.ContainsFunc(p.Effects, moving) {
		return nil
	}
	first := d.plain(p.Before)
	if d.Bars != nil {
		first = first.ShowTaken(p.Start)
	}
	m := motion{first: first, last: d, frames: []Diagram{first}}
	m.fly(p)
	m.kill(p)
	return append(m.frames, d)
}

// moving reports whether something happened that is better seen than told.
func moving(e rules.Effect) bool {
	switch e.Kind {
	case rules.Merged, rules.Born, rules.Parted, rules.Shot, rules.Annihilated:
		return true
	case rules.Moved:
		return e.Path != ""
	case rules.Captured, rules.Absorbed, rules.Promoted, rules.Castled:
	}
	return false
}

// plain is d with another board, without marks, and without a word of how the game has ended.
func (d Diagram) plain(b rules.Board) Diagram {
	d.Board, d.Marks, d.Over, d.Status = b, nil, false, rules.Ongoing
	if d.Bars != nil {
		bars := *d.Bars
		if bars.Result != "" {
			bars.Result = " " // leaves it room
		}
		for i := range bars.Sides {
			bars.Sides[i].Won = false
		}
		d.Bars = &bars
	}
	return d
}

// motion is the frames of a move, as they grow.
type motion struct {
	first, last Diagram
	frames      []Diagram
}

// before is the first frame with another board: its bars do not know of the move yet.
func (m *motion) before(b rules.Board) Diagram {
	d := m.first
	d.Board = b
	return d
}

// fly lets the pieces that moved go where they went, all at once.
func (m *motion) fly(p Played) {
	const steps = 5
	board, flights := p.Before, []Flight(nil)
	for _, e := range p.Effects {
		switch {
		case e.From == e.To:
			continue
		case e.Kind == rules.Parted:
			board[e.From] = e.Into
		case e.Kind == rules.Moved, e.Kind == rules.Castled, e.Kind == rules.Merged, e.Kind == rules.Born:
			board[e.From] = rules.Piece{}
		default:
			continue
		}
		flights = append(flights, Flight{Piece: e.Piece, From: e.From, To: e.To, Path: e.Path})
	}
	if flights == nil {
		return
	}
	for step := 1; step < steps; step++ {
		frame := m.before(board)
		frame.Flights = slices.Clone(flights)
		for i := range frame.Flights {
			frame.Flights[i].Way = float64(step) / steps
		}
		m.frames = append(m.frames, frame)
	}
}

// kill lets what was shot or annihilated, or killed on the way, stand for a moment beside what
// killed it; after a flight that is short, as the eye is there already.
func (m *motion) kill(p Played) {
	frame := m.before(m.last.Board)
	var aimed []Mark
	for _, e := range p.Effects {
		switch {
		case e.Kind != rules.Shot && e.Kind != rules.Annihilated && e.Kind != rules.Captured:
		case frame.Board[e.To] == rules.Piece{}:
			frame.Board[e.To] = e.Piece
			frame.Marks = append(frame.Marks, marks(e)...)
			aimed = append(aimed, on(Aimed, e.To))
		}
	}
	if aimed == nil {
		return
	}
	if len(m.frames) == 1 { // nothing flew
		still, sighted := m.before(frame.Board), m.before(frame.Board)
		sighted.Marks = aimed
		m.frames = append(m.frames, sighted, still, sighted)
	}
	m.frames = append(m.frames, frame)
}

// flight is a piece over a tile, seen from there: how many tiles to the right and down.
type flight struct {
	piece rules.Piece
	x, y  float64
}

// fly shows a piece between squares on the tiles that it is over.
func (g *grid) fly(d *Diagram, f Flight) {
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
func (g *grid) over(d *Diagram, f Flight) (x, y float64) {
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
