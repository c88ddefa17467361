// Package combination is Combination Chess: pieces that lend their moves to the friends
// around them, on a board of 39 squares.
//
// King, bishop, rook and knight go as in chess, a pawn one step ahead, capturing one
// step diagonally ahead. Amplifier and isolator leap exactly two squares straight,
// over anything. There is no castling, no double step, no en passant and no promotion.
// Sliders stop at the board's edge and at its holes.
//
// # Zones
//
// A piece in the zone of a friend adds that friend's own moves to its own, never what
// the friend itself has borrowed. The zone of a bishop are the four squares straight
// beside it, of a rook the four diagonally beside it, of a knight the four two squares
// straight away, of an amplifier or isolator the eight around it. Kings and pawns
// borrow, and lend nothing.
//
// A bishop, rook or knight in the zone of its amplifier lends to the eight squares
// around itself too. In the zone of an enemy isolator it lends nothing, amplified or
// not, and keeps its own moves and what it borrows. Isolators do not affect each
// other.
//
// # Annihilation
//
// If after a move an amplifier and an enemy isolator are neighbours, both vanish with
// all that stands around either, several pairs at once. Nobody may so remove their
// own king. Whoever removes the enemy's has won, even if their own is left in check. The
// threat of it is no check.
//
// # The king
//
// It borrows like any piece, but on a borrowed line it crosses no threatened square. The
// check that its borrowed moves give knows no such limit.
//
// # Where the author is silent
//
//   - What a piece may do is judged on the board before the move; whether its king is in
//     check then, on the board after it.
//   - The author's list of initial influences leaves out the amplifier at the king and
//     the bishop, which its zone covers by the author's own definition. It does so here.
//   - The author says that a king may never move "through a square that is threatened". The
//     square is threatened if the king, put there and off its own square, would be in
//     check. Leaps cross nothing, and one way that is allowed is enough.
//   - Whoever annihilates the enemy's king need not ask for their own: the game is over.
//   - A pawn's borrowed moves set the half-move clock to 0 as its own do, and so does
//     an annihilation. Pawns may stand on any rank.
//   - Two bare kings draw. One piece more may mate, since it lends the king its move.
//   - In a FEN a missing king reads as annihilated, and an amplifier beside an enemy
//     isolator is refused.
//
// # Design
//
// Zones are found all at once by shifting sets of pieces, so a position has, for each side, the few sets of pieces with
// each power. From there on, attacks and pins are those of chess.
//
// A move changes the powers of the enemy's pieces in three ways only: it captures a lender, which removes powers; an
// isolator comes, which also removes some, or goes; or it annihilates. Such moves are played and tested; for all others,
// checks and pins decide whether they are legal (moves.go).
package combination

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// The roles, in the order of the piece table.
const (
	Pawn rules.Role = iota + 1
	Knight
	Bishop
	Rook
	Amplifier
	Isolator
	King
)

const start = "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1"

// table is the table of pieces.
//
//nolint:gochecknoglobals // never written
var table = rules.Table{
	Pawn:      {Code: "P", Name: "pawn", Glyph: "pawn", Worth: 1, Pawn: true, Noun: rules.Book().Say("pawn"), Does: book.Say("does.pawn")},
	Knight:    {Code: "N", Name: "knight", Glyph: "knight", Worth: 2, Noun: rules.Book().Say("knight"), Does: book.Say("does.knight")},
	Bishop:    {Code: "B", Name: "bishop", Glyph: "bishop", Worth: 2, Noun: rules.Book().Say("bishop"), Does: book.Say("does.bishop")},
	Rook:      {Code: "R", Name: "rook", Glyph: "rook", Worth: 3, Noun: rules.Book().Say("rook"), Does: book.Say("does.rook")},
	Amplifier: {Code: "A", Name: "amplifier", Glyph: "amplifier", Worth: 2, Noun: book.Say("amplifier"), Does: book.Say("does.amplifier")},
	Isolator:  {Code: "I", Name: "isolator", Glyph: "isolator", Worth: 2, Noun: book.Say("isolator"), Does: book.Say("does.isolator")},
	King:      {Code: "K", Name: "king", Glyph: "king", Royal: true, Noun: rules.Book().Say("king"), Does: book.Say("does.king")},
}

// Combination is the game of Combination Chess.
func Combination() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "combination", Name: "Combination Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Notation: book.Say("notation"),
		Start: start, Shape: board, Table: table, Files: files.ReadFile,
	}, (*State).load)
}

// The board has 39 squares: the fifth rank has the files a to g, the first and the
// last have d alone, all others b to f.
func outline() *rules.Shape {
	const corners, narrow, wide = 1 << 3, 0x3e, 0x7f
	shape := rules.NewShape(7, 9)
	shape.Squares = 0
	for rank, files := range [9]rules.Set{corners, narrow, narrow, narrow, wide, narrow, narrow, narrow, corners} {
		shape.Squares |= files << (7 * rank)
	}
	return shape
}

// The squares that pieces reach from each square. Sliders stop at the board's edge and at holes; leaps need only the
// square they end on.
//
//nolint:gochecknoglobals // built once, never written
var (
	board      = outline()
	rays       = fide.NewRays(board)
	around     = fide.Leaps(board, [2]int{0, 1}, [2]int{1, 1})
	leaps      = fide.Leaps(board, [2]int{0, 2})
	knights    = fide.Leaps(board, [2]int{1, 2})
	ahead      = fide.Ahead(board, 0)
	takes      = fide.Ahead(board, 1)
	between, _ = rays.Spans()
)

// Sets of squares are moved by shifting, seven to a rank. Squares off the board or in holes stay in the result, so it
// has to be intersected with pieces.
const (
	fileA rules.Set = 1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35 | 1<<42 | 1<<49 | 1<<56
	fileB           = fileA << 1
	fileF           = fileA << 5
	fileG           = fileA << 6
)

// straight are the squares one step straight from those of a set.
func straight(set rules.Set) rules.Set {
	return set<<7 | set>>7 | set&^fileG<<1 | set&^fileA>>1
}

// aslant are the squares one step diagonally from those of a set.
func aslant(set rules.Set) rules.Set {
	set = set<<7 | set>>7
	return set&^fileG<<1 | set&^fileA>>1
}

// far are the squares two steps straight from those of a set.
func far(set rules.Set) rules.Set {
	return set<<14 | set>>14 | set&^(fileF|fileG)<<2 | set&^(fileA|fileB)>>2
}

// near are the squares of a set and all those around them.
func near(set rules.Set) rules.Set {
	set |= set&^fileG<<1 | set&^fileA>>1
	return set | set<<7 | set>>7
}

func at(sq rules.Square) string { return board.Name(sq) }

// State is a position.
type State struct{ fide.Roles }

// king is the square of c's king, NoSquare if it has been annihilated.
func (s *State) king(c rules.Color) rules.Square { return s.Of(c, King).First() }

// bothKings reports whether no king has been annihilated.
func (s *State) bothKings() bool { return s.Pieces[King].Len() == 2 }

// load reads a Setup into an empty State, and refuses positions that no game leads to and no rule covers. A king may be
// missing: it was annihilated, and then the other may be in check.
func (s *State) load(setup rules.Setup) error {
	if err := s.Load(setup, King, "There is no castling here, so the castling field of a FEN is always -."); err != nil {
		return err
	}
	for _, c := range [...]rules.Color{rules.White, rules.Black} {
		for amplifier := range s.Of(c, Amplifier).Squares() {
			if isolators := around[amplifier] & s.Of(c.Other(), Isolator); isolators != 0 {
				return rules.BadFENf("The amplifier on %s cannot stand beside the enemy isolator on %s: they would have annihilated each other.",
					at(amplifier), at(isolators.First()))
			}
		}
	}
	other := s.Turn.Other()
	if checkers := s.checkers(other); checkers != 0 {
		return rules.BadFENf("%s is to move, so %s may not be in check, but the %s gives it.", s.Turn, other, s.on(checkers.First()))
	}
	return nil
}

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	*next = *s
	next.Roles.Play(m, s.Sides[s.Turn&1^1]&m.To.Set())
	if blast := s.blast(m); blast != 0 {
		next.HalfMoves = 0
		next.Sides[0] &^= blast
		next.Sides[1] &^= blast
		for r := range next.Pieces {
			next.Pieces[r] &^= blast
		}
	}
}

// Final reports whether m removes anything: pawns can come back by borrowed moves.
func (s *State) Final(m rules.Move) bool {
	return s.Sides[s.Turn&1^1]&m.To.Set() != 0 || s.blast(m) != 0
}

// Status is the position's, given the number of its legal moves. A lone knight, bishop, amplifier or isolator can mate
// here by lending to its king, so too few pieces means two bare kings.
func (s *State) Status(moves int) rules.Status {
	if !s.bothKings() {
		return rules.KingTaken
	}
	return rules.StatusOf(moves, s.Occupied() == s.Pieces[King], s.Checkers)
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}

// Blasters are the mover's amplifiers and isolators, if the other side has counterparts that they could meet.
func (s *State) Blasters() (set rules.Set) {
	us := s.Turn & 1
	if s.Of(us^1, Isolator) != 0 {
		set = s.Of(us, Amplifier)
	}
	if s.Of(us^1, Amplifier) != 0 {
		set |= s.Of(us, Isolator)
	}
	return set
}

// Blasts reports whether m annihilates.
func (s *State) Blasts(m rules.Move) bool { return s.blast(m) != 0 }

// Guarded reports whether the other side could capture on m.To after m, with the powers that it has before m.
func (s *State) Guarded(m rules.Move) bool {
	us := s.Turn & 1
	enemy := s.powers(us ^ 1)
	return s.attackers(m.To, us, &enemy, s.Occupied()&^m.From.Set()|m.To.Set())&^m.To.Set() != 0
}

// Effects is what m makes happen, and who lends it. Annihilated pieces come last, in order of file, then rank; the piece
// that moved is among them.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	effects, on := fide.StepEffects(setup, m), &setup.Board
	if from := s.lender(m.From, m.To, s.pawnMoves(s.Turn&1, m.From)); from != rules.NoSquare {
		effects = append(effects, rules.Effect{Kind: rules.Lent, From: from, To: m.To, Piece: on[from]})
	}
	on[m.From], on[m.To] = rules.Piece{}, on[m.From]
	for _, sq := range board.ByFile(s.blast(m)) {
		if on[sq] != (rules.Piece{}) {
			effects = append(effects, rules.Effect{Kind: rules.Annihilated, From: m.To, To: sq, Piece: on[sq]})
		}
	}
	return effects
}
