package bot

import (
	"context"
	"errors"
	"strings"

	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/render"
	"chimera/rules"
	"chimera/storage"
)

func (b *Bot) rules(_ context.Context, r request) ([]Note, error) {
	if len(r.args) == 0 {
		return r.answer(words.ListRules(b.Games.Variants())), nil
	}
	v := typed.Variant(b.Games.Variants(), r.args...)
	if v == nil {
		return r.answer(words.NoVariant(r.text, typed.NearestVariant(b.Games.Variants(), r.text), b.Games.Variants())), nil
	}
	start, err := v.Position("")
	if err != nil {
		return nil, err
	}
	d := render.Of(start, nil, rules.White)
	return []Note{{To: r.me.ID, Text: words.Say(v.Rules), Board: &d}}, nil
}

func (b *Bot) help(_ context.Context, r request) ([]Note, error) {
	switch {
	case len(r.args) == 0:
		return r.answer(words.Tell("help.begin")), nil
	case strings.EqualFold(r.args[0], "all"):
		return r.answer(words.HelpAll(b.usages())), nil
	}
	c := called(b.commands, strings.TrimPrefix(r.args[0], "/"))
	if c == nil {
		return r.answer(words.Unknown(r.args[0], b.nearest(r.args[0]))), nil
	}
	return r.answer(words.HelpOne(c.usage())), nil
}

func (b *Bot) version(_ context.Context, r request) ([]Note, error) {
	return r.answer(words.Say(b.about)), nil
}

// status says how the bot is, and really writes something to know that it can.
func (b *Bot) status(ctx context.Context, r request) ([]Note, error) {
	err := b.Upkeep.Probe(ctx)
	b.Upkeep.Stored(ctx, b.log, err)
	if errors.Is(err, storage.ErrNotSaved) {
		return r.answer(words.Say(b.about, ": ", words.Tell("help.cannot-save"))), nil
	}
	if err != nil {
		return nil, err
	}
	parked, err := b.Upkeep.Parked(ctx)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Status(b.about, b.missing(), parked)), nil
}

func (b *Bot) privacy(_ context.Context, r request) ([]Note, error) {
	return r.answer(words.Tell("person.privacy")), nil
}
