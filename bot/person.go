package bot

import (
	"context"
	"encoding/json"
	"fmt"

	"chimera/bot/match"
)

func (b *Bot) settings(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(2); no != nil {
		return no, nil
	}
	person := r.me
	switch len(r.args) {
	case 1:
		return r.answer(settingNeedsValue(r.args[0])), nil
	case 2:
		if _, err := b.match.Choose(ctx, r.by(), r.args[0], r.args[1]); err != nil {
			return nil, err
		}
		var err error
		if person, err = b.match.Meet(ctx, r.msg.From.Address, r.msg.From.Name); err != nil {
			return nil, err
		}
	}
	return r.answer(settingsWords(match.Settings(person.Settings))), nil
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
