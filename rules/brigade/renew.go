package brigade

import "chimera/rules"

// Skip makes *next the position in which the mover has passed.
func (s *State) Skip(next *State) {
	*next = *s
	next.Pass()
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}
