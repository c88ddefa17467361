package fide

import "chimera/rules"

// Roles is a position kept as a set of squares for each side and each role: the base of games whose
// pieces do not move by the powers of chess. Their pawn is role 1.
type Roles struct {
	Sides     [2]rules.Set // by Color
	Pieces    [8]rules.Set // by Role, of both sides
	Turn      rules.Color
	HalfMoves uint32
	FullMove  uint32
}

// Occupied are the squares with a piece.
func (s *Roles) Occupied() rules.Set { return s.Sides[0] | s.Sides[1] }

// Of are the pieces of one role and side.
func (s *Roles) Of(c rules.Color, r rules.Role) rules.Set { return s.Pieces[r&7] & s.Sides[c&1] }

// Role is what stands on sq, rules.NoRole on an empty square.
func (s *Roles) Role(sq rules.Square) rules.Role {
	p := &s.Pieces // the bits of the role, each from the sets of the roles that have it
	return rules.Role((p[1]|p[3]|p[5]|p[7])>>sq&1 | (p[2]|p[3]|p[6]|p[7])>>sq&1<<1 | (p[4]|p[5]|p[6]|p[7])>>sq&1<<2)
}

// Owner is the owner of the piece on a square, which must not be empty.
func (s *Roles) Owner(sq rules.Square) rules.Color { return OwnerOf(&s.Sides, sq) }

// OwnerOf is Owner for sets of pieces by color.
func OwnerOf(sides *[2]rules.Set, sq rules.Square) rules.Color {
	return rules.Color(sides[rules.Black] >> (sq & 63) & 1)
}

// Load reads a Setup into empty Roles, of a game in which the king of that role may be missing, and which has no
// castling rights; castling is the sentence for a FEN that claims some. Errors are [*rules.BadFEN].
func (s *Roles) Load(setup rules.Setup, king rules.Role, castling string) error {
	s.Turn, s.HalfMoves, s.FullMove = setup.Turn, uint32(setup.HalfMoves), uint32(setup.FullMove)
	for sq, piece := range setup.Board {
		for c := range rules.Color(2) {
			if role := piece.Half(c); role != rules.NoRole {
				s.Pieces[role] |= rules.Square(sq).Set()
				s.Sides[c] |= rules.Square(sq).Set()
			}
		}
	}
	if setup.Castling != 0 {
		return &rules.BadFEN{Sentence: castling}
	}
	if setup.EnPassant != rules.NoSquare {
		return rules.BadFENf("There is no en passant here, so the en-passant field of a FEN is always -.")
	}
	for c := range rules.Color(2) {
		if n := s.Of(c, king).Len(); n > 1 {
			return rules.BadFENf("A side has one king at most; %s has %d.", c, n)
		}
	}
	return nil
}

// Setup is the position as a FEN says it.
func (s *Roles) Setup() rules.Setup {
	setup := rules.Setup{EnPassant: rules.NoSquare}
	s.Renew(&Roles{}, &setup)
	return setup
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed. No piece
// may become another on the square where it stands.
func (s *Roles) Renew(before *Roles, setup *rules.Setup) rules.Set {
	changed := (s.Sides[0] ^ before.Sides[0]) | (s.Sides[1] ^ before.Sides[1])
	setup.Turn, setup.HalfMoves, setup.FullMove = s.Turn, int(s.HalfMoves), int(s.FullMove)
	setup.Renew(changed, s.Sides[rules.White], s.Sides[rules.Black], s.Role)
	return changed
}

// Pass ends the mover's turn.
func (s *Roles) Pass() {
	s.FullMove += uint32(s.Turn)
	s.Turn = s.Turn.Other()
	s.HalfMoves++
}

// Play moves the piece of m, ends the turn, and removes what stands on the squares of dead.
func (s *Roles) Play(m rules.Move, dead rules.Set) {
	us, from := s.Turn&1, m.From.Set()
	s.Pass()
	if dead != 0 || s.Pieces[Pawn]&from != 0 {
		s.HalfMoves = 0
	}
	both := from ^ m.To.Set() // empty if a piece ends where it began
	for r := range s.Pieces {
		pieces := s.Pieces[r] &^ dead
		s.Pieces[r] = pieces ^ both&-(pieces>>(m.From&63)&1)
	}
	s.Sides[us] ^= both
	s.Sides[us^1] &^= dead
}
