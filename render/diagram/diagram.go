package diagram

import (
	"slices"

	"chimera/rules"
)

// Diagram is everything that is seen of a position: data, which others paint and tell. It knows
// no game. Methods that show more leave it as it is, and give a changed copy.
type Diagram struct {
	Shape  *rules.Shape
	Table  rules.Table // names and figures of the pieces
	Board  rules.Board
	Bottom rules.Color // the side at the bottom
	Turn   rules.Color
	Status rules.Status // of the position
	Over   bool         // the game has ended with it
	Idle   bool         // nobody is to move: it is of no game
	Marks  []Mark
	Theme  Theme
	Chosen bool  // the theme, so that pages keep it in the dark
	Bars   *Bars // what is said of the players, nil for nothing
	Coords Coords

	Flights []Flight // pieces between squares, in a picture of several that move

	Legend  []Lesson // what there is to learn about it, below the board
	Caption string   // words below the picture, "" for none
}

// Coords is where the letters of files and the numbers of ranks stand.
type Coords uint8

// The places of coordinates.
const (
	Inside   Coords = iota // in the corners of squares
	Outside                // beside the board and below it
	NoCoords               // nowhere
)

// Of is the diagram of a position, with the effects of the move that led to it
// (nil if there was none) and the side at the bottom.
func Of(pos *rules.Position, last []rules.Effect, bottom rules.Color) Diagram {
	v := pos.Variant()
	d := Diagram{Shape: v.Shape, Table: v.Table, Board: pos.Board(), Bottom: bottom, Turn: pos.Turn(), Status: pos.Status()}
	for _, e := range last {
		for _, m := range marks(e) {
			if !slices.Contains(d.Marks, m) {
				d.Marks = append(d.Marks, m)
			}
		}
	}
	// A capture where the captor stands now needs no mark.
	reached := d.Marked(Reached)
	d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool { return m.Kind == Killed && reached.Has(m.To) })
	for sq := range pos.Checked().Squares() {
		d.Marks = append(d.Marks, on(Check, sq))
		for from := range pos.Checkers().Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Checker, From: from, To: sq})
		}
	}
	d.Marks = append(d.Marks, each(Frozen, pos.Frozen())...)
	if d.Status == rules.Checkmate {
		d.Marks = d.fell(d.Turn)
	}
	return d
}

// Flip turns a file and a rank into the column and the row, counted from the
// upper left, where they are seen with d.Bottom at the bottom; and it turns a
// column and a row into a file and a rank. Nothing else knows which way up d is.
func (d Diagram) Flip(x, y int) (int, int) {
	if d.Bottom == rules.White {
		return x, d.Shape.Ranks - 1 - y
	}
	return d.Shape.Files - 1 - x, y
}

// At is the square in a column and a row, NoSquare where the board has none.
func (d Diagram) At(col, row int) rules.Square { return d.Shape.At(d.Flip(col, row)) }

// Live reports whether somebody is to move.
func (d Diagram) Live() bool {
	return !d.Over && !d.Idle && (d.Status == rules.Ongoing || d.Status == rules.Mated)
}

// RankName is the number of the rank that is seen in a row.
func (d Diagram) RankName(row int) string {
	_, rank := d.Flip(0, row)
	return d.Shape.RankName(rules.Square(rank * d.Shape.Files))
}

// FileName is the letter of the file that is seen in a column.
func (d Diagram) FileName(col int) string {
	file, _ := d.Flip(col, 0)
	return d.Shape.FileName(rules.Square(file))
}
