package training

import (
	"context"
	"errors"
	"slices"

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
	training *Service
	at       Learner
	pos      *rules.Position
	last     []rules.Effect // of the move that has led there
	kind     string         // with which the verbs of its buttons begin
	show     string         // the verb that shows it
	name     []string       // the words that name it on its buttons
	only     []string       // those that follow on buttons for this move alone
	further  message.Button // leads elsewhere
	title    func(words.Text) words.Text
}

func (e *exercise) button(label phrase.Phrase, verb string, more ...string) message.Button {
	name := e.name
	if verb != e.show {
		name = slices.Concat(name, e.only)
	}
	return message.NewButton(label, verb, 0, message.None, slices.Concat(name, more)...)
}

// choice makes the picker's buttons.
func (e *exercise) choice(label phrase.Phrase, verb string, more ...string) message.Button {
	return e.button(label, map[string]string{"pick": e.kind + "-pick", "sure": e.kind + "-try", "back": e.show}[verb], more...)
}

func (e *exercise) moveButton() message.Button {
	return e.button(words.Label("move"), e.kind+"-pick", message.None, message.None, "0")
}

func (e *exercise) playButton(m rules.Move) message.Button {
	return e.button(phrase.As(e.pos.Chat(m)), e.kind+"-try", e.pos.Variant().Coordinate(m))
}

// buttons are those below an exercise that waits for its move.
func (e *exercise) buttons(hint string) []message.Button {
	return []message.Button{e.moveButton(), e.button(words.Label("hint"), e.kind+"-"+hint), e.further}
}

// boardOf shows a position as a side sees it.
func boardOf(pos *rules.Position, last []rules.Effect, side rules.Color) *diagram.Diagram {
	d := diagram.Of(pos, last, side).ShowZones(pos.Influences())
	return &d
}

// say is a message with the board.
func (e *exercise) say(text words.Text, buttons ...message.Button) *message.Message {
	return &message.Message{To: e.at.Person.ID, Text: e.title(text), Board: boardOf(e.pos, e.last, e.pos.Turn()), Buttons: buttons, Step: true}
}

// Pick implements [Exercise].
func (e *exercise) Pick(from, to, page string) *message.Message {
	shape := e.pos.Variant().Shape
	piece, target := shape.Parse(from), shape.Parse(to)
	said := e.say(words.PickLesson(shape, piece, target), message.NewPicker(e.pos, e.choice).Page(piece, target, max(index(page), 0))...)
	if piece != rules.NoSquare {
		d := said.Board.ShowMoves(piece, e.pos.Moves())
		said.Board = &d
	}
	return said
}

// read reads a move. One that the rules do not allow is refused, with buttons for what may have been
// meant before others.
func (e *exercise) read(text string, others ...message.Button) (m rules.Move, refused *message.Message, err error) {
	m, err = e.pos.Parse(text)
	no := (*rules.Illegal)(nil)
	if !errors.As(err, &no) {
		return m, nil, err
	}
	var buttons []message.Button
	for _, chat := range no.Close() {
		if near, err := e.pos.Parse(chat); err == nil {
			buttons = append(buttons, e.playButton(near))
		}
	}
	return m, e.say(words.Of(no.Phrase()), append(buttons, others...)...), nil
}

// tells tells a move and something more, and leaves the move to be played.
func (e *exercise) tells(m rules.Move, more words.Text) *message.Message {
	said := words.Of(words.Say("course.move", "move", e.pos.Chat(m)), more)
	return e.say(said, e.playButton(m), e.button(words.Label("back"), e.show))
}

// Legal implements [Exercise].
func (e *exercise) Legal(text string) bool {
	_, err := e.pos.Parse(text)
	return err == nil
}

// how says how to answer the first of several exercises.
func (e *exercise) how() words.Text {
	return words.Say("course.how", "move", words.Label("move"), "alone", e.at.Private)
}

// keep changes what is kept of somebody.
func (e *exercise) keep(ctx context.Context, change func(*storage.Person)) error {
	return e.training.store.Update(ctx, func(w storage.Writer) error { return w.People().Change(e.at.Person.ID, change) })
}
