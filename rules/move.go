package rules

import (
	"cmp"
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

// Coordinate writes m for machines, as "e2e4", "e7e8q", "b1~c3", "c4+d2~e4",
// "d4/Ne5" or "b1c3xb2xc2". It names one legal move of a position.
func (v *Variant) Coordinate(m Move) string {
	var b strings.Builder
	b.WriteString(v.Shape.Name(m.From))
	switch m.Act {
	case Step, Castle:
		b.WriteString(v.Shape.Name(m.To))
		if m.Role != NoRole {
			b.WriteString(strings.ToLower(cmp.Or(v.Table[m.Role].Short, v.Table[m.Role].Code)))
		}
	case Merge:
		b.WriteString("~" + v.Shape.Name(m.To))
	case Rally:
		b.WriteString("+" + v.Shape.Name(m.With) + "~" + v.Shape.Name(m.To))
	case Split:
		b.WriteString("/" + v.Table[m.Role].Code + v.Shape.Name(m.To))
	}
	for _, sq := range v.Shape.ByFile(m.Kills) {
		b.WriteString("x" + v.Shape.Name(sq))
	}
	return b.String()
}
