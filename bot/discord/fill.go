package discord

import (
	"regexp"
	"slices"
	"strings"

	"chimera/bot"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// clickable makes the commands in a text clickable, or at least begin with a slash; the fields to fill in
// follow them, in a language.
func (a *Adapter) clickable(t words.Text, l phrase.Language) (said words.Text) {
	filler := filler{a.games(), l}
	ids := map[string]string{}
	if known := a.ids.Load(); known != nil {
		ids = *known
	}
	for _, s := range t {
		if s.Style != words.Code || s.Person != 0 || !s.Moment.IsZero() {
			said = append(said, s)
			continue
		}
		if game, is := filler.ofGame(s.Words); is {
			said = append(said, words.Span{Words: game, Style: words.Code})
			continue
		}
		c, is := filler.fill(s.Words)
		switch {
		case !is:
			said = append(said, s)
		case ids[c.Name] == "":
			said = append(said, words.Span{Words: strings.TrimSpace("/" + c.Path + " " + c.Fields), Style: words.Code})
		default:
			said = append(said, words.Span{Words: "/" + c.Path + ":" + ids[c.Name], Style: words.Link})
			if c.Fields != "" {
				said = append(said, words.Span{Words: " "}, words.Span{Words: c.Fields, Style: words.Code})
			}
		}
	}
	return said
}

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
}

// fill turns a typed command into a filled-in one, and reports whether it is a command. Words without a
// field stand as they are typed.
func (f *filler) fill(typed string) (filled filling, is bool) {
	name, rest, _ := strings.Cut(typed, " ")
	c := bot.CommandNamed(name)
	if c.Name == "" || strings.Contains(name, "/") {
		return filling{}, false
	}
	args, path := c.Args, c.Name
	for _, form := range c.Args { // of which the one that says most comes last
		after, says := strings.CutPrefix(rest+" ", form.Says+" ")
		if form.Kind == bot.ArgForm && (says || form.Says == "") {
			args, path = form.Args, c.Name+" "+form.Name
			if form.Says != "" {
				rest = strings.TrimSpace(after)
			}
		}
	}
	fields, ok := f.fields(args, strings.Fields(rest))
	if !ok {
		fields = rest
	}
	return filling{c.Name, path, fields}, true
}

// ofGame is the field of the game whose number begins a text; false if none does, or nothing follows.
func (f *filler) ofGame(typed string) (field string, is bool) {
	number, rest, _ := strings.Cut(typed, " ")
	if rest == "" || !strings.HasPrefix(number, "#") || !isNumber(number) {
		return "", false
	}
	return f.field(&bot.Arg{Name: fieldGame}, number), true
}

// fields are words as filled-in arguments; false if some have no place there. Arguments that can be any
// words are tried last, and take in what has no place of its own.
func (f *filler) fields(args []bot.Arg, words []string) (text string, ok bool) {
	var all []string
	free := slices.Clone(args)
	running := false // the last field can be any words
	for len(words) > 0 {
		n, value := 0, ""
		i := slices.IndexFunc(free, func(a bot.Arg) bool {
			n, value = f.is(&a, words)
			return n > 0
		})
		if i < 0 {
			i, n, value = slices.IndexFunc(free, func(a bot.Arg) bool { return isText(a.Kind) }), 1, words[0]
		}
		switch {
		case i >= 0:
			running = isText(free[i].Kind)
			all = append(all, f.field(&free[i], value))
			free = slices.Delete(free, i, i+1)
		case running:
			all[len(all)-1] += " " + value
		default:
			return "", false
		}
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
		switch word {
		case a.Name:
			return 1, book.Say("label.true").Text(f.Language)
		case a.No:
			return 1, book.Say("label.false").Text(f.Language)
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
		if words[0] == g.Value {
			return 1, g.Name
		}
	}
	return 0, ""
}
