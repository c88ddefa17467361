package discord

import (
	"context"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
)

// complete says how a command that somebody writes can go on.
func (a *Adapter) complete(ctx context.Context, q *reply) {
	i := q.i
	defer a.rescue(ctx, "autocomplete")
	said := a.saidBy(ctx, i)
	said.ID = ""
	var typed, field, game string
	for _, o := range i.Data.Options {
		v, _ := o.Value.(string)
		if o.Focused {
			typed, field = v, o.Name
		} else if o.Name == fieldGame {
			game = numbered(v)
		}
	}
	found := a.bot.Suggest(ctx, said, i.Data.Name, field, game, typed)
	const most, longest = 25, 100
	choices := []choice{}
	for _, s := range found {
		if len(choices) < most && s.Value != "" && adapter.Length(s.Value) <= longest {
			choices = append(choices, choice{Name: adapter.Clip(s.Label, longest), Value: s.Value})
		}
	}
	q.first(ctx, replied, discordgo.InteractionApplicationCommandAutocompleteResult, map[string]any{"choices": choices}, post{})
}
