package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"chimera/bot/match"
	"chimera/render"
)

// settings are a person's, or after the word "here" the server's.
func (b *Bot) settings(ctx context.Context, r request) ([]Note, error) {
	args := r.args
	here := len(args) > 0 && strings.EqualFold(args[0], "here")
	if here {
		args = args[1:]
	}
	switch {
	case len(args) > 2:
		return r.answer(tooManyWords(args[2])), nil
	case len(args) == 1:
		return r.answer(settingNeedsValue(args[0])), nil
	case here && r.server.ID == 0:
		return nil, &match.Refusal{Why: match.NoServer}
	case here && len(args) == 2 && !r.msg.Manager:
		return r.answer(managersOnly()), nil
	case len(args) == 2:
		value, ok := looks(strings.ToLower(args[0]), args[1])
		if !ok {
			return nil, &match.Refusal{Why: match.BadValue}
		}
		choose := b.match.Choose
		if here {
			choose = b.match.ChooseForServer
		}
		if _, err := choose(ctx, r.by(), args[0], value); err != nil {
			return nil, err
		}
	}
	if here {
		_, server, err := b.match.Visit(ctx, r.msg.Place, r.msg.Server)
		return r.answer(serverSettingsWords(match.ServerSettings(server.Settings))), err
	}
	person, err := b.match.Meet(ctx, r.msg.From.Address, r.msg.From.Name)
	return r.answer(settingsWords(match.Settings(person.Settings))), err
}

// looks reads the value of a setting about how boards look; "usual" is none. Other
// values are none of its business.
func looks(name, value string) (string, bool) {
	usual := strings.EqualFold(value, "usual")
	switch name {
	case match.SetTheme:
		if usual {
			return "", true
		}
		_, ok := render.ParseTheme(strings.ToLower(value))
		return value, ok
	case match.SetSize:
		if usual {
			return "", true
		}
		_, ok := sizes[strings.ToLower(value)]
		return value, ok
	}
	return value, true
}

func (b *Bot) block(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, true)
}

func (b *Bot) unblock(ctx context.Context, r request) ([]Note, error) {
	return b.setBlock(ctx, r, false)
}

func (b *Bot) setBlock(ctx context.Context, r request, blocked bool) ([]Note, error) {
	if no := r.only(1); no != nil {
		return no, nil
	}
	if len(r.args) == 0 {
		return r.answer(blockWhom()), nil
	}
	person, ok := r.msg.People[strings.ToLower(r.args[0])]
	if !ok {
		return r.answer(nobody(r.args[0])), nil
	}
	whom, err := b.match.Meet(ctx, person.Address, person.Name)
	if err != nil {
		return nil, err
	}
	if _, err := b.match.Block(ctx, r.by(), whom.ID, blocked); err != nil {
		return nil, err
	}
	return r.answer(blockedWords(whom, blocked)), nil
}

func (b *Bot) export(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	sight, err := b.look(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	text, err := b.match.Export(ctx, sight.Game.ID)
	if err != nil {
		return nil, err
	}
	file := &File{Name: fmt.Sprintf("chimera-%d.pgn", sight.Game.ID), Content: text}
	return []Note{{To: r.me.ID, Text: exported(sight.Game.ID), File: file}}, nil
}

func (b *Bot) myData(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	record, err := b.match.Record(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(record, "", "  ")
	if err != nil {
		return nil, err
	}
	file := &File{Name: "mydata.json", Content: string(text) + "\n"}
	return []Note{{To: r.me.ID, Text: allAboutYou(), File: file}}, nil
}

func (b *Bot) forgetMe(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	d, err := b.match.Forget(ctx, r.by(), false)
	return b.done(r, d, err)
}

func (b *Bot) privacy(_ context.Context, r request) ([]Note, error) {
	return r.answer(privacyWords()), nil
}
