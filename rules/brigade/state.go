package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position.
type State struct{ fide.Roles }

// load reads a Setup into an empty State.
func (s *State) load(setup rules.Setup) error {
	if err := s.Load(setup, fide.King, "King and rook may castle here whenever they stand at home, so the castling field of a FEN is always -."); err != nil {
		return err
	}
	for c := range rules.Color(2) {
		if wrong := s.Of(c, fide.Pawn) & fide.HomeRank(c.Other()); wrong != 0 {
			return rules.BadFENf("A pawn of %s cannot stand on %s, its last rank.", c, at(wrong.First()))
		}
	}
	return nil
}

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	us, to := s.Turn&1, m.To.Set()
	next.Roles.Play(m, m.Kills|to&s.Sides[us^1])
	switch {
	case m.Role != rules.NoRole:
		next.Pieces[fide.Pawn] &^= to
		next.Pieces[m.Role] |= to
	case m.Act == rules.Castle:
		rookFrom, rookTo := fide.CastlingRook(m.To)
		rook := rookFrom.Set() | rookTo.Set()
		next.Pieces[fide.Rook] ^= rook
		next.Sides[us] ^= rook
	}
}

// Final reports whether m kills or promotes: a pawn that only moves can come back.
func (s *State) Final(m rules.Move) bool {
	return m.Role != rules.NoRole || m.Kills|m.To.Set()&s.Sides[s.Turn&1^1] != 0
}

// Status is the position's, given the number of its moves.
func (s *State) Status(moves int) rules.Status {
	checked := s.Checkers() != 0
	switch {
	case !s.bothKings():
		return rules.KingTaken
	case checked && moves == 0:
		return rules.Checkmate
	case !checked && s.Pieces[fide.Pawn]|s.Pieces[fide.Knight]|s.Pieces[fide.Queen] == 0:
		return rules.Insufficient // nobody is left who could take a king
	case checked && s.mated():
		return rules.Mated
	case moves == 0:
		return rules.Stalemate
	}
	return rules.Ongoing
}

// bothKings reports whether no king has been taken.
func (s *State) bothKings() bool { return s.Pieces[fide.King].Len() == 2 }

// mated reports whether a side in check that has moves has no legal one. Its moves
// are either all legal or none, so one of them tells.
func (s *State) mated() bool {
	m := s.Moves(nil)[0]
	return !s.Pieces[fide.King].Has(m.To) && !s.safe(m)
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}
