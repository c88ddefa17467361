package stealth

import "chimera/rules"

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
// A piece becomes another only where it arrives, so its square changes sides.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, (s.Sides[0]^before.Sides[0])|(s.Sides[1]^before.Sides[1]), setup)
}

// Guarded reports whether the other side could capture on m.To after m.
func (s *State) Guarded(m rules.Move) bool {
	return s.Attacked(m.To, s.Turn, ^(m.Kills | m.To.Set()), s.Occupied()&^(m.Kills|m.From.Set())|m.To.Set())
}
