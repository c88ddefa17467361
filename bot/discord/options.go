package discord

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/match"
)

// option is what somebody has filled in for an argument.
type option = discordgo.ApplicationCommandInteractionDataOption

// asTyped is a command that was filled in, as people type it.
func asTyped(name string, filled []*option) string {
	args, options, says := filledFor(name, filled)
	text := []string{name}
	if says != "" {
		text = append(text, says)
	}
	for _, o := range options {
		if w := word(argumentOf(args, o), o); w != "" {
			text = append(text, w)
		}
	}
	return strings.Join(text, " ")
}

// filledFor are the options that were filled in for a command or one of its forms, with the arguments they
// are for, and the words that are typed before them.
func filledFor(name string, filled []*option) (args []bot.Arg, options []*option, says string) {
	args = bot.CommandNamed(name).Args
	for _, o := range filled {
		if len(o.Options) > 0 || o.Type == discordgo.ApplicationCommandOptionSubCommand {
			form := argumentOf(args, o)
			return form.Args, o.Options, form.Says
		}
	}
	return args, filled, ""
}

// argumentOf is what an option was filled in as.
func argumentOf(args []bot.Arg, o *option) bot.Arg {
	for _, a := range args {
		if a.Name == o.Name {
			return a
		}
	}
	return bot.Arg{Name: o.Name}
}

// fieldGame is the name of arguments that are games.
const fieldGame = "game"

// namesGame reports whether a text can be filled in for an argument. If that is a game, it is a number, the
// code of a challenge, or the name of whoever offers it.
func namesGame(a *bot.Arg, text string) bool {
	text = strings.TrimSpace(text)
	switch a.Kind {
	case bot.ArgGame, bot.ArgEnded:
		return isNumber(text)
	case bot.ArgOffer, bot.ArgOwnOffer:
		return isNumber(text) || a.Code && len(text) == match.CodeLength || strings.HasPrefix(text, "@") || strings.HasPrefix(text, "<@")
	default:
		return true
	}
}

// isNumber reports whether a text is the number of a game, with or without its #.
func isNumber(text string) bool {
	n := strings.TrimPrefix(strings.TrimSpace(text), "#")
	return n != "" && strings.Trim(n, "0123456789") == ""
}

// word is what an option says in the text of a command.
func word(a bot.Arg, o *option) string {
	switch v := o.Value.(type) {
	case bool:
		if v {
			return a.Name
		}
		return a.No
	case float64:
		return counted(&a, fmt.Sprint(int(v)))
	case string:
		v = strings.TrimSpace(v)
		switch {
		case o.Type == discordgo.ApplicationCommandOptionUser:
			return "<@" + v + ">"
		case o.Name == fieldGame:
			return numbered(v)
		case a.Kind == bot.ArgDays, a.Kind == bot.ArgPace:
			return counted(&a, strings.ToLower(strings.Join(strings.Fields(v), "")))
		}
		return v
	}
	return ""
}

var zero = regexp.MustCompile(`^0+d?$`)

// counted is a number as it is typed for an argument: days end in "d".
func counted(a *bot.Arg, text string) string {
	switch days := a.Kind == bot.ArgDays || a.Kind == bot.ArgPace; {
	case a.No != "" && zero.MatchString(text):
		return a.No
	case days && text != "" && strings.Trim(text, "0123456789") == "":
		return text + "d"
	}
	return text
}

// numbered is a game as it is typed: the # may be left out where it is filled in.
func numbered(game string) string {
	game = strings.TrimSpace(game)
	if isNumber(game) {
		return "#" + strings.TrimPrefix(game, "#")
	}
	return game
}
