package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Button is something that can be pressed instead of writing.
type Button struct {
	Label string
	Do    string // comes back when it is pressed
	Turns bool   `json:",omitempty"` // it leads to another page
	Opens string `json:",omitempty"` // a web address, instead of doing something; a platform may use the press instead

	Line   int    `json:"-"` // the line of the text that it can stand beside, from 1; 0 for none
	Choice bool   `json:"-"` // one of several things to choose among: they may stand in a menu
	About  string `json:"-"` // more about a choice, where a menu has room for it

	says, tells *phrase.Phrase // the label and About before they are put into a language
}

// Choose makes a Button a choice among several; about says more about it.
func (b Button) Choose(about phrase.Phrase) Button {
	b.Choice, b.About, b.tells = true, about.String(), &about
	return b
}

// Beside lets a Button stand beside a line of the text, counted from 1, where the platform can do
// that.
func (b Button) Beside(line int) Button {
	b.Line = line
	return b
}

// None stands in a press for a part that does not matter, or is not chosen yet.
const None = "-"

// NewButton makes a Button that does something in a game (0 for none), and is only good until another
// move is played there; drawn is the number of moves when it was drawn, or None if that does not
// matter. More words may follow.
func NewButton(label phrase.Phrase, verb string, game storage.GameID, drawn string, more ...string) Button {
	do := strings.Join(append([]string{verb, fmt.Sprint(game), drawn}, more...), " ")
	turns := slices.Contains([]string{"label.before", "label.after", "label.back"}, label.Key())
	return Button{Label: label.String(), Do: do, Turns: turns, says: &label}
}

// game is the game that a button is about, 0 for none.
func (b Button) game() storage.GameID {
	if said := strings.Fields(b.Do); len(said) > 1 {
		n, _ := strconv.ParseUint(said[1], 10, 64)
		return storage.GameID(n)
	}
	return 0
}

// VerbOf is the verb at the beginning of a press, which says what it does.
func VerbOf(press string) string {
	verb, _, _ := strings.Cut(press, " ")
	return verb
}

// Has reports whether a message has a button with one of some verbs.
func (n *Message) Has(verbs ...string) bool {
	return slices.ContainsFunc(n.Buttons, func(b Button) bool { return slices.Contains(verbs, VerbOf(b.Do)) })
}

// speak puts a button into a language, unless it is in one already.
func (b *Button) speak(l phrase.Language) {
	if b.says != nil {
		b.Label, b.says = b.says.Text(l), nil
	}
	if b.tells != nil {
		b.About, b.tells = b.tells.Text(l), nil
	}
}

// OpenPage is the verb of a button that opens a board as a page.
const OpenPage = "page"

// AddPage adds to a board's buttons one that opens it as a page.
func (n *Message) AddPage() {
	if n.Has("flip", "unflip", "replay") && !n.Has(OpenPage) {
		open := NewButton(words.Label("open-board"), OpenPage, n.Game(), None)
		if n.Language != "" {
			open.speak(n.Language)
		}
		n.Buttons = append(slices.Clip(n.Buttons), open)
	}
	if n.Instead != nil {
		n.Instead.AddPage()
	}
}

// MoveButton lets a move be picked.
func MoveButton(label phrase.Phrase, game storage.GameID, ply int) Button {
	return NewButton(label, "pick", game, strconv.Itoa(ply), None, None, "0")
}

// LeadButtons lead to the lesson that explains something, if there is one.
func LeadButtons(lead rules.Lead) []Button {
	if lead.Number == 0 {
		return nil
	}
	return []Button{NewButton(words.Label("learn"), "lesson", 0, None, lead.Variant.Key, strconv.Itoa(lead.Number-1))}
}

// FlipBack makes the button that flips a message's board flip it back.
func (n *Message) FlipBack() {
	for i, b := range n.Buttons {
		if rest, flips := strings.CutPrefix(b.Do, "flip "); flips {
			n.Buttons[i].Do = "unflip " + rest
		}
	}
}

// YesNo are the buttons below a question.
func YesNo(verb string, game storage.GameID, more ...string) []Button {
	return []Button{
		NewButton(words.Label("yes"), verb+"-yes", game, None, more...), NewButton(words.Label("no"), verb+"-no", game, None, more...),
	}
}

// A picker leads to a move by buttons in three steps: choose a piece, choose where it goes and what it
// does there, confirm. If a piece has too many moves for one page, the second step becomes two. Its
// presses are
//
//	pick <game> <ply> <from> <to> <page>    "-" for a square that is not chosen yet
//	sure <game> <ply> <move>                shows the position after a move
//	play <game> <ply> <move>                plays it
//
// with moves as coordinate texts. "back <game> <ply>" leads out again.

// pageSize is how many choices one of several pages has; with the row below them they make no more
// than 25 buttons. A single page only has the way back below it.
const (
	pageSize = 20
	onePage  = 24
)

// Picker holds the legal moves of a position, and makes the buttons to pick one.
type Picker struct {
	pos    *rules.Position
	moves  []rules.Move
	texts  []string
	button Maker
	sure   string // the verb of a button for a chosen move
}

// A Maker makes a button of a picker: its verb is one of the above, and more are the words that follow
// it.
type Maker func(label phrase.Phrase, verb string, more ...string) Button

// NewPicker makes the Picker of a position.
func NewPicker(pos *rules.Position, button Maker) *Picker {
	return &Picker{pos, pos.Moves(), pos.ChatTexts(), button, "sure"}
}

// PickerOf makes the Picker of a game that somebody sees; with taps, a move is played as soon as it is
// chosen.
func PickerOf(s *match.GameView, taps bool) *Picker {
	p := NewPicker(s.Now.Position, func(label phrase.Phrase, verb string, more ...string) Button {
		return NewButton(label, verb, s.Game.ID, strconv.Itoa(s.Ply), more...)
	})
	p.sure = words.Either(taps, "play", p.sure)
	return p
}

// among are the moves of a piece, only those to a target unless it is [rules.NoSquare].
func (p *Picker) among(from, to rules.Square) (all []int) {
	for i, m := range p.moves {
		all = append(all, words.If(m.From == from && (to == rules.NoSquare || m.To == to), i)...)
	}
	return all
}

// pieces are buttons for the pieces that can move, by their squares.
func (p *Picker) pieces() (choices []Button) {
	var can rules.Set
	for _, m := range p.moves {
		can |= m.From.Set()
	}
	shape, table, board := p.pos.Variant().Shape, p.pos.Variant().Table, p.pos.Board()
	for _, sq := range shape.ByFile(can) {
		name := shape.Name(sq)
		label := words.Either(table[board[sq].Half(p.pos.Turn())].Pawn, "", table.Code(board[sq])) + name
		choices = append(choices, p.button(phrase.As(label), "pick", name, None, "0").Choose(phrase.As("")))
	}
	return choices
}

// targets are buttons for a piece's moves or, if these are too many, for the squares it can go to; a
// square with only one move gets that move.
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
func (p *Picker) buttons(moves []int) []Button {
	return phrase.Each(moves, func(i int) Button {
		m := p.moves[i]
		return p.button(phrase.As(p.texts[i]), p.sure, p.pos.Variant().Coordinate(m)).Choose(p.pos.Variant().Describe(p.pos.Effects(m)))
	})
}

// Page is one page of the next choice: of a piece, a target, or one of the moves to it. Below the
// choices are the ways to other pages and back.
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
	size := words.Either(len(choices) <= onePage, onePage, pageSize)
	last := max(len(choices)-1, 0) / size
	number = min(max(number, 0), last)
	buttons := slices.Clone(choices[number*size : min((number+1)*size, len(choices))])
	buttons = append(buttons, words.If(number > 0, p.button(words.Label("before"), "pick", from, to, strconv.Itoa(number-1)))...)
	buttons = append(buttons, words.If(number < last, p.button(words.Label("after"), "pick", from, to, strconv.Itoa(number+1)))...)
	return append(buttons, back)
}
