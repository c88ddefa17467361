package training

import (
	"slices"
	"strconv"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// exercise is a move to find, as one person has it before them: the one solver of lessons, puzzles
// and the puzzle of the day.
type exercise struct {
	to               storage.PersonID
	pos              *rules.Position
	last             []rules.Effect // of the move that has led there
	show, pick, play string         // the verbs of its buttons
	args             []string       // the words that name it on its buttons
	shown            int            // how many of them its show button takes
	title            func(words.Text) words.Text
}

func (e *exercise) button(label phrase.Phrase, verb string, more ...string) message.Button {
	args := e.args
	if verb == e.show {
		args = args[:e.shown]
	}
	return message.NewButton(label, verb, 0, message.None, slices.Concat(args, more)...)
}

// choice makes the picker's buttons.
func (e *exercise) choice(label phrase.Phrase, verb string, more ...string) message.Button {
	return e.button(label, map[string]string{"pick": e.pick, "sure": e.play, "back": e.show}[verb], more...)
}

func (e *exercise) moveButton() message.Button {
	return e.button(words.Label("move"), e.pick, message.None, message.None, "0")
}

// board shows the position as whoever is to move sees it.
func (e *exercise) board() *diagram.Diagram { return boardOf(e.pos, e.last) }

func boardOf(pos *rules.Position, last []rules.Effect) *diagram.Diagram {
	d := diagram.Of(pos, last, pos.Turn()).ShowZones(pos.Influences())
	return &d
}

// say is a message with the board.
func (e *exercise) say(text words.Text, buttons ...message.Button) message.Message {
	return message.Message{To: e.to, Text: e.title(text), Board: e.board(), Buttons: buttons, Step: true}
}

// Pick shows the next choice on the way to a move: from and to are squares, [message.None] where they
// are not chosen yet; page counts the pages of choices.
func (e *exercise) Pick(from, to, page string) message.Message {
	shape := e.pos.Variant().Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	n, _ := strconv.Atoi(page)
	said := e.say(words.PickLesson(shape, piece, target), message.NewPicker(e.pos, e.choice).Page(piece, target, n)...)
	if piece != rules.NoSquare {
		d := said.Board.ShowMoves(piece, e.pos.Moves())
		said.Board = &d
	}
	return said
}

// refuse says why the rules do not allow a move, with buttons that play what may have been meant before
// others.
func (e *exercise) refuse(no *rules.Illegal, others ...message.Button) message.Message {
	var buttons []message.Button
	for _, chat := range no.Close() {
		if m, err := e.pos.Parse(chat); err == nil {
			buttons = append(buttons, e.button(phrase.As(chat), e.play, e.pos.Variant().Coordinate(m)))
		}
	}
	return e.say(words.Of(no.Phrase()), append(buttons, others...)...)
}

// tell tells a move and something more, and leaves the move to be played.
func (e *exercise) tell(m rules.Move, more words.Text) message.Message {
	chat := e.pos.Chat(m)
	return e.say(words.Of(words.Say("course.move", "move", chat), more),
		e.button(phrase.As(chat), e.play, e.pos.Variant().Coordinate(m)), e.button(words.Label("back"), e.show))
}

// Legal reports whether a text is a legal move.
func (e *exercise) Legal(text string) bool {
	_, err := e.pos.Parse(text)
	return err == nil
}
