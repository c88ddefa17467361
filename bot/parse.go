package bot

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/command"
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

// arguments are what the words of a request say, by the names of the command's arguments and in
// any order; fault answers a word that says nothing, or what another has said.
func (b *Bot) arguments(r Request) (said map[string]string, fault words.Text) {
	said = map[string]string{}
	for rest := r.Args; len(rest) > 0; {
		a, n := b.argument(r, rest)
		text := strings.TrimRight(strings.Join(rest[:max(n, 1)], " "), ",;")
		if a != nil && a.Kind == ArgWord {
			text = strings.TrimRight(rest[n-1], ",;") // without what it is called
		}
		switch {
		case a == nil:
			return nil, r.Command.Odd(b, text)
		case said[a.Name] != "" && r.Command.Twice != nil:
			return nil, r.Command.Twice(a, said[a.Name], text)
		}
		said[a.Name] = text
		rest = rest[n:]
	}
	return said, nil
}

// argument is the one that the next words say, and how many of them do; nil if none. The kind
// of a game is tried last: its name may be anything.
func (b *Bot) argument(r Request, rest []string) (a *Arg, n int) {
	word := strings.ToLower(strings.TrimRight(rest[0], ",;"))
	all := r.Command.Args
	for i := range all {
		if r.says(&all[i], word) {
			return &all[i], 1
		}
		if all[i].Kind == ArgWord && word == all[i].Name && len(rest) > 1 && r.says(&all[i], strings.ToLower(strings.TrimRight(rest[1], ",;"))) {
			return &all[i], 2
		}
	}
	for i := range all {
		if all[i].Kind == ArgVariant {
			if _, n := command.FirstVariant(b.Games.Variants(), rest); n > 0 {
				return &all[i], n
			}
		}
	}
	return nil, 0
}

// says reports whether a word says what an argument is.
func (r Request) says(a *Arg, word string) bool {
	switch a.Kind {
	case ArgWord:
		return slices.Contains(a.Words, word)
	case ArgFlag:
		return word == a.Name || a.No != "" && word == a.No
	case ArgNumber:
		n, err := strconv.Atoi(word)
		return err == nil && n >= a.Least
	case ArgDays:
		n, ok := command.Days(word)
		return ok && n >= a.Least || a.No != "" && word == a.No
	case ArgPace:
		_, ok := command.Pace(word)
		return ok
	case ArgMonth:
		return command.IsMonth(word)
	case ArgPerson:
		return r.names(word) && len(word) > 1 || a.Name == "opponent" && word == Computer
	default:
		return false
	}
}

// Computer is what people write for it where they name an opponent.
const Computer = "computer"
