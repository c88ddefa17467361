package diagram

import (
	"slices"

	"chimera/rules"
)

// Played is the move that led to a position: the board before it, and its effects.
type Played struct {
	Start   rules.Board   // of the game, as for [Diagram.ShowTaken]
	Taken   []rules.Piece // before it, likewise
	Before  rules.Board
	Effects []rules.Effect
}

// Flight is a piece between two squares, in a frame of an animation.
type Flight struct {
	Piece    rules.Piece
	From, To rules.Square
	Path     rules.Path // its path, with To last; straight if empty
	Way      float64    // share of it already covered, from 0 to 1
}

// Motion is the move that led to d as an animation, with d last: six to eight frames for a merge, a split, a shot, a
// run or an annihilation, and for whatever ends a game. For other moves it is empty, since d shows enough.
func (d Diagram) Motion(p Played) []Diagram {
	if !d.Over && !slices.ContainsFunc(p.Effects, moving) {
		return nil
	}
	first := d.plain(p.Before)
	if d.Bars != nil { // they must not show the move before it is played
		first = first.ShowTaken(p.Start, p.Taken)
	}
	flight := first.fly(p.Effects)
	return slices.Concat([]Diagram{first}, flight, first.kill(d.Board, p.Effects, flight == nil), []Diagram{d})
}

// moving reports whether an effect is worth an animation.
func moving(e rules.Effect) bool {
	kinds := []rules.EffectKind{rules.Merged, rules.Born, rules.Parted, rules.Shot, rules.Annihilated}
	return e.Path != "" || slices.Contains(kinds, e.Kind)
}

// plain is d with another board, without marks, and without the result.
func (d Diagram) plain(b rules.Board) Diagram {
	d.Board, d.Marks, d.Over, d.Status = b, nil, false, rules.Ongoing
	if d.Bars != nil {
		d.Bars = new(*d.Bars)
		if d.Bars.Result != "" {
			d.Bars.Result = " " // leaves it room
		}
		for i := range d.Bars.Sides {
			d.Bars.Sides[i].Won = false
		}
	}
	return d
}

// fly moves the moving pieces along their ways, all at once.
func (d Diagram) fly(effects []rules.Effect) (frames []Diagram) {
	const steps = 5
	var flights []Flight
	for _, e := range effects {
		switch {
		case e.From == e.To:
			continue
		case e.Kind == rules.Parted:
			d.Board[e.From] = e.Into
		case e.Kind == rules.Moved, e.Kind == rules.Castled, e.Kind == rules.Merged, e.Kind == rules.Born:
			d.Board[e.From] = rules.Piece{}
		default:
			continue
		}
		flights = append(flights, Flight{Piece: e.Piece, From: e.From, To: e.To, Path: e.Path})
	}
	for step := 1; step < steps && flights != nil; step++ {
		d.Flights = slices.Clone(flights)
		for i := range d.Flights {
			d.Flights[i].Way = float64(step) / steps
		}
		frames = append(frames, d)
	}
	return frames
}

// kill shows what was shot, annihilated or killed on the way for a moment, on the board after the move beside its
// killer; longer if no flight has drawn the eye there.
func (d Diagram) kill(after rules.Board, effects []rules.Effect, long bool) []Diagram {
	d.Board = after
	var killed, aimed []Mark
	for _, e := range effects {
		if kills := e.Kind == rules.Shot || e.Kind == rules.Annihilated || e.Kind == rules.Captured; kills && d.Board[e.To] == (rules.Piece{}) {
			d.Board[e.To] = e.Piece
			killed = append(killed, marks(e)...)
			aimed = append(aimed, on(Aimed, e.To))
		}
	}
	if aimed == nil {
		return nil
	}
	still, sighted := d, d
	sighted.Marks, d.Marks = aimed, killed
	if long {
		return []Diagram{sighted, still, sighted, d}
	}
	return []Diagram{d}
}
