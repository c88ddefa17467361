package combine

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position: the pieces by their powers, and which of those with a
// queen's powers are a rook and a bishop.
type State struct {
	fide.State
	fused rules.Set // the rook-bishops
	free  bool
}

func (s *State) put(sq rules.Square, c rules.Color, r rules.Role) {
	parts := table[r].Parts
	s.Put(sq, c, fide.PowersOf(parts[0])|fide.PowersOf(parts[1]))
	if r == RookBishop {
		s.fused |= sq.Set()
	}
}

// Role is what the piece on sq is, rules.NoRole on an empty square.
func (s *State) Role(sq rules.Square) rules.Role {
	switch {
	case s.fused.Has(sq):
		return RookBishop
	case !s.hybrids().Has(sq):
		return s.State.Role(sq)
	case !s.Diagonals.Has(sq):
		return RookKnight
	case !s.Orthogonals.Has(sq):
		return BishopKnight
	}
	return QueenKnight
}

func (s *State) hybrids() rules.Set {
	return s.fused | s.Knights&(s.Diagonals|s.Orthogonals)
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup { return s.Unload(s.Role) }

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	next.fused, next.free = s.fused, s.free
	switch m.Act {
	case rules.Merge:
		next.join(s, m.From, m.To, m.To)
	case rules.Rally:
		next.join(s, m.From, m.With, m.To)
	case rules.Split:
		next.part(s, m)
	default:
		s.State.Play(m, &next.State)
		if both := m.From.Set() | m.To.Set(); s.fused&both != 0 {
			next.fused &^= both
			if s.fused.Has(m.From) {
				next.fused |= m.To.Set()
			}
		}
	}
}

// join makes one piece on to of those on a and b, and captures what else is there.
func (s *State) join(before *State, a, b, to rules.Square) {
	s.State = before.State
	s.Pass()
	if s.Sides[s.Turn].Has(to) {
		s.HalfMoves = 0
	}
	all := a.Set() | b.Set() | to.Set()
	s.Remove(all)
	s.fused &^= all
	s.Put(to, before.Turn, fide.PowersOf(before.Role(a))|fide.PowersOf(before.Role(b)))
	if !s.Knights.Has(to) {
		s.fused |= to.Set()
	}
}

func (s *State) part(before *State, m rules.Move) {
	s.State = before.State
	s.Pass()
	hybrid := before.Role(m.From)
	s.Remove(m.From.Set())
	s.fused &^= m.From.Set()
	s.Put(m.To, before.Turn, fide.PowersOf(m.Role))
	s.Put(m.From, before.Turn, fide.PowersOf(otherPart(hybrid, m.Role)))
}

// otherPart is what is left of a hybrid when a part has gone.
func otherPart(hybrid, part rules.Role) rules.Role {
	both := table[hybrid].Parts
	if both[0] == part {
		return both[1]
	}
	return both[0]
}

// Effects is what m makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	var next State
	switch m.Act {
	case rules.Merge, rules.Rally:
		s.Play(m, &next)
		return joinEffects(&setup.Board, m, rules.PieceOf(s.Turn, next.Role(m.To)))
	case rules.Split:
		return []rules.Effect{{
			Kind: rules.Parted, From: m.From, To: m.To, Piece: rules.PieceOf(s.Turn, m.Role),
			Into: rules.PieceOf(s.Turn, otherPart(s.Role(m.From), m.Role)),
		}}
	default:
		return fide.StepEffects(setup, m)
	}
}

func joinEffects(pieces *rules.Board, m rules.Move, into rules.Piece) []rules.Effect {
	second := m.With
	if m.Act == rules.Merge {
		second = m.To
	}
	var effects []rules.Effect
	if m.Act == rules.Rally && pieces[m.To] != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: m.To, Piece: pieces[m.To]})
	}
	for _, sq := range [...]rules.Square{m.From, second} {
		effects = append(effects, rules.Effect{Kind: rules.Merged, From: sq, To: m.To, Piece: pieces[sq], Into: into})
	}
	return effects
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement)|(s.fused^before.fused), setup)
}
