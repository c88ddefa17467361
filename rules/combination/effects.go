package combination

import "chimera/rules"

// Effects is what m makes happen. What stood around an annihilation goes by file,
// then rank; the piece that moved is among it.
func (s *State) Effects(m rules.Move) []rules.Effect {
	on := s.Setup().Board
	var effects []rules.Effect
	if captured := on[m.To]; captured != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: m.To, Piece: captured})
	}
	effects = append(effects, rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: on[m.From]})
	on[m.From], on[m.To] = rules.Piece{}, on[m.From]
	for _, sq := range board.ByFile(s.blast(m)) {
		if on[sq] != (rules.Piece{}) {
			effects = append(effects, rules.Effect{Kind: rules.Annihilated, From: m.To, To: sq, Piece: on[sq]})
		}
	}
	return effects
}
