package brigade

import "chimera/rules"

// Skip makes *next the position in which the mover has passed.
func (s *State) Skip(next *State) {
	*next = *s
	next.turn = s.turn.Other()
	next.halfMoves++
	next.fullMove += uint32(s.turn)
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
// No piece becomes another where it stands, but a pawn that arrives.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	changed := (s.sides[0] ^ before.sides[0]) | (s.sides[1] ^ before.sides[1])
	setup.Turn, setup.HalfMoves, setup.FullMove = s.turn, int(s.halfMoves), int(s.fullMove)
	setup.Renew(changed, s.sides[rules.White], s.sides[rules.Black], s.Role)
	return changed
}
