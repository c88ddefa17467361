package knightmare

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// names are the names of the squares, and of none.
var names = squareNames() //nolint:gochecknoglobals // built once, never written

func squareNames() (names [rules.NoSquare + 1]string) {
	for sq := range names {
		names[sq] = fide.Shape().Name(rules.Square(sq))
	}
	return names
}

// Pass ends the mover's turn without a move.
func (s *State) Pass() {
	s.frozen = rules.NoSquare
	s.State.Pass()
	s.swap()
}

// Renew makes *setup, which is before's, that of s, and returns the squares that may have
// changed: the two sides see each knightmare differently.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	changed := s.RenewAs(s.Role, s.Changed(&before.Placement)|s.shared|before.shared, setup)
	s.unloadShared(setup)
	return changed
}
