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
}

// A Maker makes a button that goes on from a position: its verb is one of the above, and more are
// the words that follow.
type Maker func(label phrase.Phrase, verb string, more ...string) Button

// New makes the Picker of a position.
func NewPicker(pos *rules.Position, button Maker) *Picker {
	return &Picker{pos, pos.Moves(), pos.ChatTexts(), button}
}

// Of makes the Picker of a game that somebody sees.
func PickerOf(s *match.GameView) *Picker {
	return NewPicker(s.Now.Position, func(label phrase.Phrase, verb string, more ...string) Button {
		return NewButton(label, verb, s.Game.ID, strconv.Itoa(s.Ply), more...)
	})
}

// pieces are those that can move, by their squares.
func (p *Picker) pieces() []Button {
	var can rules.Set
	for _, m := range p.moves {
		can |= m.From.Set()
	}
	shape, table, board := p.pos.Variant().Shape, p.pos.Variant().Table, p.pos.Board()
	var choices []Button
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
func (p *Picker) targets(from rules.Square) []Button {
	to := map[rules.Square][]int{}
	var squares rules.Set
	all := 0
	for i, m := range p.moves {
		if m.From == from {
			to[m.To] = append(to[m.To], i)
			squares |= m.To.Set()
			all++
		}
	}
	shape := p.pos.Variant().Shape
	var choices []Button
	for _, sq := range shape.ByFile(squares) {
		if all <= onePage || len(to[sq]) == 1 {
			for _, i := range to[sq] {
				choices = append(choices, p.move(i))
			}
			continue
		}
		shortest := slices.MinFunc(to[sq], func(i, j int) int { return len(p.texts[i]) - len(p.texts[j]) })
		choices = append(choices, p.button(phrase.As(p.texts[shortest]+" …"), "pick", shape.Name(from), shape.Name(sq), "0").Choose(phrase.As("")))
	}
	return choices
}

// Before leads back to the page on which a move was chosen.
func (p *Picker) Before(m rules.Move) Button {
	all, there := 0, 0
	for _, other := range p.moves {
		if other.From == m.From {
			all++
			if other.To == m.To {
				there++
			}
		}
	}
	shape, to := p.pos.Variant().Shape, None
	if all > onePage && there > 1 {
		to = shape.Name(m.To)
	}
	return p.button(words.Label("back"), "pick", shape.Name(m.From), to, "0")
}

func (p *Picker) movesTo(from, to rules.Square) []Button {
	var choices []Button
	for i, m := range p.moves {
		if m.From == from && m.To == to {
			choices = append(choices, p.move(i))
		}
	}
	return choices
}

func (p *Picker) move(i int) Button {
	tells := p.pos.Variant().Describe(p.pos.Effects(p.moves[i]))
	return p.button(phrase.As(p.texts[i]), "sure", p.pos.Variant().Coordinate(p.moves[i])).Choose(tells)
}

// Page is one page of the next choice: a piece, where it goes to, or one of the moves to there.
func (p *Picker) Page(piece, target rules.Square, number int) []Button {
	shape := p.pos.Variant().Shape // which calls no square what presses do
	var choices []Button
	switch {
	case piece == rules.NoSquare:
		choices = p.pieces()
	case target == rules.NoSquare:
		choices = p.targets(piece)
	default:
		choices = p.movesTo(piece, target)
	}
	return p.page(choices, number, shape.Name(piece), shape.Name(target))
}

// page is one page of choices as buttons, and below them the way to the others and
// back.
func (p *Picker) page(choices []Button, number int, from, to string) []Button {
	size := pageSize
	if len(choices) <= onePage {
		size = onePage
	}
	last := max(len(choices)-1, 0) / size
	number = min(max(number, 0), last)
	buttons := slices.Clone(choices[number*size : min((number+1)*size, len(choices))])
	turn := func(label phrase.Phrase, page int) Button {
		return p.button(label, "pick", from, to, strconv.Itoa(page))
	}
	if number > 0 {
		buttons = append(buttons, turn(words.Label("before"), number-1))
	}
	if number < last {
		buttons = append(buttons, turn(words.Label("after"), number+1))
	}
	switch {
	case to != None:
		buttons = append(buttons, p.button(words.Label("back"), "pick", from, None, "0"))
	case from != None:
		buttons = append(buttons, p.button(words.Label("back"), "pick", None, None, "0"))
	default:
		buttons = append(buttons, p.button(words.Label("back"), "back"))
	}
	return buttons
}
