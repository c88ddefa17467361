package fide

import "chimera/rules"

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement), setup)
}

// RenewAs is Renew for a game that tells the roles itself, and which squares may have changed.
func (s *State) RenewAs(role func(rules.Square) rules.Role, changed rules.Set, setup *rules.Setup) rules.Set {
	setup.Turn, setup.Castling, setup.EnPassant = s.Turn, s.Castling, s.EnPassant
	setup.HalfMoves, setup.FullMove = int(s.HalfMoves), int(s.FullMove)
	setup.Renew(changed, s.Sides[rules.White], s.Sides[rules.Black], role)
	return changed
}

// Guarded reports whether the other side could capture on m.To after m.
func (s *State) Guarded(m rules.Move) bool {
	return s.Attacked(m.To, s.Turn, ^m.To.Set(), s.Occupied()&^m.From.Set()|m.To.Set())
}
