package discord

import (
	"context"
	"encoding/json"
	"strings"

	"chimera/bot/words"
	"chimera/rules/phrase"
)

// keyIDs begins the name under which the ids of commands are kept.
const keyIDs = "command-ids/"

// learn keeps the ids of commands, from Discord's answer to their registration.
func (a *Adapter) learn(ctx context.Context, application string, registered []struct{ ID, Name string }) {
	ids := map[string]string{}
	for _, c := range registered {
		ids[c.Name] = c.ID
	}
	text, err := json.Marshal(ids)
	if err == nil && len(ids) > 0 {
		a.state.Set(ctx, keyIDs+application, string(text))
		a.ids.Store(&ids)
	}
}

// knowsIDs reads the ids that were learned, and reports whether there are any.
func (a *Adapter) knowsIDs(ctx context.Context, application string) bool {
	var ids map[string]string
	if json.Unmarshal([]byte(a.state.Get(ctx, keyIDs+application)), &ids) != nil || len(ids) == 0 {
		return false
	}
	a.ids.Store(&ids)
	return true
}

// clickable makes the commands in a text clickable, or at least begin with a slash; what is to be filled
// in follows them, in a language.
func (a *Adapter) clickable(t words.Text, l phrase.Language) (said words.Text) {
	filler := filler{Games: a.games(), Language: l, Yes: book.Say("label.true").Text(l), No: book.Say("label.false").Text(l)}
	ids := a.ids.Load()
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
		case ids == nil || (*ids)[c.Name] == "":
			said = append(said, words.Span{Words: strings.TrimSpace("/" + c.Path + " " + c.Fields), Style: words.Code})
		default:
			said = append(said, words.Span{Words: "/" + c.Path + ":" + (*ids)[c.Name], Style: words.Link})
			if c.Fields != "" {
				said = append(said, words.Span{Words: " "}, words.Span{Words: c.Fields, Style: words.Code})
			}
		}
	}
	return said
}
