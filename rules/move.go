package rules

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
	"strings"
)

// Act is the kind of thing a player does in a turn.
type Act uint8

// The acts of all games.
const (
	Step   Act = iota // a piece moves, captures, fires, promotes
	Castle            // king and rook; From and To are the king's
	Merge             // the pieces on From and To become one, on To
	Rally             // the pieces on From and With become one, on To
	Split             // the part Role of the piece on From leaves for To
)

// Move is one legal thing to do, comparable and the same for all games. Different ways to one outcome are one Move.
type Move struct {
	Act   Act
	Role  Role   // of a Step: what the piece is promoted to; of a Split: the part that leaves
	From  Square // where the acting piece stands; of a Rally: the first by file, then rank
	To    Square // where it ends
	With  Square // of a Rally: where the second piece stands; else 0
	Kills Set    // squares on which something is captured, To excepted
}

// Nearest is the first square of a set that a move along a line reaches.
func (m Move) Nearest(set Set) Square {
	if m.To > m.From || set == 0 {
		return set.First()
	}
	return Square(bits.Len64(uint64(set)) - 1)
}

// Coordinate writes m for machines, as "e2e4", "e7e8q", "b1~c3", "c4+d2~e4",
// "d4/Ne5" or "b1c3xb2xc2". It names one legal move of a position.
func (v *Variant) Coordinate(m Move) string { return string(v.appendCoordinate(nil, m)) }

func (v *Variant) appendCoordinate(b []byte, m Move) []byte {
	b = v.Shape.appendName(b, m.From)
	switch m.Act {
	case Step, Castle:
		b = v.Shape.appendName(b, m.To)
		if m.Role != NoRole {
			b = append(b, strings.ToLower(cmp.Or(v.Table[m.Role].Short, v.Table[m.Role].Code))...)
		}
	case Merge:
		b = v.Shape.appendName(append(b, '~'), m.To)
	case Rally:
		b = v.Shape.appendName(append(b, '+'), m.With)
		b = v.Shape.appendName(append(b, '~'), m.To)
	case Split:
		b = append(append(b, '/'), v.Table[m.Role].Code...)
		b = v.Shape.appendName(b, m.To)
	}
	if m.Kills == 0 {
		return b
	}
	for _, sq := range v.Shape.ByFile(m.Kills) {
		b = v.Shape.appendName(append(b, 'x'), sq)
	}
	return b
}

// AppendSteps appends a Step from one square to each of a set, all with the same kills.
func AppendSteps(buf []Move, from Square, to, kills Set) []Move {
	first := len(buf)
	buf = slices.Grow(buf, to.Len())[:first+to.Len()]
	for i := first; i < len(buf); i++ {
		// Field by field: a Move made elsewhere and copied takes twice as long.
		m := &buf[i]
		*m = Move{}
		m.From, m.To, m.Kills = from, to.First(), kills
		to = to.Rest()
	}
	return buf
}

// EffectKind is the kind of one thing that happened in a turn.
type EffectKind uint8

// The kinds of effects. Announcements, traces and marks are derived from these without knowing the game.
const (
	Moved       EffectKind = iota // Piece went From -> To
	Captured                      // Piece on To was removed by the piece that came from From
	Absorbed                      // Piece on To was captured, and the piece from From became Into
	Born                          // Piece on To and the piece from From became the shared piece Into
	Merged                        // Piece from From went into Into on To (one effect for each part)
	Parted                        // Piece, a part of what stood on From, went to To; Into stays on From
	Shot                          // Piece on To was removed by a piece firing from From
	Annihilated                   // Piece on To was removed by an annihilation around From
	Promoted                      // Piece on To became Into
	Castled                       // the rook Piece went From -> To beside its king
	Lent                          // Piece on From has lent this move to the piece that came to To
)

// String is the name of a kind in small letters.
func (k EffectKind) String() string {
	return [...]string{
		"moved", "captured", "absorbed", "born", "merged", "parted", "shot", "annihilated", "promoted", "castled", "lent",
	}[k]
}

// Captures reports whether a piece on To was captured by one that came there.
func (k EffectKind) Captures() bool { return k == Captured || k == Absorbed || k == Born }

// Taken are the pieces captured that way.
func Taken(effects []Effect) (taken []Piece) {
	for _, e := range effects {
		if e.Kind.Captures() {
			taken = append(taken, e.Piece)
		}
	}
	return taken
}

// Effect is one thing that happened in a turn. From and To are equal if only one square is involved.
type Effect struct {
	Kind        EffectKind
	From, To    Square
	Piece, Into Piece
	Path        Path // of a piece that Moved: where it turned or killed on its way, and To; empty if it went directly
}

// Path is squares in the order in which a piece passes them, one a byte, so that paths can be compared. It does not
// include the starting square.
type Path string

// PathOf is the path over those squares.
func PathOf(squares ...Square) Path { return Path(squares) }

// Squares yields the squares of p in their order.
func (p Path) Squares() iter.Seq[Square] { return slices.Values([]Square(p)) }

// Made are the effects in which a piece became more than it was, one for each such piece: it is Into, on To.
func Made(m Move, effects []Effect) (made []Effect) {
	for _, e := range effects {
		switch e.Kind {
		case Absorbed, Born:
			made = append(made, e)
		case Merged: // one of its two parts is enough
			if e.From == e.To || m.Act == Rally && e.From == m.From {
				made = append(made, e)
			}
		default:
		}
	}
	return made
}
