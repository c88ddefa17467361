package discord

import (
	"regexp"
	"slices"
	"strings"

	"chimera/bot"
	"chimera/rules/phrase"
)

// filling is a typed command as it is filled in on Discord.
type filling struct {
	Name   string // of the command
	Path   string // the same with its form
	Fields string // "opponent:@bob days:3d"; "" if nothing is filled in
}

// filler turns typed commands into filled-in ones.
type filler struct {
	Games    []choice
	Language phrase.Language
	Yes, No  string // what Discord calls an option that is on, and off
}

// fill turns a typed command into a filled-in one, and reports whether it is a command. Words without a
// field stand as they are typed.
func (f *filler) fill(typed string) (filled filling, is bool) {
	name, rest, _ := strings.Cut(typed, " ")
	c := bot.CommandNamed(name)
	if c.Name == "" || strings.Contains(name, "/") {
		return filling{}, false
	}
	args, path, rest := pathOf(&c, rest)
	fields, ok := f.fields(args, strings.Fields(rest))
	if !ok {
		fields = rest
	}
	return filling{c.Name, path, fields}, true
}

// ofGame is the field of the game whose number begins a text; false if none does, or nothing follows.
func (f *filler) ofGame(typed string) (field string, is bool) {
	number, rest, more := strings.Cut(typed, " ")
	if !more || rest == "" || !strings.HasPrefix(number, "#") || !isNumber(number) {
		return "", false
	}
	return f.field(&bot.Arg{Name: fieldGame}, number), true
}

// pathOf is how Discord names a command, or its form that begins with these words, with its arguments and
// the words that follow.
func pathOf(c *bot.Command, words string) (args []bot.Arg, path, rest string) {
	var form *bot.Arg
	for i := range c.Args {
		arg := &c.Args[i]
		if arg.Kind != bot.ArgForm {
			continue
		}
		after, says := strings.CutPrefix(words+" ", arg.Says+" ")
		switch {
		case arg.Says != "" && says:
			return arg.Args, c.Name + " " + arg.Name, strings.TrimSpace(after)
		case arg.Says == "" && form == nil:
			form = arg
		}
	}
	if form != nil {
		return form.Args, c.Name + " " + form.Name, words
	}
	return c.Args, c.Name, words
}

// fields are words as filled-in arguments; false if some have no place there.
func (f *filler) fields(args []bot.Arg, words []string) (text string, ok bool) {
	var all []string
	free := slices.Clone(args)
	running := false // the last field takes in what has no place of its own
	for len(words) > 0 {
		i, n, value := f.fits(free, words)
		switch {
		case i < 0 && !running:
			return "", false
		case i < 0:
			all[len(all)-1] += " " + words[0]
			words = words[1:]
			continue
		}
		running = isText(free[i].Kind)
		all = append(all, f.field(&free[i], value))
		free = slices.Delete(free, i, i+1)
		words = words[n:]
	}
	return strings.Join(all, " "), true
}

// field is an argument that is filled in.
func (f *filler) field(a *bot.Arg, value string) string { return a.Spoken(f.Language) + ":" + value }

// isText reports whether an argument can be any words.
func isText(kind bot.ArgKind) bool {
	return kind == bot.ArgText || kind == bot.ArgMove || kind == bot.ArgPiece || kind == bot.ArgCommand
}

// fits is the index of the argument that comes next, below 0 if there is none, how many words it takes, and
// how it is filled in. Arguments that can be any words are tried last.
func (f *filler) fits(args []bot.Arg, words []string) (i, n int, value string) {
	for i := range args {
		if n, value := f.is(&args[i], words); n > 0 {
			return i, n, value
		}
	}
	return slices.IndexFunc(args, func(a bot.Arg) bool { return isText(a.Kind) }), 1, words[0]
}

// argForms are those of arguments that are one word.
var argForms = map[bot.ArgKind]*regexp.Regexp{ //nolint:gochecknoglobals // never written
	bot.ArgPerson: regexp.MustCompile(`^@`),
	bot.ArgNumber: regexp.MustCompile(`^[0-9]+$`),
	bot.ArgDays:   regexp.MustCompile(`^[0-9]+d?$`),
	bot.ArgPace:   regexp.MustCompile(`^[0-9]+d(\+[0-9]+d)?$`),
	bot.ArgMonth:  regexp.MustCompile(`^[0-9]{4}-[0-9]{2}$`),
}

// is returns how many of the next words are an argument, unless that can be any words, and how it is filled
// in.
func (f *filler) is(a *bot.Arg, words []string) (n int, value string) {
	word := words[0]
	switch a.Kind {
	case bot.ArgGame, bot.ArgEnded, bot.ArgOffer, bot.ArgOwnOffer:
		if namesGame(a, word) {
			return 1, word
		}
	case bot.ArgVariant:
		return f.game(words)
	case bot.ArgGameOrKind:
		if !isNumber(word) {
			return f.game(words)
		}
		return 1, word
	case bot.ArgWord:
		if slices.Contains(a.Words, word) {
			return 1, a.Called(word).Text(f.Language)
		}
	case bot.ArgFlag:
		if yes := word == a.Name; yes || word == a.No {
			return 1, map[bool]string{true: f.Yes, false: f.No}[yes]
		}
	default:
		if form := argForms[a.Kind]; form != nil && (form.MatchString(word) || word == a.No) {
			return 1, word
		}
	}
	return 0, ""
}

// game is the kind of game that the next words name, as it stands in the list.
func (f *filler) game(words []string) (n int, name string) {
	for _, g := range f.Games {
		if called := len(strings.Fields(g.Name)); called <= len(words) && strings.EqualFold(strings.Join(words[:called], " "), g.Name) {
			return called, g.Name
		}
	}
	for _, g := range f.Games {
		if words[0] == g.Value {
			return 1, g.Name
		}
	}
	return 0, ""
}
