// Package stealth is Stealth Bomber Chess: orthodox chess in which a piece that
// captures another absorbs its powers, and grows into hybrids, stealth bombers
// and worse.
//
// # Powers
//
// A piece is a set of powers: a rook's line (R) and a bishop's line (B), each of
// level 0 to 3, the knight's leap (N), one step orthogonally (W), one step
// diagonally (F), and the flight of the Pegasus (G). A line of level 1 slides as
// in chess. Level 2, stealth, may also leap exactly one piece on its way. Level
// 3, the bomber, may also run: it leaps every friend and captures every enemy on
// the way to any square that no friend holds. G goes one step as a prince and then
// any number of steps outward, in one of the two directions in which a knight's
// move could end, over anything.
//
// A set is called by its letters, a level by repeating the letter, equal levels of
// both lines by Q: RN is the author's General, QQ the Empress. What another power
// includes is dropped: a rook with a prince's powers is RF.
//
// # Captures
//
// A piece that captures a piece becomes, by the first of these that fits: if they
// are the same, that set with its lines a level higher (or, without lines, the
// next of knight or prince, Zebra, Pegasus); the captured one, if it can do all
// that the captor can; itself, if it can do all that the captured one can; both.
//
// A pawn becomes what it captures, and a Captain by capturing a pawn or a Captain:
// one step orthogonally, captures one step diagonally, never promotes. A captured
// pawn or Captain is only removed. So is whatever a king captures.
//
// A pawn that moves to the last rank becomes what stood there at the start, on the
// king's file the Prince (WF), who steps like a king and is none.
//
// # Where the author is silent
//
// The author names some thirty pieces and says that the list is not exhaustive.
// All sets of powers are legal here, and those without a name go by their code.
//
// The author has "Aeroplane + Missile" make an Empress, and later a Conqueror. The second
// is read as the next step of the ladder, B52 + Rocket.
//
// The author says that "Pawns and Captains convert to whatever piece they capture", which
// would turn a captain that captures a pawn into a pawn. It stays a captain, since
// it "loses the Pawn's power to promote". A pawn that captures on the last rank
// becomes what it captures, and is not promoted.
//
// What a run captures is absorbed in order along the way. A king on a bomber's
// line is in check whatever stands between, on a stealth line with at most one
// piece between; the prey need not be worth the flight.
//
// # Design
//
// [State] is an orthodox one in which every piece is in the sets of its orthodox powers, with one more set for each
// power beyond them, and the role on each square. The roles are computed from all sets of powers, and so is what
// becomes of each piece by capturing each, so that playing only looks it up.
package stealth

import (
	"embed"
	"math/bits"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Stealth is the game of Stealth Bomber Chess.
func Stealth() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "stealth", Name: "Stealth Bomber Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Notation: book.Say("notation"),
		Start: fide.Start, Shape: fide.Shape(), Table: roster.table, Files: files.ReadFile,
	}, (*State).load)
}

// State is a position: an orthodox one in which captains and pieces are in the sets of their orthodox powers, with sets
// for the others.
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

// Role is the role on sq, rules.NoRole on an empty square.
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
	if becomes != piece {
		next.Remove(m.To.Set())
		next.put(m.To, s.Turn&1, becomes)
	} else if roster.extra[piece] != 0 {
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

// becomes is the role, after the move m, of the piece that makes it.
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

// Effects is what m makes happen: captures in order along the way, then the move. A run is one effect: if it ends with
// a capture, the piece absorbs there if it has absorbed anything.
func (s *State) Effects(m rules.Move) []rules.Effect {
	prey := s.prey(m)
	if prey == 0 {
		return fide.StepEffects(s.Setup(), m)
	}
	var effects []rules.Effect
	us, start := s.Turn, s.pieces[m.From]
	var path []rules.Square
	for piece := start; prey != 0; {
		sq := m.Nearest(prey)
		prey &^= sq.Set()
		before := piece
		piece = roster.after[piece][s.pieces[sq]]
		e := rules.Effect{Kind: rules.Captured, From: m.From, To: sq, Piece: rules.PieceOf(us.Other(), s.pieces[sq])}
		if piece != before || sq == m.To && piece != start {
			e.Kind, e.Into = rules.Absorbed, rules.PieceOf(us, piece)
		}
		effects = append(effects, e)
		if sq != m.To {
			path = append(path, sq)
		}
	}
	moved := rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: rules.PieceOf(us, start)}
	if m.Kills != 0 {
		moved.Path = rules.PathOf(append(path, m.To)...)
	}
	return append(effects, moved)
}

// Status is the position's, given the number of its legal moves.
func (s *State) Status(moves int) rules.Status {
	return rules.StatusOf(moves, s.Few(s.odd), s.Checkers)
}
