package combination

import "chimera/rules"

// Skip makes *next the position in which the mover has passed.
func (s *State) Skip(next *State) {
	*next = *s
	next.turn = s.turn.Other()
	next.halfMoves++
	next.fullMove += uint32(s.turn)
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
// No piece becomes another where it stands.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	changed := (s.sides[0] ^ before.sides[0]) | (s.sides[1] ^ before.sides[1])
	setup.Turn, setup.HalfMoves, setup.FullMove = s.turn, int(s.halfMoves), int(s.fullMove)
	setup.Renew(changed, s.sides[rules.White], s.sides[rules.Black], s.Role)
	return changed
}

// Blasters are the mover's amplifiers and isolators, where there are those of the other
// side that they could meet.
func (s *State) Blasters() rules.Set {
	us := s.turn & 1
	var set rules.Set
	if s.of(us^1, Isolator) != 0 {
		set = s.of(us, Amplifier)
	}
	if s.of(us^1, Amplifier) != 0 {
		set |= s.of(us, Isolator)
	}
	return set
}

// Blasts reports whether m annihilates.
func (s *State) Blasts(m rules.Move) bool { return s.blast(m) != 0 }

// Guarded reports whether the other side could capture on m.To after m, with the powers
// that it has before.
func (s *State) Guarded(m rules.Move) bool {
	us := s.turn & 1
	enemy := s.powers(us ^ 1)
	return s.attackers(m.To, us, &enemy, s.occupied()&^m.From.Set()|m.To.Set())&^m.To.Set() != 0
}
