package fide

import "chimera/rules"

// The roles of orthodox chess. Games that borrow from this package number theirs
// from King+1.
const (
	Pawn rules.Role = iota + 1
	Knight
	Bishop
	Rook
	Queen
	King
)

// State is a position of orthodox chess, or the orthodox part of another game's.
type State struct {
	Placement
	Castling  rules.Set    // the rooks that may still castle
	EnPassant rules.Square // skipped by a pawn that can now be captured there, or NoSquare
	Turn      rules.Color
	HalfMoves uint32
	FullMove  uint32
}

// Remove empties the squares of a set, and ends the
// castling rights of the rooks among it.
func (s *State) Remove(set rules.Set) {
	s.Sides[0] &^= set
	s.Sides[1] &^= set
	s.Pawns &^= set
	s.Powered.Remove(set)
	s.Castling &^= set
}

// Pass ends the mover's turn: the clocks go on, en passant is over. It is called
// before a capture or a pawn move sets HalfMoves to 0.
func (s *State) Pass() {
	s.FullMove += uint32(s.Turn)
	s.Turn = s.Turn.Other()
	s.HalfMoves++
	s.EnPassant = rules.NoSquare
}

// shift moves the bit from to the bit to, if it is there.
func shift(set *rules.Set, from rules.Square, both rules.Set) {
	*set ^= both & -(*set >> (from & 63) & 1)
}

// Play makes *next the position after the Step or Castle m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	next.Pass()
	us, from, to := s.Turn&1, m.From.Set(), m.To.Set()
	captured := s.Sides[us^1] & to
	pawn := s.Pawns&from != 0
	if pawn && m.To == s.EnPassant {
		captured = Backward(us, to)
	}
	if captured != 0 {
		next.Remove(captured)
	}
	if captured != 0 || pawn {
		next.HalfMoves = 0
	}
	both := from | to
	next.Castling &^= both
	next.Sides[us] ^= both
	if pawn {
		next.playPawn(m, us, both)
		return
	}
	shift(&next.Knights, m.From, both)
	shift(&next.Diagonals, m.From, both)
	shift(&next.Orthogonals, m.From, both)
	if s.Kings&from == 0 {
		return
	}
	next.Kings ^= both
	next.Castling &^= HomeRank(us)
	if m.Act == rules.Castle {
		rookFrom, rookTo := CastlingRook(m.To)
		both := rookFrom.Set() | rookTo.Set()
		next.Sides[us] ^= both
		next.Orthogonals ^= both
	}
}

// Final reports whether m takes something or moves a pawn, which never comes back.
func (s *State) Final(m rules.Move) bool {
	return s.Pawns&m.From.Set() != 0 || s.Sides[s.Turn&1^1]&m.To.Set() != 0
}

func (s *State) playPawn(m rules.Move, us rules.Color, both rules.Set) {
	s.Pawns ^= both
	if m.Role != rules.NoRole {
		s.Pawns &^= m.To.Set()
		s.Sides[us] &^= m.To.Set()
		s.Put(m.To, us, PowersOf(m.Role))
		return
	}
	if m.To == m.From+16 || m.From == m.To+16 {
		skipped := (m.From + m.To) / 2
		if PawnCaptures(us, skipped)&s.Pawns&s.Sides[us^1] != 0 {
			s.EnPassant = skipped
		}
	}
}

// Forward is a set one rank further for c; what leaves the board is gone.
func Forward(c rules.Color, set rules.Set) rules.Set {
	if c == rules.White {
		return set << 8
	}
	return set >> 8
}

// Backward is a set one rank nearer to c's own side.
func Backward(c rules.Color, set rules.Set) rules.Set { return Forward(c^1, set) }

// HomeRank are the squares on which c's pieces start.
func HomeRank(c rules.Color) rules.Set { return 0xff << (56 * (c & 1)) }

// CastlingRook is how the rook goes when a king castles to that square.
func CastlingRook(king rules.Square) (from, to rules.Square) {
	if king&7 == 6 {
		return king + 1, king - 1
	}
	return king - 2, king + 1
}

// CastlingTarget is the square to which a king castles with a rook.
func CastlingTarget(king, rook rules.Square) rules.Square {
	if rook > king {
		return king + 2
	}
	return king - 2
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement), setup)
}

// RenewAs is Renew for a game that tells the roles itself, and which squares may have changed.
func (s *State) RenewAs(role func(rules.Square) rules.Role, changed rules.Set, setup *rules.Setup) rules.Set {
	setup.Turn, setup.Castling, setup.EnPassant = s.Turn, s.Castling, s.EnPassant
	setup.HalfMoves, setup.FullMove = int(s.HalfMoves), int(s.FullMove)
	setup.Renew(changed, s.Sides[rules.White], s.Sides[rules.Black], role)
	return changed
}

// Guarded reports whether the other side could capture on m.To after m.
func (s *State) Guarded(m rules.Move) bool {
	return s.Attacked(m.To, s.Turn, ^m.To.Set(), s.Occupied()&^m.From.Set()|m.To.Set())
}
