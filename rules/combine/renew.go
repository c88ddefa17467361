package combine

import "chimera/rules"

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement)|(s.fused^before.fused), setup)
}
