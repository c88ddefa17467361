// Package fide is orthodox chess by FIDE's Laws, as a game and as parts that other games borrow: rays and leaps over
// any board, and a placement of pieces by their powers (placement.go), attacks, pins, checks and the legal moves
// (moves.go), and why a move is illegal (refuse.go).
//
// # Design
//
// [Placement] keeps one set of squares for each power (leaping as a knight, sliding along ranks and files, sliding
// along diagonals), not one for each kind of piece: a queen slides both ways, and in a game that combines pieces, a
// piece is in as many sets as it has powers. So the same few lines find attacks and moves of any such piece, at no more
// than a queen's cost.
//
// Slides are looked up by obstruction difference, one line at a time: the masks below and above a square are the only
// tables, and they serve boards of any shape.
package fide

import (
	"embed"

	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Start is the array of orthodox chess.
const Start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Pieces are the rows of a piece table for the orthodox roles.
func Pieces() rules.Table {
	return rules.Table{
		Pawn:   {Code: "P", Name: "pawn", Glyph: "pawn", Worth: 1, Pawn: true, Noun: rules.Book().Say("pawn"), Does: book.Say("does.pawn")},
		Knight: {Code: "N", Name: "knight", Glyph: "knight", Worth: 3, Noun: rules.Book().Say("knight"), Does: book.Say("does.knight")},
		Bishop: {Code: "B", Name: "bishop", Glyph: "bishop", Worth: 3, Noun: rules.Book().Say("bishop"), Does: book.Say("does.bishop")},
		Rook:   {Code: "R", Name: "rook", Glyph: "rook", Worth: 5, Noun: rules.Book().Say("rook"), Does: book.Say("does.rook")},
		Queen:  {Code: "Q", Name: "queen", Glyph: "queen", Worth: 9, Noun: rules.Book().Say("queen"), Does: book.Say("does.queen")},
		King:   {Code: "K", Name: "king", Glyph: "king", Royal: true, Noun: rules.Book().Say("king"), Does: book.Say("does.king")},
	}
}

// Chess is the game of orthodox chess.
func Chess() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "chess", Name: "Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"),
		Start: Start, Shape: Shape(), Table: Pieces(), Files: files.ReadFile,
	}, func(s *State, setup rules.Setup) error { return s.Load(setup, nil) })
}

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

// Final reports whether m captures or moves a pawn, so that the past cannot come again.
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

// CastlingRook is the rook's move when a king castles to that square.
func CastlingRook(king rules.Square) (from, to rules.Square) {
	if king&7 == 6 {
		return king + 1, king - 1
	}
	return king - 2, king + 1
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement), setup)
}

// RenewAs is Renew for a game with its own roles, which may have changed only on the given squares.
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

// Load reads a Setup into an empty State. It places roles up to King itself; extra places a piece of a role above it.
// Whether the game has all these roles is for the game to check. Errors are [*rules.BadFEN].
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

// Unload reverses Load, with each square's role given by the game.
func (s *State) Unload(role func(rules.Square) rules.Role) (setup rules.Setup) {
	s.RenewAs(role, s.Occupied(), &setup)
	return setup
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup { return s.Unload(s.Role) }

// Effects is what a legal Step or Castle makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect { return StepEffects(s.Setup(), m) }

// StepEffects is what a Step or Castle of orthodox chess, legal in the position
// of the Setup, makes happen, whichever piece makes it.
func StepEffects(s rules.Setup, m rules.Move) (effects []rules.Effect) {
	piece, taken := s.Board[m.From], m.To
	if pawn := piece == rules.PieceOf(s.Turn, Pawn); pawn && m.To == s.EnPassant {
		taken = Backward(s.Turn, m.To.Set()).First()
	}
	if victim := s.Board[taken]; victim != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: taken, Piece: victim})
	}
	effects = append(effects, rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: piece})
	if m.Act == rules.Castle {
		from, to := CastlingRook(m.To)
		effects = append(effects, rules.Effect{Kind: rules.Castled, From: from, To: to, Piece: s.Board[from]})
	} else if m.Role != rules.NoRole {
		effects = append(effects, rules.Effect{Kind: rules.Promoted, From: m.To, To: m.To, Piece: piece, Into: rules.PieceOf(s.Turn, m.Role)})
	}
	return effects
}

// Status is the position's, given the number of its legal moves.
func (s *State) Status(moves int) rules.Status { return rules.StatusOf(moves, s.Few(0), s.Checkers) }

// Few reports whether too few pieces are left to mate: a bare king against a king with at most one plain knight or
// bishop; pieces in odd are not plain.
func (s *State) Few(odd rules.Set) bool {
	light := (s.Knights ^ s.Diagonals) &^ s.Orthogonals &^ odd
	pieces := s.Occupied().Len()
	return pieces == 2 || pieces == 3 && light.Len() == 1
}
