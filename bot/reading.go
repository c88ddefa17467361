package bot

import (
	"regexp"
	"strconv"
	"strings"

	"chimera/bot/words"
	"chimera/storage"
)

// Reading is what a text says.
type Reading struct {
	Command *Command       // nil if the text names none
	Name    string         // of the command, with those that it stands below
	Game    storage.GameID // named by "#12", or 0
	Args    []string       // the words after the command, without the game
	Text    string         // the same as written
	Fault   words.Text     // what is wrong with the number of the game
}

var gameNumber = regexp.MustCompile(`^#([0-9]{1,18})[:,.;]?$`)

// Read reads the command of a text, if it names one of these, and the rest.
func (all Table) Read(text string) (said Reading) {
	for w := range strings.FieldsSeq(text) {
		found := gameNumber.FindStringSubmatch(w)
		if found == nil {
			said.Args = append(said.Args, w)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64) // 18 digits fit
		switch {
		case n == 0:
			said.Fault = words.Say("request.no-game-zero")
			return said
		case said.Game != 0:
			said.Fault = words.Say("request.one-game", "word", w)
			return said
		}
		said.Game = storage.GameID(n)
	}
	if len(said.Args) > 0 {
		said.enter(all.Called(said.Args[0]))
	}
	said.Text = strings.Join(said.Args, " ")
	return said
}

// enter takes the next word for a command, or for none if that is nil, and goes on below it.
func (said *Reading) enter(c *Command) {
	if c == nil {
		return
	}
	said.Command, said.Name, said.Args = c, strings.TrimSpace(said.Name+" "+c.Name), said.Args[1:]
	if len(c.Subs) > 0 && len(said.Args) > 0 {
		said.enter(c.Subs.Find(said.Args[0]))
	}
}
