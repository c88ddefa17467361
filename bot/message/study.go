package message

import (
	"strconv"

	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Pick shows the next choice on the way to a move in a position in which somebody learns: a lesson or a
// puzzle, which asks nobody whether a move is meant. from, to and page are words of a press; shown makes
// a note with the position.
func Pick(pos *rules.Position, from, to, page string, button Maker, shown func(words.Text) Message) Message {
	shape := pos.Variant().Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	n, _ := strconv.Atoi(page)
	said := shown(words.PickLesson(shape, piece, target))
	said.Buttons = NewPicker(pos, button).Page(piece, target, n)
	if piece != rules.NoSquare {
		d := said.Board.ShowMoves(piece, pos.Moves())
		said.Board = &d
	}
	return said
}

// Refuse says why the rules do not allow a move there, with buttons that play what may have been meant
// before those of the note that shown makes.
func Refuse(pos *rules.Position, no *rules.Illegal, button Maker, shown func(words.Text) Message) Message {
	var buttons []Button
	for _, chat := range no.Close() {
		if m, err := pos.Parse(chat); err == nil {
			buttons = append(buttons, button(phrase.As(chat), "sure", pos.Variant().Coordinate(m)))
		}
	}
	said := shown(words.Of(no.Phrase()))
	said.Buttons = append(buttons, said.Buttons...)
	return said
}
