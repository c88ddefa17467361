package bot

import (
	"slices"
	"strconv"
	"strings"

	"chimera/bot/command"
	"chimera/bot/words"
)

// Arguments are what the words of a request say, by the names of the command's arguments and in
// any order; fault answers a word that says nothing, or what another has said.
func (b *Bot) Arguments(r Request) (said map[string]string, fault words.Text) {
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
		if r.Says(&all[i], word) {
			return &all[i], 1
		}
		if all[i].Kind == ArgWord && word == all[i].Name && len(rest) > 1 && r.Says(&all[i], strings.ToLower(strings.TrimRight(rest[1], ",;"))) {
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

// Says reports whether a word says what an argument is.
func (r Request) Says(a *Arg, word string) bool {
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
		return r.Names(word) && len(word) > 1 || a.Name == "opponent" && word == Computer
	default:
		return false
	}
}

// Computer is what people write for it where they name an opponent.
const Computer = "computer"
