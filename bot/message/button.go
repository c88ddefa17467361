package message

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	Opens string `json:",omitempty"` // a web address, instead of doing something

	Line   int    `json:"-"` // of the text, from 1, beside which it can stand; 0 for none
	Choice bool   `json:"-"` // it is one of several things of which one is chosen: they may stand in a menu
	About  string `json:"-"` // tells more of a choice, where a menu has room for that

	says, tells *phrase.Phrase // the label and About, as long as they are in no language
}

// Choose makes a Button one of several things of which one is chosen; about tells more of it.
func (b Button) Choose(about phrase.Phrase) Button {
	b.Choice, b.About, b.tells = true, about.String(), &about
	return b
}

// Beside lets a Button stand beside a line of the text, counted from 1, where there can be such.
func (b Button) Beside(line int) Button {
	b.Line = line
	return b
}

// None stands in a press for what does not matter, or is not chosen yet.
const None = "-"

// NewButton makes a Button that does something in a game, 0 for none, as long as no move
// has been played there since it was drawn; drawn is how many there were then, or None where that
// does not matter. More words may follow.
func NewButton(label phrase.Phrase, verb string, game storage.GameID, drawn string, more ...string) Button {
	do := strings.Join(append([]string{verb, fmt.Sprint(game), drawn}, more...), " ")
	turns := slices.Contains([]string{"label.before", "label.after", "label.back"}, label.Key())
	return Button{Label: label.String(), Do: do, Turns: turns, says: &label}
}

// game is the one that a button is about, 0 for none.
func (b Button) game() storage.GameID {
	if said := strings.Fields(b.Do); len(said) > 1 {
		n, _ := strconv.ParseUint(said[1], 10, 64)
		return storage.GameID(n)
	}
	return 0
}

// LinkButton makes a Button that opens a web address; do is what a platform may do instead.
func LinkButton(label phrase.Phrase, do, address string) Button {
	return Button{Label: label.String(), Do: do, Opens: address, says: &label}
}

// OpenPage is what a button does that opens a board as a page.
const OpenPage = "page"

// AddPage gives the buttons of a board one more, which opens it as a page.
func (n *Message) AddPage() {
	ofBoard := slices.ContainsFunc(n.Buttons, func(b Button) bool {
		verb, _, _ := strings.Cut(b.Do, " ")
		return slices.Contains([]string{"flip", "unflip", "rematch"}, verb)
	})
	if ofBoard {
		n.Buttons = append(n.Buttons, NewButton(words.Label("open-board"), OpenPage, n.Game(), None))
	}
	if n.Instead != nil {
		n.Instead.AddPage()
	}
}

// MoveButton lets a move be picked.
func MoveButton(game storage.GameID, ply int) Button {
	return NewButton(words.Label("move"), "pick", game, strconv.Itoa(ply), None, None, "0")
}

// LeadButtons lead to the lesson that explains something, if there is one.
func LeadButtons(lead rules.Lead) []Button {
	if lead.Number == 0 {
		return nil
	}
	return []Button{NewButton(words.Label("learn"), "lesson", 0, None, lead.Variant.Key, strconv.Itoa(lead.Number-1))}
}

// FlipBack lets the button that turns the board of a message round turn it back.
func (n *Message) FlipBack() {
	for i, b := range n.Buttons {
		if rest, flips := strings.CutPrefix(b.Do, "flip "); flips {
			n.Buttons[i].Do = "unflip " + rest
		}
	}
}

// YesNo are the buttons below a question.
func YesNo(verb string, game storage.GameID, drawn string, more ...string) []Button {
	return []Button{
		NewButton(words.Label("yes"), verb+"-yes", game, drawn, more...), NewButton(words.Label("no"), verb+"-no", game, drawn, more...),
	}
}
