package render

import "chimera/rules"

// Diagram is everything that is seen of a position: data, painted by [PNG],
// drawn by [Text] and told by [Words]. It knows no game.
type Diagram struct {
	Shape  *rules.Shape
	Table  rules.Table // names and figures of the men
	Board  rules.Board
	Bottom rules.Color // the side at the bottom
	Turn   rules.Color
	Marks  []Mark // those about a square lie below those about the way between two
}

// MarkKind is what a Mark says about its squares.
type MarkKind uint8

// The marks.
const (
	Left    MarkKind = iota // something left From in the last move
	Reached                 // something arrived on To in the last move
	Check                   // the king on To is in check
	Killed                  // something on To was removed by a man from From
	Fired                   // something on To was shot from From
	Joined                  // a part came from From into the man on To
	Parted                  // a part left From for To
)

// Mark is one thing shown about a square, or about the way between two.
type Mark struct {
	Kind     MarkKind
	From, To rules.Square // equal where one square is meant
}

// Of is the diagram of a position, with the effects of the move that led to it
// (nil if there was none) and the side at the bottom.
func Of(pos *rules.Position, last []rules.Effect, bottom rules.Color) Diagram {
	v := pos.Variant()
	d := Diagram{Shape: v.Shape, Table: v.Table, Board: pos.Board(), Bottom: bottom, Turn: pos.Turn()}
	for _, e := range last {
		d.Marks = append(d.Marks, marks(e)...)
	}
	for sq := range pos.Checked().Squares() {
		d.Marks = append(d.Marks, Mark{Check, sq, sq})
	}
	return d
}

// flip turns a file and a rank into the column and the row, counted from the
// upper left, where they are seen with d.Bottom at the bottom; and it turns a
// column and a row into a file and a rank. Nothing else knows which way up d is.
func (d Diagram) flip(x, y int) (int, int) {
	if d.Bottom == rules.White {
		return x, d.Shape.Ranks - 1 - y
	}
	return d.Shape.Files - 1 - x, y
}

// at is the square in a column and a row, NoSquare where the board has none.
func (d Diagram) at(col, row int) rules.Square { return d.Shape.At(d.flip(col, row)) }

// marks is what is shown of one effect.
func marks(e rules.Effect) []Mark {
	left, reached := Mark{Left, e.From, e.From}, Mark{Reached, e.To, e.To}
	switch e.Kind {
	case rules.Moved, rules.Castled:
		return []Mark{left, reached}
	case rules.Captured, rules.Absorbed, rules.Annihilated:
		return []Mark{{Killed, e.From, e.To}}
	case rules.Shot:
		return []Mark{{Fired, e.From, e.To}}
	case rules.Merged, rules.Born:
		if e.From == e.To {
			return []Mark{reached}
		}
		return []Mark{left, reached, {Joined, e.From, e.To}}
	case rules.Parted:
		return []Mark{left, reached, {Parted, e.From, e.To}}
	case rules.Promoted: // seen from the man that arrived
	}
	return nil
}
