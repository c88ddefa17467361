package note

import (
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/words"
	"chimera/storage"
)

// Button is something that can be pressed instead of writing.
type Button struct {
	Label string
	Do    string // comes back when it is pressed
}

// None stands in a press for what does not matter, or is not chosen yet.
const None = "-"

// NewButton makes a Button that does something in a game, 0 for none, as long as so many moves
// have been played there as when it was drawn, or None where that does not matter; more words
// may follow.
func NewButton(label, verb string, game storage.GameID, drawn string, more ...string) Button {
	return Button{label, strings.Join(append([]string{verb, fmt.Sprint(game), drawn}, more...), " ")}
}

// game is the one that a button is about, 0 for none.
func (b Button) game() storage.GameID {
	if said := strings.Fields(b.Do); len(said) > 1 {
		n, _ := strconv.ParseUint(said[1], 10, 64)
		return storage.GameID(n)
	}
	return 0
}

// BoardButtons are those below a board.
func BoardButtons(game storage.GameID, ply int) []Button {
	drawn := strconv.Itoa(ply)
	return []Button{
		NewButton(words.LabelMove, "pick", game, drawn, None, None, "0"),
		NewButton(words.LabelFlip, "flip", game, drawn),
		NewButton(words.LabelDraw, "draw", game, drawn),
		NewButton(words.LabelResign, "resign", game, drawn),
		NewButton(words.LabelMore, "more", game, drawn),
	}
}

// YesNo are the buttons below a question.
func YesNo(verb string, game storage.GameID, drawn string, more ...string) []Button {
	return []Button{
		NewButton(words.LabelYes, verb+"-yes", game, drawn, more...), NewButton(words.LabelNo, verb+"-no", game, drawn, more...),
	}
}
