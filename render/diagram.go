package render

import (
	"slices"

	"chimera/rules"
)

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
	Blasted                 // something on To was annihilated
	Frozen                  // the man on To may not move now
	Lent                    // the man on From lends its powers to To
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
		for _, m := range marks(e) {
			if !slices.Contains(d.Marks, m) {
				d.Marks = append(d.Marks, m)
			}
		}
	}
	// What was captured where the captor stands now needs no mark.
	reached := d.marked(Reached)
	d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool { return m.Kind == Killed && reached.Has(m.To) })
	for sq := range pos.Checked().Squares() {
		d.Marks = append(d.Marks, Mark{Check, sq, sq})
	}
	if sq := pos.Frozen(); sq != rules.NoSquare {
		d.Marks = append(d.Marks, Mark{Frozen, sq, sq})
	}
	return d
}

// ShowZones is d with the squares marked to which men lend their powers.
func (d Diagram) ShowZones(zones []rules.Influence) Diagram {
	d.Marks = slices.Clone(d.Marks)
	for _, z := range zones {
		for sq := range z.On.Squares() {
			d.Marks = append(d.Marks, Mark{Lent, z.From, sq})
		}
	}
	return d
}

// lender is the side whose powers a mark of kind Lent shows.
func (d Diagram) lender(m Mark) rules.Color {
	if d.Board[m.From].White != rules.NoRole {
		return rules.White
	}
	return rules.Black
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
	case rules.Captured, rules.Absorbed:
		return []Mark{{Killed, e.From, e.To}}
	case rules.Annihilated:
		return []Mark{{Blasted, e.To, e.To}}
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
