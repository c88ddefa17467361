package brigade

import "chimera/rules"

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}
