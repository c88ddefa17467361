package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Effects is what m makes happen, shots before or after the move as they fell.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	var before, move, after []rules.Effect
	for _, sq := range board.ByFile(m.Kills) {
		e := rules.Effect{Kind: rules.Captured, From: m.From, To: sq, Piece: setup.Board[sq]}
		if from, ok := s.shotFrom(m, sq); ok {
			e.Kind, e.From = rules.Shot, from
		}
		if e.Kind == rules.Shot && e.From == m.To {
			after = append(after, e)
		} else {
			before = append(before, e)
		}
	}
	if m.From != m.To {
		move = fide.StepEffects(setup, m)
		if s.Pieces[fide.Bishop].Has(m.From) && move[0].Kind == rules.Captured {
			move[0].Kind = rules.Shot // it fires, and then moves there
		}
	}
	for i := range move {
		if move[i].Kind == rules.Moved {
			move[i].Path = s.route(m)
		}
	}
	return append(append(before, move...), after...)
}

// shotFrom is the square from which the piece on sq, not the final square, dies by
// fire, if it does. Where two will do it is the final square.
func (s *State) shotFrom(m rules.Move, sq rules.Square) (rules.Square, bool) {
	switch s.Role(m.From) {
	case fide.Rook:
		return m.From, true
	case fide.Bishop:
		if light[sq].Has(m.To) {
			return m.To, true
		}
		return m.From, true
	case fide.Queen:
		r := s.flight(s.Turn)
		r.standOn(m.From.Set())
		// A queen that raids kills more, or ends where it could not have landed.
		if m.Kills == sq.Set() && (r.launch & light[sq]).Has(m.To) {
			return m.To, true
		}
		return 0, false
	default:
		return 0, false
	}
}

// route is the way that an armor goes with a move, or a queen that kills on it. Of several that
// do the same it is the first by the squares' order; none where the piece goes at once.
func (s *State) route(m rules.Move) rules.Path {
	piece := s.Role(m.From)
	if piece != fide.Knight && (piece != fide.Queen || m.Kills == 0) {
		return ""
	}
	if sq := m.Kills.First(); m.Kills != 0 {
		if _, shot := s.shotFrom(m, sq); shot {
			return ""
		}
	}
	want := m.Kills | m.To.Set()&s.Sides[s.Turn&1^1]
	if piece == fide.Knight {
		return s.stepsTo(m.From, m.From, m.To, want, &raid{})
	}
	r := s.flight(s.Turn)
	if path := s.stepsTo(m.From, m.From, m.To, want, &r); path != "" {
		return path
	}
	for sq := range ((r.empty &^ r.covered) & marches[m.To]).Squares() {
		if path := s.stepsTo(m.From, sq, m.To, want, &r); path != "" {
			return rules.PathOf(sq) + path
		}
	}
	return ""
}

// stepsTo is the first way of three orthogonal steps from one square to another on which just
// the wanted die, of a piece that came from yet another square.
func (s *State) stepsTo(from, on, to rules.Square, want rules.Set, r *raid) rules.Path {
	last := beside(to.Set())
	for one := range (beside(on.Set()) & beside(last)).Squares() {
		for two := range (beside(one.Set()) & last).Squares() {
			if dead, ok := s.march(from, on, []rules.Square{one, two, to}, r); ok && dead == want {
				return rules.PathOf(one, two, to)
			}
		}
	}
	return ""
}
