package diagram

import (
	"cmp"

	"chimera/rules"
)

// Mark is one thing shown about a square, or about the way between two.
type Mark struct {
	Kind     MarkKind
	From, To rules.Square // equal where one square is meant
	Piece    rules.Piece  // what was killed, came, left or lends; the zero Piece where it does not matter
	Path     rules.Path   // the way of a piece that Ran, To last
}

// MarkKind is what a Mark says about its squares.
type MarkKind uint8

// The marks.
const (
	Left    MarkKind = iota // something left From in the last move
	Reached                 // something arrived on To in the last move
	Check                   // the king on To is in check
	Killed                  // something on To was removed by a piece from From
	Fired                   // something on To was shot from From
	Joined                  // a part came from From into the piece on To
	Parted                  // a part left From for To
	Blasted                 // something on To was annihilated
	Frozen                  // the piece on To may not move now
	Lent                    // the piece on From lends its powers to To
	Chosen                  // the piece on To is about to move
	Target                  // it can end its move on To
	Aimed                   // it can kill what stands on To
	Merges                  // it can go into what stands on To
	Splits                  // a part of it can go to To
	Ran                     // something came from From to To by Path
	Checker                 // what stands on From gives check to the king on To
	Attacks                 // something on From could kill on To
	Fallen                  // the king on To is lost
	Goes                    // the piece on From could go to To, if that were empty, as its part Piece
	Takes                   // it could capture on To, as its part Piece
	Ranged                  // a gun could shoot at To from where it stands
	Doomed                  // what stands on To could be annihilated
)

// on is a mark about one square.
func on(kind MarkKind, sq rules.Square) Mark { return Mark{Kind: kind, From: sq, To: sq} }

// marks is what is shown of one effect.
func marks(e rules.Effect) []Mark {
	left, reached := on(Left, e.From), on(Reached, e.To)
	switch e.Kind {
	case rules.Moved, rules.Castled:
		if e.Path != "" {
			return []Mark{left, reached, {Kind: Ran, From: e.From, To: e.To, Path: e.Path}}
		}
		return []Mark{left, reached}
	case rules.Captured, rules.Absorbed:
		return []Mark{{Kind: Killed, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Annihilated:
		return []Mark{{Kind: Blasted, From: e.To, To: e.To, Piece: e.Piece}}
	case rules.Shot:
		return []Mark{{Kind: Fired, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Merged, rules.Born:
		if e.From == e.To {
			return []Mark{reached}
		}
		return []Mark{left, reached, {Kind: Joined, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Parted:
		return []Mark{left, reached, {Kind: Parted, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Promoted: // seen from the piece that arrived
	}
	return nil
}

// Marked is the set of squares that have a mark of that kind.
func (d Diagram) Marked(kind MarkKind) rules.Set {
	var set rules.Set
	for _, m := range d.Marks {
		if m.Kind == kind {
			set |= m.To.Set()
		}
	}
	return set
}

// Lender is the side whose powers a mark of kind Lent shows.
func (d Diagram) Lender(m Mark) rules.Color { return SideOf(d.LentBy(m)) }

// LentBy is the piece whose powers such a mark shows.
func (d Diagram) LentBy(m Mark) rules.Piece { return cmp.Or(m.Piece, d.Board[m.From]) }

// SideOf is whose a piece is that is not shared.
func SideOf(p rules.Piece) rules.Color {
	if p.White != rules.NoRole {
		return rules.White
	}
	return rules.Black
}

// Lends reports whether a mark shows a power that the piece on To is lent and does not have by itself.
func (d Diagram) Lends(m Mark) bool {
	side := d.Lender(m)
	lender, borrower := d.LentBy(m).Half(side), d.Board[m.To].Half(side)
	return m.Kind == Lent && (m.From != m.To || m.Piece != rules.Piece{}) && borrower != rules.NoRole && borrower != lender
}
