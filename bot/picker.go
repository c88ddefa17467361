package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
)

// A picker leads to a move by buttons in three steps: which piece, where to and what to do
// there, and whether that is meant. Where a piece can do too much for one page, where to and
// what to do there are two steps. Its presses are
//
//	pick <game> <ply> <from> <to> <page>    "-" for a square that is not chosen yet
//	sure <game> <ply> <move>                shows the position after a move
//	play <game> <ply> <move>                plays it
//
// with moves as coordinate texts. "back <game> <ply>" leads out again.

// pageSize is how many choices a page has of several; with the row below them they are no
// more than 25 buttons. A page that is the only one has the way back alone below it.
const (
	pageSize = 20
	onePage  = 24
)

const none = "-"

// choice is one thing that can be picked.
type choice struct{ label, press string }

// pick shows the next choice: a piece, a target, or one of the moves to it.
func (b *Bot) pick(_ context.Context, r request) ([]Note, error) {
	sight, from, to, page := r.sight, r.args[0], r.args[1], r.args[2]
	p := newPicker(sight)
	piece, target := sight.Variant.Shape.Parse(from), sight.Variant.Shape.Parse(to)
	var choices []choice
	switch {
	case piece == rules.NoSquare:
		choices = p.pieces()
	case target == rules.NoSquare:
		choices = p.targets(piece)
	default:
		choices = p.movesTo(piece, target)
	}
	number, _ := strconv.Atoi(page)
	note := Note{To: r.me.ID, Text: words.Pick(sight, piece, target), Step: true}
	note.Buttons = p.page(choices, number, from, to)
	if piece != rules.NoSquare {
		pos := sight.Now.Position
		d := render.Of(pos, sight.Effects, pos.Turn()).ShowMoves(piece, p.moves)
		note.Board = &d
	}
	return []Note{note}, nil
}

// picker is the legal moves of a position, with the words of presses that lead on.
type picker struct {
	sight *match.Sight
	moves []rules.Move
	texts []string
	at    string // game and ply
}

func newPicker(s *match.Sight) *picker {
	pos := s.Now.Position
	return &picker{s, pos.Moves(), pos.ChatTexts(), fmt.Sprintf("%d %d", s.Game.ID, s.Ply)}
}

// pieces are those that can move, by their squares.
func (p *picker) pieces() []choice {
	var can rules.Set
	for _, m := range p.moves {
		can |= m.From.Set()
	}
	shape, table, board := p.sight.Variant.Shape, p.sight.Variant.Table, p.sight.Now.Position.Board()
	var choices []choice
	for _, sq := range shape.ByFile(can) {
		name := shape.Name(sq)
		label := name
		if half := board[sq].Half(p.sight.Now.Position.Turn()); !table[half].Pawn {
			label = table.Code(board[sq]) + name
		}
		choices = append(choices, choice{label, fmt.Sprintf("pick %s %s %s 0", p.at, name, none)})
	}
	return choices
}

// targets are a piece's moves, or where they are too many the squares to which it can go:
// with one move, that move.
func (p *picker) targets(from rules.Square) []choice {
	to := map[rules.Square][]int{}
	var squares rules.Set
	for i, m := range p.moves {
		if m.From == from {
			to[m.To] = append(to[m.To], i)
			squares |= m.To.Set()
		}
	}
	all := 0
	for _, moves := range to {
		all += len(moves)
	}
	shape := p.sight.Variant.Shape
	var choices []choice
	for _, sq := range shape.ByFile(squares) {
		if all <= onePage {
			for _, i := range to[sq] {
				choices = append(choices, p.move(i))
			}
			continue
		}
		first := to[sq][0]
		for _, i := range to[sq] {
			if len(p.texts[i]) < len(p.texts[first]) {
				first = i
			}
		}
		if len(to[sq]) == 1 {
			choices = append(choices, p.move(first))
			continue
		}
		press := fmt.Sprintf("pick %s %s %s 0", p.at, shape.Name(from), shape.Name(sq))
		choices = append(choices, choice{p.texts[first] + " …", press})
	}
	return choices
}

// before is the press of the page on which a move was chosen.
func (p *picker) before(m rules.Move) string {
	all, there := 0, 0
	for _, other := range p.moves {
		if other.From == m.From {
			all++
			if other.To == m.To {
				there++
			}
		}
	}
	shape, to := p.sight.Variant.Shape, none
	if all > onePage && there > 1 {
		to = shape.Name(m.To)
	}
	return fmt.Sprintf("pick %s %s %s 0", p.at, shape.Name(m.From), to)
}

func (p *picker) movesTo(from, to rules.Square) []choice {
	var choices []choice
	for i, m := range p.moves {
		if m.From == from && m.To == to {
			choices = append(choices, p.move(i))
		}
	}
	return choices
}

func (p *picker) move(i int) choice {
	return choice{p.texts[i], fmt.Sprintf("sure %s %s", p.at, p.sight.Variant.Coordinate(p.moves[i]))}
}

// page is one page of choices as buttons, and below them the way to the others and
// back.
func (p *picker) page(choices []choice, number int, from, to string) []Button {
	size := pageSize
	if len(choices) <= onePage {
		size = onePage
	}
	last := max(len(choices)-1, 0) / size
	number = min(max(number, 0), last)
	var buttons []Button
	for _, c := range choices[number*size : min((number+1)*size, len(choices))] {
		buttons = append(buttons, Button{c.label, c.press})
	}
	turn := func(label string, page int) Button {
		return Button{label, fmt.Sprintf("pick %s %s %s %d", p.at, from, to, page)}
	}
	if number > 0 {
		buttons = append(buttons, turn(labelBefore, number-1))
	}
	if number < last {
		buttons = append(buttons, turn(labelAfter, number+1))
	}
	switch {
	case to != none:
		buttons = append(buttons, Button{labelBack, fmt.Sprintf("pick %s %s %s 0", p.at, from, none)})
	case from != none:
		buttons = append(buttons, Button{labelBack, fmt.Sprintf("pick %s %s %s 0", p.at, none, none)})
	default:
		buttons = append(buttons, Button{labelBack, "back " + p.at})
	}
	return buttons
}

// preview shows the position after a move, and asks whether it is meant.
func (b *Bot) preview(_ context.Context, r request) ([]Note, error) {
	sight, coordinate := r.sight, r.args[0]
	pos := sight.Now.Position
	m, err := pos.ParseCoordinate(coordinate)
	if err != nil {
		return nil, err
	}
	after, err := pos.Play(m)
	if err != nil {
		return nil, err
	}
	d := render.Of(after, pos.Effects(m), pos.Turn())
	at := fmt.Sprintf("%d %d", sight.Game.ID, sight.Ply)
	return []Note{{
		To: r.me.ID, Text: words.Preview(pos, m), Board: &d, Step: true,
		Buttons: []Button{
			{labelConfirm, fmt.Sprintf("play %s %s", at, coordinate)},
			{labelBack, newPicker(sight).before(m)},
		},
	}}, nil
}

// more shows what else can be done in a game, to those who do not play it beside the board.
func (b *Bot) more(ctx context.Context, r request) ([]Note, error) {
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	_, plays := sight.Game.SideOf(r.me.ID)
	drawn := strings.Fields(r.msg.Press)[2]
	note := Note{To: r.me.ID, Text: words.More(r.game), Step: plays}
	for _, p := range allPresses() {
		if p.more && (plays || find(Commands(), p.command).reads == many) {
			note.Buttons = append(note.Buttons, button(p.verb, p.verb, r.game, drawn))
		}
	}
	if plays {
		note.Buttons = append(note.Buttons, button(labelBack, "back", r.game, drawn))
	}
	return []Note{note}, nil
}

// back shows the buttons of a board again.
func (b *Bot) back(_ context.Context, r request) ([]Note, error) {
	return []Note{{To: r.me.ID, Text: words.Back(r.game), Buttons: boardButtons(r.game, r.sight.Ply), Step: true, Back: true}}, nil
}

// askDraw asks a player whether they mean to offer a draw, or to agree to one.
func (b *Bot) askDraw(_ context.Context, r request) ([]Note, error) {
	drawn := strings.Fields(r.msg.Press)[2]
	return []Note{{To: r.me.ID, Text: words.SureToDraw(r.game), Buttons: yesNo("draw", r.game, drawn)}}, nil
}

func (b *Bot) noDraw(_ context.Context, r request) ([]Note, error) {
	return r.answer(words.GoesOn()), nil
}
