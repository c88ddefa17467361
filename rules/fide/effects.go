package fide

import "chimera/rules"

// Effects is what a legal Step or Castle makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect { return StepEffects(s.Setup(), m) }

// StepEffects is what a Step or Castle of orthodox chess, legal in the position
// of the Setup, makes happen, whichever piece makes it.
func StepEffects(s rules.Setup, m rules.Move) []rules.Effect {
	piece, taken := s.Board[m.From], m.To
	pawn := piece == rules.PieceOf(s.Turn, Pawn)
	if pawn && m.To == s.EnPassant {
		taken = Backward(s.Turn, m.To.Set()).First()
	}
	var effects []rules.Effect
	if victim := s.Board[taken]; victim != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: taken, Piece: victim})
	}
	effects = append(effects, rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: piece})
	switch {
	case m.Act == rules.Castle:
		from, to := CastlingRook(m.To)
		effects = append(effects, rules.Effect{Kind: rules.Castled, From: from, To: to, Piece: s.Board[from]})
	case m.Role != rules.NoRole:
		into := rules.PieceOf(s.Turn, m.Role)
		effects = append(effects, rules.Effect{Kind: rules.Promoted, From: m.To, To: m.To, Piece: piece, Into: into})
	}
	return effects
}
