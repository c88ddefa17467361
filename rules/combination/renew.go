package combination

import "chimera/rules"

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}

// Blasters are the mover's amplifiers and isolators, where there are those of the other
// side that they could meet.
func (s *State) Blasters() rules.Set {
	us := s.Turn & 1
	var set rules.Set
	if s.Of(us^1, Isolator) != 0 {
		set = s.Of(us, Amplifier)
	}
	if s.Of(us^1, Amplifier) != 0 {
		set |= s.Of(us, Isolator)
	}
	return set
}

// Blasts reports whether m annihilates.
func (s *State) Blasts(m rules.Move) bool { return s.blast(m) != 0 }

// Guarded reports whether the other side could capture on m.To after m, with the powers
// that it has before.
func (s *State) Guarded(m rules.Move) bool {
	us := s.Turn & 1
	enemy := s.powers(us ^ 1)
	return s.attackers(m.To, us, &enemy, s.Occupied()&^m.From.Set()|m.To.Set())&^m.To.Set() != 0
}
