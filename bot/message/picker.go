package message

// A picker leads to a move by buttons in three steps: which piece, where to and what to do
// there, and whether that is meant. Where a piece can do too much for one page, where to and
// what to do there are two steps. Its presses are
//
//	pick <game> <ply> <from> <to> <page>    "-" for a square that is not chosen yet
//	sure <game> <ply> <move>                shows the position after a move
//	play <game> <ply> <move>                plays it
//
// with moves as coordinate texts. "back <game> <ply>" leads out again.

import (
	"slices"
	"strconv"

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
)

// pageSize is how many choices a page has of several; with the row below them they are no
// more than 25 buttons. A page that is the only one has the way back alone below it.
const (
	pageSize = 20
	onePage  = 24
)

// Picker is the legal moves of a position, with the words of presses that lead on.
type Picker struct {
	pos    *rules.Position
	moves  []rules.Move
	texts  []string
	button Maker
	sure   string // the verb that a chosen move has
}

// A Maker makes a button that goes on from a position: its verb is one of the above, and more are
// the words that follow.
type Maker func(label phrase.Phrase, verb string, more ...string) Button

// NewPicker makes the Picker of a position.
func NewPicker(pos *rules.Position, button Maker) *Picker {
	return &Picker{pos, pos.Moves(), pos.ChatTexts(), button, "sure"}
}

// PickerOf makes the Picker of a game that somebody sees; taps says that a move is played as soon as it is chosen.
func PickerOf(s *match.GameView, taps bool) *Picker {
	p := NewPicker(s.Now.Position, func(label phrase.Phrase, verb string, more ...string) Button {
		return NewButton(label, verb, s.Game.ID, strconv.Itoa(s.Ply), more...)
	})
	if taps {
		p.sure = "play"
	}
	return p
}

// among are the moves of a piece, or for another target than [rules.NoSquare] those to there.
func (p *Picker) among(from, to rules.Square) (all []int) {
	for i, m := range p.moves {
		if m.From == from && (to == rules.NoSquare || m.To == to) {
			all = append(all, i)
		}
	}
	return all
}

// pieces are those that can move, by their squares.
func (p *Picker) pieces() (choices []Button) {
	var can rules.Set
	for _, m := range p.moves {
		can |= m.From.Set()
	}
	shape, table, board := p.pos.Variant().Shape, p.pos.Variant().Table, p.pos.Board()
	for _, sq := range shape.ByFile(can) {
		name := shape.Name(sq)
		label := name
		if half := board[sq].Half(p.pos.Turn()); !table[half].Pawn {
			label = table.Code(board[sq]) + name
		}
		choices = append(choices, p.button(phrase.As(label), "pick", name, None, "0").Choose(phrase.As("")))
	}
	return choices
}

// targets are a piece's moves, or where they are too many the squares to which it can go:
// with one move, that move.
func (p *Picker) targets(from rules.Square) (choices []Button) {
	var squares rules.Set
	all := p.among(from, rules.NoSquare)
	for _, i := range all {
		squares |= p.moves[i].To.Set()
	}
	shape := p.pos.Variant().Shape
	for _, sq := range shape.ByFile(squares) {
		there := p.among(from, sq)
		if len(all) <= onePage || len(there) == 1 {
			choices = append(choices, p.buttons(there)...)
			continue
		}
		shortest := slices.MinFunc(there, func(i, j int) int { return len(p.texts[i]) - len(p.texts[j]) })
		choices = append(choices, p.button(phrase.As(p.texts[shortest]+" …"), "pick", shape.Name(from), shape.Name(sq), "0").Choose(phrase.As("")))
	}
	return choices
}

// Before leads back to the page on which a move was chosen.
func (p *Picker) Before(m rules.Move) Button {
	shape, to := p.pos.Variant().Shape, None
	if len(p.among(m.From, rules.NoSquare)) > onePage && len(p.among(m.From, m.To)) > 1 {
		to = shape.Name(m.To)
	}
	return p.button(words.Label("back"), "pick", shape.Name(m.From), to, "0")
}

// buttons show the positions after moves.
func (p *Picker) buttons(moves []int) (choices []Button) {
	for _, i := range moves {
		m := p.moves[i]
		choices = append(choices, p.button(phrase.As(p.texts[i]), p.sure, p.pos.Variant().Coordinate(m)).Choose(p.pos.Variant().Describe(p.pos.Effects(m))))
	}
	return choices
}

// Page is one page of the next choice: a piece, where it goes to, or one of the moves to there. Below
// the choices is the way to the other pages and back.
func (p *Picker) Page(piece, target rules.Square, number int) []Button {
	shape := p.pos.Variant().Shape
	from, to := shape.Name(piece), shape.Name(target) // None for no square
	var choices []Button
	back := p.button(words.Label("back"), "pick", None, None, "0")
	switch {
	case piece == rules.NoSquare:
		choices, back = p.pieces(), p.button(words.Label("back"), "back")
	case target == rules.NoSquare:
		choices = p.targets(piece)
	default:
		choices, back = p.buttons(p.among(piece, target)), p.button(words.Label("back"), "pick", from, None, "0")
	}
	size := pageSize
	if len(choices) <= onePage {
		size = onePage
	}
	last := max(len(choices)-1, 0) / size
	number = min(max(number, 0), last)
	buttons := slices.Clone(choices[number*size : min((number+1)*size, len(choices))])
	if number > 0 {
		buttons = append(buttons, p.button(words.Label("before"), "pick", from, to, strconv.Itoa(number-1)))
	}
	if number < last {
		buttons = append(buttons, p.button(words.Label("after"), "pick", from, to, strconv.Itoa(number+1)))
	}
	return append(buttons, back)
}
