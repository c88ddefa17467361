package stealth

import (
	"math/bits"

	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position: an orthodox one in which captains and pieces are in the
// sets of what orthodox powers they have, and what is beyond those.
type State struct {
	fide.State
	pieces [64]rules.Role
	extra  [extras]rules.Set
	odd    rules.Set // the pieces in any of the extra sets
}

// load reads a Setup into an empty State. Errors are [*rules.BadFEN].
func (s *State) load(setup rules.Setup) error {
	if err := s.Load(setup, s.put); err != nil {
		return err
	}
	for sq, piece := range setup.Board {
		s.pieces[sq] = piece.White | piece.Black
	}
	them := s.Turn.Other()
	king := s.KingOf(them)
	if by := s.Attackers(king, them, s.Occupied()) & s.Sides[s.Turn]; by != 0 {
		return rules.BadFENf("%s is to move, so %s may not be in check, but the %s on %s gives it.",
			s.Turn, them, s.noun(by.First()), at(by.First()))
	}
	return nil
}

// put places a piece of a role that has powers, or a captain, on an empty square.
func (s *State) put(sq rules.Square, c rules.Color, r rules.Role) {
	s.Put(sq, c, roster.orthodox[r])
	s.mark(sq, r)
}

// mark puts sq into the extra sets of a role.
func (s *State) mark(sq rules.Square, r rules.Role) {
	set := sq.Set()
	for in := roster.extra[r]; in != 0; in &= in - 1 {
		s.extra[bits.TrailingZeros8(in)] |= set
		s.odd |= set
	}
}

// unmark takes squares out of the extra sets.
func (s *State) unmark(set rules.Set) {
	if s.odd&set == 0 {
		return
	}
	s.odd &^= set
	for i := range s.extra {
		s.extra[i] &^= set
	}
}

// Role is what the piece on sq is, rules.NoRole on an empty square.
func (s *State) Role(sq rules.Square) rules.Role { return s.pieces[sq&63] }

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup { return s.Unload(s.Role) }

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	next.pieces, next.extra, next.odd = s.pieces, s.extra, s.odd
	s.State.Play(m, &next.State)
	piece, becomes := s.pieces[m.From&63], s.becomes(m)
	next.pieces[m.From&63] = rules.NoRole
	next.pieces[m.To&63] = becomes
	next.unmark(m.From.Set() | m.To.Set())
	switch {
	case becomes != piece:
		next.Remove(m.To.Set())
		next.put(m.To, s.Turn&1, becomes)
	case roster.extra[piece] != 0:
		next.mark(m.To, piece)
	}
	switch {
	case m.Kills != 0:
		next.HalfMoves = 0
		next.clear(m.Kills)
	case s.takesEnPassant(m):
		next.clear(fide.Backward(s.Turn, m.To.Set()))
	case m.Act == rules.Castle:
		from, to := fide.CastlingRook(m.To)
		next.pieces[from], next.pieces[to] = rules.NoRole, fide.Rook
	}
}

// Final reports whether m takes something or moves a pawn, which never comes back.
func (s *State) Final(m rules.Move) bool { return m.Kills != 0 || s.State.Final(m) }

// clear removes the pieces of a set.
func (s *State) clear(set rules.Set) {
	s.Remove(set)
	s.unmark(set)
	for ; set != 0; set = set.Rest() {
		s.pieces[set.First()] = rules.NoRole
	}
}

func (s *State) takesEnPassant(m rules.Move) bool {
	return m.To == s.EnPassant && s.Pawns.Has(m.From)
}

// becomes is what the piece that makes the move m is after it.
func (s *State) becomes(m rules.Move) rules.Role {
	piece := s.pieces[m.From&63]
	switch {
	case m.Role != rules.NoRole:
		return m.Role
	case s.takesEnPassant(m):
		return Captain
	case m.Kills == 0:
		return roster.after[piece][s.pieces[m.To&63]]
	}
	for prey := s.prey(m); prey != 0; {
		sq := m.Nearest(prey)
		piece = roster.after[piece][s.pieces[sq]]
		prey &^= sq.Set()
	}
	return piece
}

// prey are the squares on which m captures.
func (s *State) prey(m rules.Move) rules.Set {
	if s.takesEnPassant(m) {
		return fide.Backward(s.Turn, m.To.Set())
	}
	return m.Kills | m.To.Set()&s.Sides[s.Turn&1^1]
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
// A piece becomes another only where it arrives, so its square changes sides.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, (s.Sides[0]^before.Sides[0])|(s.Sides[1]^before.Sides[1]), setup)
}

// Guarded reports whether the other side could capture on m.To after m.
func (s *State) Guarded(m rules.Move) bool {
	return s.Attacked(m.To, s.Turn, ^(m.Kills | m.To.Set()), s.Occupied()&^(m.Kills|m.From.Set())|m.To.Set())
}
