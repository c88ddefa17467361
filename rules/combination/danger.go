package combination

import "chimera/rules"

// attackers are c's enemies, with the given powers, that would capture a piece of c on
// sq, on a board occupied as given.
func (s *State) attackers(sq rules.Square, c rules.Color, enemy *powers, occupied rules.Set) rules.Set {
	return s.leapers(sq, c, enemy) | around[sq&63]&s.Of(c^1, King) |
		rays.Rook(sq, occupied)&enemy.orthogonal |
		rays.Bishop(sq, occupied)&enemy.diagonal
}

// leapers are those of the attackers that nothing can stop on the way, but for the
// king.
func (s *State) leapers(sq rules.Square, c rules.Color, enemy *powers) rules.Set {
	return knights[sq&63]&enemy.knight | leaps[sq&63]&enemy.leap | takes[c&1][sq&63]&s.Of(c^1, Pawn)
}

// checkers are the enemies that give check to c's king. Where a king is missing
// there is no check: the game is over.
func (s *State) checkers(c rules.Color) rules.Set {
	if !s.bothKings() {
		return 0
	}
	enemy := s.powers(c ^ 1)
	return s.attackers(s.king(c), c, &enemy, s.Occupied())
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set { return s.checkers(s.Turn) }

// safe reports whether m, which its piece can do, leaves the mover its king, and out
// of check. Annihilating the enemy's king wins at once: then check does not matter.
func (s *State) safe(m rules.Move) bool {
	var next State
	s.Play(m, &next)
	return next.Pieces[King]&next.Sides[s.Turn&1] != 0 && next.checkers(s.Turn) == 0
}
