package combination

import "chimera/rules"

// Effects is what m makes happen. What stood around an annihilation goes by file,
// then rank; the man that moved is among it.
func (s *State) Effects(m rules.Move) []rules.Effect {
	men := s.Setup().Board
	var effects []rules.Effect
	if captured := men[m.To]; captured != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: m.To, Piece: captured})
	}
	effects = append(effects, rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: men[m.From]})
	men[m.From], men[m.To] = rules.Piece{}, men[m.From]
	for _, sq := range board.ByFile(s.blast(m)) {
		if men[sq] != (rules.Piece{}) {
			effects = append(effects, rules.Effect{Kind: rules.Annihilated, From: m.To, To: sq, Piece: men[sq]})
		}
	}
	return effects
}
