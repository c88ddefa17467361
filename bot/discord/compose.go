package discord

import (
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// compose writes a command that was filled in as people write it, and says who is meant
// by it.
func compose(i *interaction) (string, map[string]bot.Person) {
	named := map[string]bot.Person{}
	for id, u := range i.Data.Resolved.Users {
		if u != nil {
			named["<@"+id+">"] = person(u)
		}
	}
	if i.Data.Name == menuChallenge {
		return "challenge <@" + i.Data.TargetID + ">", named
	}
	args, options, says := formOf(i)
	text := []string{i.Data.Name}
	if says != "" {
		text = append(text, says)
	}
	for _, o := range options {
		if w := word(argument(args, o), o); w != "" {
			text = append(text, w)
		}
	}
	return strings.Join(text, " "), named
}

// formOf is what was filled in for a command, as which arguments, and what is written before
// them, if anything is: those of the command itself, or of one of its forms.
func formOf(i *interaction) (args []bot.Arg, options []*discordgo.ApplicationCommandInteractionDataOption, says string) {
	args, options = bot.CommandNamed(i.Data.Name).Args, i.Data.Options
	for _, o := range options {
		if len(o.Options) > 0 || o.Type == discordgo.ApplicationCommandOptionSubCommand {
			form := argument(args, o)
			return form.Args, o.Options, form.Says
		}
	}
	return args, options, ""
}

// argument is what an option was filled in as.
func argument(args []bot.Arg, o *discordgo.ApplicationCommandInteractionDataOption) bot.Arg {
	for _, a := range args {
		if a.Name == o.Name {
			return a
		}
	}
	return bot.Arg{Name: o.Name}
}

// fieldGame is the name of arguments that are games.
const fieldGame = "game"

// odd says what is wrong with how a command was filled in, nothing if that is right.
func odd(i *interaction) bot.Text {
	args, options, _ := formOf(i)
	filled := map[string]string{}
	for _, o := range options {
		v, _ := o.Value.(string)
		filled[o.Name] = v
		a, game := argument(args, o), strings.TrimPrefix(strings.TrimSpace(v), "#")
		if isNumber := game != "" && strings.Trim(game, "0123456789") == ""; isGame(a) && !isNumber && (!a.Code || len(game) != bot.CodeLength) {
			return say("number-of-game")
		}
	}
	_, value := filled["value"]
	if _, whom := filled["person"]; (value || whom && i.Data.Name == "settings") && filled["setting"] == "" {
		return say("name-of-setting")
	}
	return nil
}

// isGame reports whether an argument is the number of a game.
func isGame(a bot.Arg) bool {
	switch a.Kind {
	case bot.ArgGame, bot.ArgOffer, bot.ArgOwnOffer, bot.ArgEnded:
		return true
	default:
		return false
	}
}

// word is what an option says in the text of a command.
func word(a bot.Arg, o *discordgo.ApplicationCommandInteractionDataOption) string {
	switch v := o.Value.(type) {
	case bool:
		if v {
			return a.Name
		}
		return a.No
	case float64:
		n := int(v)
		switch {
		case n == 0 && a.No != "":
			return a.No
		case a.Kind == bot.ArgDays, a.Kind == bot.ArgPace:
			return fmt.Sprintf("%dd", n)
		}
		return fmt.Sprint(n)
	case string:
		v = strings.TrimSpace(v)
		if o.Type == discordgo.ApplicationCommandOptionUser {
			return "<@" + v + ">"
		}
		if o.Name == fieldGame {
			return numbered(v)
		}
		return v
	}
	return ""
}

// numbered is a game as texts name it, whose number may be filled in alone.
func numbered(game string) string {
	game = strings.TrimSpace(game)
	if strings.Trim(game, "0123456789") == "" && game != "" {
		return "#" + game
	}
	return game
}
