package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// State is a position.
type State struct {
	sides     [2]rules.Set             // by Color
	pieces    [fide.King + 1]rules.Set // by Role, of both sides
	turn      rules.Color
	halfMoves uint32
	fullMove  uint32
}

func (s *State) occupied() rules.Set { return s.sides[0] | s.sides[1] }

// of are the pieces of one role and side.
func (s *State) of(c rules.Color, r rules.Role) rules.Set { return s.pieces[r] & s.sides[c&1] }

// Role is what stands on sq, rules.NoRole on an empty square.
func (s *State) Role(sq rules.Square) rules.Role {
	for r := fide.King; r > rules.NoRole; r-- {
		if s.pieces[r].Has(sq) {
			return r
		}
	}
	return rules.NoRole
}

// load reads a Setup into an empty State.
func (s *State) load(setup rules.Setup) error {
	s.turn, s.halfMoves, s.fullMove = setup.Turn, uint32(setup.HalfMoves), uint32(setup.FullMove)
	for sq := range board.Squares.Squares() {
		for _, c := range [...]rules.Color{rules.White, rules.Black} {
			if role := setup.Board[sq].Half(c); role != rules.NoRole {
				s.pieces[role] |= sq.Set()
				s.sides[c] |= sq.Set()
			}
		}
	}
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		if n := s.of(c, fide.King).Len(); n > 1 {
			return rules.BadFENf("A side has one king at most; %s has %d.", c, n)
		}
		if wrong := s.of(c, fide.Pawn) & fide.HomeRank(c.Other()); wrong != 0 {
			return rules.BadFENf("A pawn of %s cannot stand on %s, its last rank.", c, at(wrong.First()))
		}
	}
	if setup.Castling != 0 {
		return rules.BadFENf("King and rook may castle here whenever they stand at home, so the castling field of a FEN is always -.")
	}
	if setup.EnPassant != rules.NoSquare {
		return rules.BadFENf("There is no en passant here, so the en-passant field of a FEN is always -.")
	}
	return nil
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup {
	setup := rules.Setup{
		Turn: s.turn, EnPassant: rules.NoSquare,
		HalfMoves: int(s.halfMoves), FullMove: int(s.fullMove),
	}
	for r := fide.Pawn; r <= fide.King; r++ {
		for sq := range s.pieces[r].Squares() {
			setup.Board[sq] = rules.PieceOf(s.owner(sq), r)
		}
	}
	return setup
}

// owner is whose piece stands on a square that is not empty.
func (s *State) owner(sq rules.Square) rules.Color {
	if s.sides[rules.White].Has(sq) {
		return rules.White
	}
	return rules.Black
}

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	us := s.turn & 1
	next.turn = us ^ 1
	next.fullMove += uint32(us)
	next.halfMoves++
	from, to := m.From.Set(), m.To.Set()
	dead := m.Kills | to&s.sides[us^1]
	if dead != 0 || s.pieces[fide.Pawn]&from != 0 {
		next.halfMoves = 0
	}
	both := from ^ to // nothing for a piece that ends where it began
	for r := range next.pieces {
		pieces := next.pieces[r] &^ dead
		next.pieces[r] = pieces ^ both&-(pieces>>(m.From&63)&1)
	}
	next.sides[us] ^= both
	next.sides[us^1] &^= dead
	switch {
	case m.Role != rules.NoRole:
		next.pieces[fide.Pawn] &^= to
		next.pieces[m.Role] |= to
	case m.Act == rules.Castle:
		rookFrom, rookTo := fide.CastlingRook(m.To)
		rook := rookFrom.Set() | rookTo.Set()
		next.pieces[fide.Rook] ^= rook
		next.sides[us] ^= rook
	}
}

// Final reports whether m kills or promotes: a pawn that only moves can come back.
func (s *State) Final(m rules.Move) bool {
	return m.Role != rules.NoRole || m.Kills|m.To.Set()&s.sides[s.turn&1^1] != 0
}

// Status is the position's, which has so many moves.
func (s *State) Status(moves int) rules.Status {
	checked := s.Checked() != 0
	switch {
	case !s.bothKings():
		return rules.KingTaken
	case checked && moves == 0:
		return rules.Checkmate
	case !checked && s.pieces[fide.Pawn]|s.pieces[fide.Knight]|s.pieces[fide.Queen] == 0:
		return rules.Insufficient // nobody is left who could take a king
	case checked && s.mated():
		return rules.Mated
	case moves == 0:
		return rules.Stalemate
	}
	return rules.Ongoing
}

// bothKings reports whether no king has been taken.
func (s *State) bothKings() bool { return s.pieces[fide.King].Len() == 2 }

// mated reports whether a side in check that has moves has no legal one. Its moves
// are either all legal or none, so one of them tells.
func (s *State) mated() bool {
	m := s.Moves(nil)[0]
	return !s.pieces[fide.King].Has(m.To) && !s.safe(m)
}
