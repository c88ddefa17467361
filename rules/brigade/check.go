package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Checkers are the enemy pieces that give check to the mover's king; none once a king is taken.
func (s *State) Checkers() rules.Set {
	if !s.bothKings() {
		return 0
	}
	return s.attackers(s.Turn)
}

// attackers are the enemy pieces that could end their move on the square of c's king.
// Artillery never can.
func (s *State) attackers(c rules.Color) rules.Set {
	king := s.Of(c, fide.King).First()
	return s.onGround(king, s.Sides[c&1^1]) | s.inAir(king, c)
}

// onGround are the pawns, armor and king among the given pieces of one side that could
// take the other's king on that square. Where the king's own pieces stand makes no
// difference: armor kills its way through them, and is stopped by its own side only.
func (s *State) onGround(king rules.Square, pieces rules.Set) rules.Set {
	armor := s.Pieces[fide.Knight] & pieces
	open := ^pieces &^ king.Set() // the king blocks armor but on its third step
	last := beside(king.Set())
	second := last & open
	ready := beside(beside(second) & open)
	for near := last & armor; near != 0; near = near.Rest() {
		if beside(near&-near)&open != 0 { // out, back to its own square, and in
			ready |= near & -near
		}
	}
	return fide.KingSteps(king)&(s.Pieces[fide.Pawn]|s.Pieces[fide.King])&pieces | ready&armor
}

// inAir are the enemy queens that could take c's king, were it on that square.
func (s *State) inAir(king rules.Square, c rules.Color) rules.Set {
	var set rules.Set
	queens := s.Of(c^1, fide.Queen)
	if queens == 0 || s.shield(king, c) != 0 {
		return 0
	}
	r := s.flight(c ^ 1)
	for ; queens != 0; queens = queens.Rest() {
		if r.standOn(queens & -queens); r.takes(king) {
			set |= queens & -queens
		}
	}
	return set
}

// shield is the artillery of c that covers a king's square from where no queen can
// kill it on its way there. Three steps that end on a square come by squares one and
// two steps from it, which leaves of all ranges the far ones.
func (s *State) shield(king rules.Square, c rules.Color) rules.Set {
	return (heavy[king&63]&s.Pieces[fide.Rook] | aslant[king&63]&s.Pieces[fide.Bishop]) & s.Sides[c&1]
}

// safe reports whether the mover's king is not in check after m.
func (s *State) safe(m rules.Move) bool {
	var next State
	s.Play(m, &next)
	return next.attackers(s.Turn) == 0
}
