package rules

import (
	"cmp"
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

// Move is one legal thing to do, comparable and the same for all games. Two ways
// with one outcome are one Move.
type Move struct {
	Act   Act
	Role  Role   // of a Step: what the piece is promoted to; of a Split: the part that leaves
	From  Square // where the acting piece stands; of a Rally: the first by file, then rank
	To    Square // where it ends
	With  Square // of a Rally: where the second piece stands; else 0
	Kills Set    // squares on which something is captured, To excepted
}

// Nearest is the square of a set to which a move along a line comes first.
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
