// Package brigade is Combined Arms Brigade Chess: orthodox pieces as the arms of a
// brigade, and a king that must really be taken.
//
//   - Pawn (infantry): one step in any of the 8 directions, to an empty square or
//     killing there; two straight ahead from its second rank, however it came
//     there. On the last rank it becomes a queen, rook, bishop or knight.
//   - Knight (armor): exactly three orthogonal steps, turning as it likes, squares
//     visited again if it likes, killing every enemy it enters.
//   - Bishop (light artillery): moves as a bishop to empty squares, fires at
//     distance 1 or 2 in the 8 queen directions, over anything; either, or both in
//     either order.
//   - Rook (heavy artillery): moves as a rook to empty squares, or fires at distance
//     3 or 4.
//   - Queen (aviation): flies to any empty square if it likes; then, if it likes, one
//     of a pawn's single step, an armor's three, a bishop's move, a bishop's shot. It
//     enters no square in range of enemy artillery.
//   - King: as in chess. It is never shot, and never passed through.
//
// Castling needs king and rook at home, and nothing else about the past. A side in check must end the check if it can;
// if it cannot, it may play anything, and its king may be taken. A side wins only by that, or by a check that leaves no
// move at all.
//
// # Where the author is silent
//
//   - "Any direction" is read as the eight lines of the queen. There is no en
//     passant: infantry kills by occupying.
//   - "Cannot pass through or end up within enemy artillery's range" is judged step
//     by step: what the queen has killed on its way covers nothing any more. It holds
//     for the king's square too, so artillery beside a king shields it from queens.
//     The square on which the queen stands as its turn begins is not entered by
//     standing there.
//   - "Passing armor through" a king does not kill it; here it cannot be done at all.
//   - Ways with one outcome (the same piece, final square and killed squares) are one
//     move.
//
// # Design
//
// A queen has thousands of ways and a few hundred outcomes, so ways are never listed. A raid (moves.go) finds, for each
// set of pieces that can die on the way, the squares on which it can end, all at once as a set. A piece's own fire
// never covers its own square, so for that square it does not matter whether the piece is dead first.
//
// Whether a move leaves its king in check is mostly known without playing it (moves.go too): pawns, armor and the king
// depend only on which of their own pieces are left, and no queen gets past artillery that covers the king from where a
// raid cannot reach it.
package brigade

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// start is the array of orthodox chess, with the castling field that this game
// always has.
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

// Brigade is the game.
func Brigade() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "brigade", Name: "Combined Arms Brigade Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Notation: book.Say("notation"),
		Start: start, Shape: fide.Shape(), Table: table, Files: files.ReadFile,
	}, (*State).load)
}

// table has the arms of the brigade, each with the letter of the orthodox piece that it replaces.
var table = arms() //nolint:gochecknoglobals // never written

func arms() rules.Table {
	table := fide.Pieces()
	for role := fide.Pawn; role <= fide.King; role++ {
		table[role].Does = book.Say("does." + table[role].Name)
	}
	for role, arm := range map[rules.Role]rules.RoleInfo{
		fide.Pawn:   {Name: "infantry", Glyph: "infantry", Worth: 1},
		fide.Knight: {Name: "tank", Glyph: "armor", Worth: 2},
		fide.Bishop: {Name: "gun", Glyph: "light-gun", Worth: 3},
		fide.Rook:   {Name: "howitzer", Glyph: "howitzer", Worth: 1},
		fide.Queen:  {Name: "plane", Glyph: "aviation", Worth: 6},
	} {
		info := &table[role]
		info.Name, info.Alias, info.Noun, info.Glyph, info.Worth = arm.Name, info.Noun, book.Say(arm.Name), arm.Glyph, arm.Worth
	}
	return table
}

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
	if m.Role != rules.NoRole {
		next.Pieces[fide.Pawn] &^= to
		next.Pieces[m.Role] |= to
	} else if m.Act == rules.Castle {
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
	switch checked := s.Checkers() != 0; {
	case !s.bothKings():
		return rules.KingTaken
	case checked && moves == 0:
		return rules.Checkmate
	case !checked && s.Pieces[fide.Pawn]|s.Pieces[fide.Knight]|s.Pieces[fide.Queen] == 0:
		return rules.Insufficient // nobody can take a king any more
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
