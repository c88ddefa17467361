package fide

import "chimera/rules"

// Load reads a Setup into an empty State. Roles up to King are its own; others,
// and which roles are left out here, are for the game: extra places a piece of a
// role above King. Errors are [*rules.BadFEN].
func (s *State) Load(setup rules.Setup, extra func(sq rules.Square, c rules.Color, r rules.Role)) error {
	*s = State{
		EnPassant: rules.NoSquare, Turn: setup.Turn, Castling: setup.Castling,
		HalfMoves: uint32(setup.HalfMoves), FullMove: uint32(setup.FullMove),
	}
	for sq := range board.Squares.Squares() {
		for _, c := range [...]rules.Color{rules.White, rules.Black} {
			role := setup.Board[sq].Half(c)
			if role > King {
				extra(sq, c, role)
			} else if role != rules.NoRole {
				s.Put(sq, c, PowersOf(role))
			}
			switch role {
			case King:
				s.Kings |= sq.Set()
			case Pawn:
				s.Pawns |= sq.Set()
			default:
			}
		}
	}
	if err := s.validate(&setup.Board); err != nil {
		return err
	}
	return s.loadEnPassant(setup.EnPassant)
}

func (s *State) validate(pieces *rules.Board) error {
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		if n := (s.Kings & s.Sides[c]).Len(); n != 1 {
			return rules.BadFENf("Each side needs one king; %s has %d.", c, n)
		}
	}
	if wrong := s.Pawns & (HomeRank(rules.White) | HomeRank(rules.Black)); wrong != 0 {
		return rules.BadFENf("A pawn cannot stand on %s, a first or last rank.", board.Name(wrong.First()))
	}
	for rook := range s.Castling.Squares() {
		c := rules.Color(rook / 32)
		if pieces[rook] != rules.PieceOf(c, Rook) || pieces[HomeKing(c)] != rules.PieceOf(c, King) {
			return rules.BadFENf("Castling with the rook on %s needs king and rook at home.", board.Name(rook))
		}
	}
	other := s.Turn.Other()
	if s.Attacked(s.KingOf(other), other, ^rules.Set(0), s.Occupied()) {
		return rules.BadFENf("%s is to move, so %s may not be in check.", s.Turn, other)
	}
	return nil
}

// loadEnPassant accepts any square that a double step can just have crossed, and
// keeps it if an enemy pawn stands ready to capture there.
func (s *State) loadEnPassant(sq rules.Square) error {
	if sq == rules.NoSquare {
		return nil
	}
	us := s.Turn & 1
	them := us ^ 1
	pawn, home := Forward(them, sq.Set()), Backward(them, sq.Set())
	third := Forward(them, Forward(them, HomeRank(them)))
	if sq.Set()&third == 0 || pawn&s.Pawns&s.Sides[them] == 0 || (sq.Set()|home)&s.Occupied() != 0 {
		return rules.BadFENf("No pawn can just have skipped the en-passant square %s.", board.Name(sq))
	}
	if PawnCaptures(them, sq)&s.Pawns&s.Sides[us] != 0 {
		s.EnPassant = sq
	}
	return nil
}

// Unload is the Setup that Load reads, with each piece's role as the game tells it.
func (s *State) Unload(role func(rules.Square) rules.Role) rules.Setup {
	setup := rules.Setup{
		Turn: s.Turn, Castling: s.Castling, EnPassant: s.EnPassant,
		HalfMoves: int(s.HalfMoves), FullMove: int(s.FullMove),
	}
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		for sq := range s.Sides[c].Squares() {
			setup.Board[sq] = rules.PieceOf(c, role(sq))
		}
	}
	return setup
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup { return s.Unload(s.Role) }
