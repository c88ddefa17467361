package fide

import "chimera/rules"

// Danger is what the mover's king has to fear.
type Danger struct {
	King     rules.Square
	Checkers rules.Set // enemy pieces that give check
	Pinned   rules.Set // own pieces that alone stand between the king and an enemy's line
}

// Danger finds checks and pins of the side to move.
func (s *State) Danger() Danger {
	us := s.Turn & 1
	own, enemy, occupied := s.Sides[us], s.Sides[us^1], s.Occupied()
	king := s.KingOf(us)
	d := Danger{King: king, Checkers: s.Attackers(king, us, occupied) & enemy}
	snipers := (RookSlides(king, enemy)&s.Orthogonals | BishopSlides(king, enemy)&s.Diagonals) & enemy
	for ; snipers != 0; snipers = snipers.Rest() {
		if shield := Between(king, snipers.First()) & own; shield != 0 && shield.Rest() == 0 {
			d.Pinned |= shield
		}
	}
	return d
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set {
	return s.Attackers(s.KingOf(s.Turn), s.Turn, s.Occupied()) & s.Sides[s.Turn&1^1]
}

// Status is the position's, given the number of its legal moves.
func (s *State) Status(moves int) rules.Status { return rules.StatusOf(moves, s.Few(0), s.Checkers) }

// Few reports whether too few pieces are left to mate: a bare king against a king with at most one
// plain knight or bishop, which is not among the odd ones.
func (s *State) Few(odd rules.Set) bool {
	light := (s.Knights ^ s.Diagonals) &^ s.Orthogonals &^ odd
	pieces := s.Occupied().Len()
	return pieces == 2 || pieces == 3 && light.Len() == 1
}
