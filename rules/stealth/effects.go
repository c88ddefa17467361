package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Effects is what m makes happen: captures in the order in which the piece comes to
// them, then its way. A run is told as one: where it ends with a capture, the piece
// absorbs there if it has absorbed anything.
func (s *State) Effects(m rules.Move) []rules.Effect {
	prey := s.prey(m)
	if prey == 0 {
		return fide.StepEffects(s.Setup(), m)
	}
	var effects []rules.Effect
	us, start := s.Turn, s.pieces[m.From]
	var path []rules.Square
	for piece := start; prey != 0; {
		sq := m.Nearest(prey)
		prey &^= sq.Set()
		before := piece
		piece = roster.after[piece][s.pieces[sq]]
		e := rules.Effect{Kind: rules.Captured, From: m.From, To: sq, Piece: rules.PieceOf(us.Other(), s.pieces[sq])}
		if piece != before || sq == m.To && piece != start {
			e.Kind, e.Into = rules.Absorbed, rules.PieceOf(us, piece)
		}
		effects = append(effects, e)
		if sq != m.To {
			path = append(path, sq)
		}
	}
	moved := rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: rules.PieceOf(us, start)}
	if m.Kills != 0 {
		moved.Path = rules.PathOf(append(path, m.To)...)
	}
	return append(effects, moved)
}
