package discord

import (
	"context"
	"encoding/json"
	"strings"

	"chimera/bot"
)

// keyIDs begins the name under which the ids of commands are remembered, by their names.
const keyIDs = "command-ids/"

// learn takes in the ids that commands have, from Discord's answer to registering them.
func (a *Adapter) learn(ctx context.Context, application string, registered []struct{ ID, Name string }) {
	ids := map[string]string{}
	for _, c := range registered {
		ids[c.Name] = c.ID
	}
	text, err := json.Marshal(ids)
	if err == nil && len(ids) > 0 {
		a.note(ctx, keyIDs+application, string(text))
		a.ids.Store(&ids)
	}
}

// knowsIDs reads the ids that were learned, and reports whether there are any.
func (a *Adapter) knowsIDs(ctx context.Context, application string) bool {
	var ids map[string]string
	if json.Unmarshal([]byte(a.recall(ctx, keyIDs+application)), &ids) != nil || len(ids) == 0 {
		return false
	}
	a.ids.Store(&ids)
	return true
}

// clickable is a text whose commands can be pressed, or at least begin with a slash.
func (a *Adapter) clickable(t bot.Text) (said bot.Text) {
	for _, s := range t {
		if s.Style != bot.Code || s.Person != 0 || !s.Moment.IsZero() {
			said = append(said, s)
			continue
		}
		name, rest, _ := strings.Cut(s.Words, " ")
		c := bot.CommandNamed(name)
		ids := a.ids.Load()
		if c.Name == "" || strings.Contains(name, "/") {
			said = append(said, s)
			continue
		}
		path, rest := pathOf(c, rest)
		if ids == nil || (*ids)[c.Name] == "" {
			said = append(said, bot.Span{Words: strings.TrimSpace("/" + path + " " + rest), Style: bot.Code})
			continue
		}
		said = append(said, bot.Span{Words: "/" + path + ":" + (*ids)[c.Name], Style: bot.Link})
		if rest != "" {
			said = append(said, bot.Span{Words: " "}, bot.Span{Words: rest, Style: bot.Code})
		}
	}
	return said
}

// pathOf is how Discord names a command, or that of its forms for which some words stand, and
// the words that follow.
func pathOf(c bot.Command, words string) (path, rest string) {
	form := ""
	for _, arg := range c.Args {
		if arg.Kind != bot.ArgForm {
			continue
		}
		after, says := strings.CutPrefix(words+" ", arg.Says+" ")
		switch {
		case arg.Says != "" && says:
			return c.Name + " " + arg.Name, strings.TrimSpace(after)
		case arg.Says == "" && form == "":
			form = arg.Name
		}
	}
	return strings.TrimSpace(c.Name + " " + form), words
}
