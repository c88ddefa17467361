package diagram

import "chimera/rules"

// Lesson is something to learn about a board, said in a strip below it: about a kind of piece, or
// about marks. Its texts are in the language of the person who sees it.
type Lesson struct {
	Piece rules.Piece // that it is about, drawn beside it; the zero Piece for none
	Name  string      // of that piece, or a title
	Line  string      // what there is to know, a sentence or two
	Signs []Sign      // marks of the board, and what they mean
}

// Sign is a mark as it is seen on a square, and what it means. One about where a part of a piece could
// capture has that part's sign too.
type Sign struct {
	Mark  Mark        // the zero Mark for a piece alone
	Piece rules.Piece // on that square
	Means string
}

// Alone is a sign as a board of one square.
func (d Diagram) Alone(s Sign) Diagram {
	one := Diagram{Shape: rules.NewShape(1, 1), Table: d.Table, Theme: d.Theme, Chosen: d.Chosen, Coords: NoCoords, Idle: true}
	one.Board[0] = s.Piece
	if s.Mark != (Mark{}) {
		if s.Mark.Kind == Lent {
			s.Mark.Piece = d.LentBy(s.Mark)
		}
		for _, m := range d.Marks { // outside of the square: they say which of the parts of a piece the mark is about
			if m.From == s.Mark.From {
				one.Marks = append(one.Marks, Mark{Kind: m.Kind, To: 1, Piece: m.Piece})
			}
		}
		s.Mark.From, s.Mark.To = 0, 0
		one.Marks = append(one.Marks, s.Mark)
		if s.Mark.Kind == Takes && s.Mark.Piece != (rules.Piece{}) {
			s.Mark.Kind = Goes // there too
			one.Marks = append(one.Marks, s.Mark)
		}
	}
	return one
}
