package bot

import (
	"context"

	"chimera/bot/command"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

func showRules(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 0 {
		return listRules(b, r), nil
	}
	v := command.Variant(b.Games.Variants(), r.Args...)
	if v == nil {
		return r.Answer(words.NoVariant("rules", r.Text, command.LikelyVariants(b.Games.Variants(), r.Text), b.Games.Variants())), nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	d := diagram.Of(start, nil, rules.White)
	said := message.Message{To: r.Me.ID, Text: words.Rules(v), Board: &d, Step: r.Msg.Press != ""}
	if len(v.Course) > 0 {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("learn"), "learn", 0, message.None, v.Key))
	}
	said.Buttons = append(said.Buttons,
		message.NewButton(words.Label("play-me"), "play-game", 0, message.None, v.Key),
		message.NewButton(words.Label("back"), "rules", 0, message.None))
	return &said, nil
}

// listRules lets somebody choose a game whose rules they want.
func listRules(b *Bot, r Request) *message.Message {
	said := message.Message{To: r.Me.ID, Text: words.ListRules(b.Games.Variants()), Step: r.Msg.Press != ""}
	for _, v := range b.Games.Variants() {
		said.Buttons = append(said.Buttons, message.NewButton(phrase.As(v.Name), "rules-of", 0, message.None, v.Key).Choose(v.About))
	}
	if said.Step {
		said.Buttons = append(said.Buttons, toHello())
	}
	return &said
}
