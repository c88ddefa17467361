package discord

import (
	"fmt"
	"strings"

	"chimera/bot"
	"chimera/bot/match"
)

// compose writes a command that was filled in as people write it, and says who is meant
// by it.
func compose(i *interaction) (string, map[string]bot.Person) {
	named := map[string]bot.Person{}
	for id, u := range i.Data.Resolved.Users {
		if u.ID == "" {
			u.ID = id
		}
		named["<@"+u.ID+">"] = person(&u)
	}
	if i.Data.Name == menuChallenge {
		return "challenge <@" + i.Data.TargetID + ">", named
	}
	text := []string{i.Data.Name}
	options := i.Data.Options
	for _, o := range options {
		if len(o.Options) > 0 || o.Type == optionCommand { // settings of oneself, or of the server
			if o.Name == "server" {
				text = append(text, "here")
			}
			options = o.Options
		}
	}
	for _, o := range options {
		if w := word(i.Data.Name, o); w != "" {
			text = append(text, w)
		}
	}
	return strings.Join(text, " "), named
}

// odd says what is wrong with how a command was filled in, "" if nothing.
func odd(i *interaction) string {
	options := i.Data.Options
	filled := map[string]string{}
	for len(options) == 1 && options[0].Type == optionCommand {
		options = options[0].Options
	}
	for _, o := range options {
		filled[o.Name], _ = o.Value.(string)
	}
	game, named := filled[fieldGame]
	game = strings.TrimPrefix(strings.TrimSpace(game), "#")
	switch i.Data.Name {
	case "challenge", "rules", "top", "how": // a kind of game
	default:
		code := i.Data.Name == "accept" && len(game) == match.CodeLength
		if named && !code && (game == "" || strings.Trim(game, "0123456789") != "") {
			return "A game is meant by its number, such as #12. Choose one of those that are suggested."
		}
	}
	_, value := filled["value"]
	if _, whom := filled["person"]; (value || whom && i.Data.Name == "settings") && filled["name"] == "" {
		return "Choose the name of the setting too."
	}
	return ""
}

// optionCommand is the type of an option that is a command below another.
const optionCommand = 1

// optionPerson is the type of an option that is a person.
const optionPerson = 6

// word is what an option says in the text of a command.
func word(command string, o option) string {
	switch v := o.Value.(type) {
	case bool:
		switch {
		case o.Name == "rated" && !v:
			return "unrated"
		case v:
			return o.Name
		}
		return ""
	case float64:
		n := int(v)
		switch {
		case command == "vacation" && n == 0:
			return "off"
		case o.Name == "days":
			return fmt.Sprintf("%dd", n)
		}
		return fmt.Sprint(n)
	case string:
		v = strings.TrimSpace(v)
		switch {
		case o.Type == optionPerson:
			return "<@" + v + ">"
		case o.Name == fieldGame && strings.Trim(v, "0123456789") == "" && v != "":
			return "#" + v
		}
		return v
	}
	return ""
}
