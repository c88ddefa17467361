package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Attackers are the pieces of either side that would capture a piece of c on sq, on a
// board occupied as given.
func (s *State) Attackers(sq rules.Square, c rules.Color, occupied rules.Set) rules.Set {
	set := s.State.Attackers(sq, c, occupied)
	if s.odd&s.Sides[c&1^1] != 0 {
		set |= s.oddAttackers(sq, occupied)
	}
	return set
}

// oddAttackers are those that attack by a power that orthodox chess does not have.
// All of these go both ways.
func (s *State) oddAttackers(sq rules.Square, occupied rules.Set) rules.Set {
	sq &= 63
	set := wazirSteps[sq]&s.extra[wazirs] |
		ferzSteps[sq]&(s.extra[ferzes]|s.extra[captains]) |
		flights[sq]&s.extra[pegasi]
	if stealth := s.extra[stealthRooks]; stealth != 0 {
		set |= rookLeaps(sq, occupied)&stealth | fide.RookSlides(sq, 0)&s.extra[bomberRooks]
	}
	if stealth := s.extra[stealthBishops]; stealth != 0 {
		set |= bishopLeaps(sq, occupied)&stealth | fide.BishopSlides(sq, 0)&s.extra[bomberBishops]
	}
	return set
}

// Attacked reports whether an enemy of c among the pieces of the set attacks sq, on
// a board occupied as given.
func (s *State) Attacked(sq rules.Square, c rules.Color, enemies, occupied rules.Set) bool {
	return s.Attackers(sq, c, occupied)&enemies&s.Sides[c&1^1] != 0
}

// Danger finds checks and pins of the side to move. A piece is pinned too if it is
// one of just two between its king and a piece with a stealth line, who leaps only
// one. The squares of the line are not all safe for a pinned piece, as they are in
// orthodox chess: it may leap out from between.
func (s *State) Danger() fide.Danger {
	us := s.Turn & 1
	own, enemy, occupied := s.Sides[us], s.Sides[us^1], s.Occupied()
	d := s.State.Danger()
	if s.odd&enemy == 0 {
		return d
	}
	d.Checkers |= s.oddAttackers(d.King, occupied) & enemy
	stealth := (fide.RookSlides(d.King, 0)&s.extra[stealthRooks] | fide.BishopSlides(d.King, 0)&s.extra[stealthBishops]) & enemy
	for ; stealth != 0; stealth = stealth.Rest() {
		if shield := fide.Between(d.King, stealth.First()) & occupied; shield.Len() == 2 {
			d.Pinned |= shield & own
		}
	}
	return d
}

// safe reports whether the mover's king is safe once the pieces of a set have gone
// and one of them, or the captor of one, stands on to.
func (s *State) safe(king rules.Square, gone rules.Set, to rules.Square) bool {
	occupied := s.Occupied()&^gone | to.Set()
	return !s.Attacked(king, s.Turn, ^(gone | to.Set()), occupied)
}

// Checkers are the enemy pieces that give check to the mover's king.
func (s *State) Checkers() rules.Set {
	return s.Attackers(s.KingOf(s.Turn), s.Turn, s.Occupied()) & s.Sides[s.Turn&1^1]
}

// Status is the position's, given the number of its legal moves.
func (s *State) Status(moves int) rules.Status {
	return rules.StatusOf(moves, s.Few(s.odd), s.Checkers)
}
