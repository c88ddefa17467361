// Package knightmare is Combining Knightmare Chess: orthodox chess in which two
// enemy pieces that meet become one piece of both sides.
//
// The rulebook in short. Knights, bishops, rooks and queens are regular pieces. A
// regular piece that captures an enemy regular piece does not remove it: the two
// become a knightmare, which each side moves as its own part of it. Every other
// capture removes: by or of a pawn, by a king, by or of a knightmare (both its parts
// go). The knightmare that was just formed or moved is frozen for the very next
// ply. A knightmare gives check to each king by the other side's part, frozen or
// not, so that joining a checking piece does not lift its check.
//
// Where the author is silent, this was chosen:
//   - a knightmare never captures a plain piece of the side that moves it, and either
//     side may capture any knightmare, also one with a part of its own;
//   - a player may not move a knightmare to where its enemy part attacks their own
//     king, nor join the enemy piece that pins the one that would join it;
//   - a rook that became part of a knightmare has lost castling for good;
//   - a birth sets the half-move clock to 0, as the capture it is; a knightmare's
//     quiet move raises it;
//   - half of a knightmare is no knight and no bishop for the draw by too few pieces;
//   - a FEN may name both a frozen knightmare and an en-passant square, though no one
//     ply makes both.
//
// # Design
//
// [State] holds the board as the side to move sees it. For that side a knightmare is an enemy piece, with the powers of
// its enemy part, so it is among the enemy's pieces in the orthodox [chimera/rules/fide.State], whose attacks, pins,
// castling and en passant are then right as they are. The powers of the mover's own parts are kept beside it, and Play
// exchanges the two as the turn passes. A board without a knightmare costs no more than orthodox chess.
package knightmare

import (
	"embed"
	"slices"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

const start = fide.Start + " -"

// Knightmare is the game.
func Knightmare() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "knightmare", Name: "Combining Knightmare Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Notation: book.Say("notation"), Start: start,
		Shape: fide.Shape(), Table: fide.Pieces(), Shared: book.Say("knightmare-of"), Fields: []string{"frozen square"}, Files: files.ReadFile,
	}, (*State).load)
}

// State is a position, as the side to move sees it: "for both sides a knightmare
// counts as an enemy piece in the way". In the orthodox State, all knightmares
// are the enemy's, with the powers of their enemy parts.
type State struct {
	fide.State
	shared rules.Set    // the knightmares
	own    fide.Powered // what the mover's parts of them can do
	frozen rules.Square // the knightmare that may not move now, or NoSquare
}

// regulars are the single knights, bishops, rooks and queens of both sides.
func (s *State) regulars() rules.Set {
	return s.Occupied() &^ s.shared &^ s.Pawns &^ s.Kings
}

// births reports whether a move from one square to another makes a knightmare: a
// regular piece captures an enemy regular piece.
func (s *State) births(from, to rules.Square) bool {
	regulars := s.regulars()
	return regulars.Has(from) && (regulars & s.Sides[s.Turn&1^1]).Has(to)
}

// Frozen is the square of the knightmare that may not move now, if there is one.
func (s *State) Frozen() rules.Set { return s.frozen.Set() }

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	next.shared, next.own, next.frozen = s.shared, s.own, rules.NoSquare
	if s.shared.Has(m.From) {
		next.haul(s, m.From, m.To)
		return
	}
	s.State.Play(m, &next.State)
	if s.shared != 0 {
		next.drop(m.To.Set())
		next.swap()
	}
	// The captured piece is gone from next.State, and the capturer is an enemy to the next mover, as the new knightmare
	// has to be.
	if s.births(m.From, m.To) {
		set := m.To.Set()
		next.shared |= set
		next.own.Knights |= s.Knights & set // the part that was there before
		next.own.Diagonals |= s.Diagonals & set
		next.own.Orthogonals |= s.Orthogonals & set
		next.frozen = m.To
	}
}

// haul moves a knightmare, and removes what it captures: the enemy's piece, or
// another knightmare.
func (s *State) haul(before *State, from, to rules.Square) {
	s.State = before.State
	s.State.Pass()
	them := before.Turn&1 ^ 1
	if s.Sides[them].Has(to) {
		s.Remove(to.Set())
		s.drop(to.Set())
		s.HalfMoves = 0
	}
	for _, set := range [...]*rules.Set{
		&s.Sides[them], &s.shared,
		&s.Knights, &s.Diagonals, &s.Orthogonals,
		&s.own.Knights, &s.own.Diagonals, &s.own.Orthogonals,
	} {
		if set.Has(from) {
			*set ^= from.Set() | to.Set()
		}
	}
	s.frozen = to
	s.swap()
}

// drop removes the knightmares on the squares of a set.
func (s *State) drop(set rules.Set) {
	s.shared &^= set
	s.own.Remove(set)
}

// swap moves the knightmares from the enemies of one side to those of the other: the mover's part becomes the enemy's.
func (s *State) swap() {
	us := s.Turn & 1
	s.Sides[us] &^= s.shared
	s.Sides[us^1] |= s.shared
	was := fide.Powered{Knights: s.Knights & s.shared, Diagonals: s.Diagonals & s.shared, Orthogonals: s.Orthogonals & s.shared}
	s.Knights = s.Knights&^s.shared | s.own.Knights
	s.Diagonals = s.Diagonals&^s.shared | s.own.Diagonals
	s.Orthogonals = s.Orthogonals&^s.shared | s.own.Orthogonals
	s.own = was
}

// Status is the position's, given the number of its legal moves. A knightmare keeps
// either king from being bare, and is no plain knight or bishop.
func (s *State) Status(moves int) rules.Status {
	if s.shared == 0 {
		return s.State.Status(moves)
	}
	return rules.StatusOf(moves, false, s.Checkers)
}

// Effects is what m makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	if !s.births(m.From, m.To) {
		return fide.StepEffects(setup, m)
	}
	piece, enemy := setup.Board[m.From], setup.Board[m.To]
	into := rules.Piece{White: piece.White | enemy.White, Black: piece.Black | enemy.Black}
	return []rules.Effect{
		{Kind: rules.Born, From: m.From, To: m.To, Piece: enemy, Into: into},
		{Kind: rules.Moved, From: m.From, To: m.To, Piece: piece},
	}
}

// Pass ends the mover's turn without a move.
func (s *State) Pass() {
	s.frozen = rules.NoSquare
	s.State.Pass()
	s.swap()
}

// Renew makes *setup, which is before's, that of s, and returns the squares that may have
// changed: the two sides see each knightmare differently.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	changed := s.RenewAs(s.Role, s.Changed(&before.Placement)|s.shared|before.shared, setup)
	s.unloadShared(setup)
	return changed
}

// load reads a Setup into an empty State. Errors are [*rules.BadFEN].
func (s *State) load(setup rules.Setup) error {
	s.frozen = rules.NoSquare
	if own := setup.Own; own != "" && own != "-" {
		if s.frozen = fide.Shape().Parse(own); s.frozen == rules.NoSquare {
			return rules.BadFENf("The frozen field of a FEN is a square or -, not %q.", own)
		}
	}
	board := setup.Board // a copy without the mover's parts
	for sq := range fide.Shape().Squares.Squares() {
		piece := board[sq]
		if !piece.Shared() {
			continue
		}
		if !regular(piece.White) || !regular(piece.Black) {
			return rules.BadFENf("The piece on %s cannot be a knightmare: only knights, bishops, rooks and queens become one.", at(sq))
		}
		s.shared |= sq.Set()
		s.own.Add(sq, fide.PowersOf(piece.Half(setup.Turn)))
		board[sq] = rules.PieceOf(setup.Turn.Other(), piece.Half(setup.Turn.Other()))
	}
	if s.frozen != rules.NoSquare && !s.shared.Has(s.frozen) {
		return rules.BadFENf("The frozen square %s holds no knightmare.", at(s.frozen))
	}
	if rooks := setup.Castling & s.shared; rooks != 0 {
		return rules.BadFENf("Castling with the rook on %s is over: it is part of a knightmare.", at(rooks.First()))
	}
	setup.Board = board
	if err := s.Load(setup, nil); err != nil {
		return err
	}
	// The orthodox State does not see a check by the mover's part of a knightmare to the other side's king.
	other := s.Turn.Other()
	king := s.KingOf(other).Set()
	for from := range s.shared.Squares() {
		if s.ownReach(from)&king != 0 {
			return rules.BadFENf("%s is to move, so %s may not be in check from the knightmare on %s.", s.Turn, other, at(from))
		}
	}
	return nil
}

// regular reports whether a piece of that role may become part of a knightmare.
func regular(r rules.Role) bool { return r >= fide.Knight && r <= fide.Queen }

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup {
	setup := s.Unload(s.Role)
	s.unloadShared(&setup)
	return setup
}

// unloadShared adds to an orthodox Setup the mover's parts of the knightmares, and which
// of them is frozen.
func (s *State) unloadShared(setup *rules.Setup) {
	setup.Own = names[s.frozen]
	for shared := s.shared; shared != 0; shared = shared.Rest() {
		sq := shared.First()
		if part := s.own.Regular(sq); s.Turn == rules.White {
			setup.Board[sq].White = part
		} else {
			setup.Board[sq].Black = part
		}
	}
}

// names are the names of the squares, and of none.
var names = squareNames() //nolint:gochecknoglobals // built once, never written

func squareNames() (names [rules.NoSquare + 1]string) {
	for sq := range names {
		names[sq] = fide.Shape().Name(rules.Square(sq))
	}
	return names
}

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	first := len(buf)
	buf = s.MovesIn(&d, s.Attacked, buf)
	if d.Checkers|d.Pinned != 0 {
		// The new knightmare would give check by its enemy part.
		left := slices.DeleteFunc(buf[first:], func(m rules.Move) bool { return s.keepsCheck(&d, m.From, m.To) })
		buf = buf[:first+len(left)]
	}
	for pieces := s.shared &^ s.frozen.Set(); pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		buf = rules.AppendSteps(buf, from, s.ownReach(from)&^s.Sides[s.Turn&1]&s.sharedSafe(d.King, from), 0)
	}
	return buf
}

// keepsCheck reports whether a move that would be legal as an ordinary capture is a birth that leaves the mover in
// check: "taking a checking regular piece with a regular piece does not lift its check". A pinned piece that captures
// has captured the one that pins it, whose line is then open.
func (s *State) keepsCheck(d *fide.Danger, from, to rules.Square) bool {
	return (d.Checkers.Has(to) || d.Pinned.Has(from)) && s.births(from, to)
}

// ownReach are the squares that the mover's part of the knightmare on from
// reaches, the first piece in each direction included.
func (s *State) ownReach(from rules.Square) rules.Set {
	return s.own.Slides(from, from, s.Occupied())
}

// sharedSafe are the squares to which the knightmare on from can go with the mover's king safe there. The knightmare
// may itself give check, or be pinned, so attacks on the king are found with it off the board.
func (s *State) sharedSafe(king, from rules.Square) rules.Set {
	lifted := s.Occupied() &^ from.Set()
	enemies := s.Sides[s.Turn&1^1] &^ from.Set()
	safe := ^s.enemyReach(king, from)
	switch checkers := s.Attackers(king, s.Turn, lifted) & enemies; {
	case checkers == 0:
		return safe
	case checkers.Rest() == 0:
		return safe & (fide.Between(king, checkers.First()) | checkers)
	}
	return 0 // no piece blocks two checks
}

// enemyReach are the squares from which the enemy part of the knightmare on from,
// lifted off its square, would attack the king.
func (s *State) enemyReach(king, from rules.Square) rules.Set {
	return s.Slides(from, king, s.Occupied()&^from.Set())
}
