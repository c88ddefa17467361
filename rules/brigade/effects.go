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
		if s.pieces[fide.Bishop].Has(m.From) && move[0].Kind == rules.Captured {
			move[0].Kind = rules.Shot // it fires, and then moves there
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
		r := s.flight(s.turn)
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
