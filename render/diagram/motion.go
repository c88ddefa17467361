package diagram

import (
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
