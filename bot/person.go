package bot

import (
	"context"

	"chimera/bot/archive"
	"chimera/bot/words"
)

// blocking keeps a person's challenges from the asker, or lets them through again.
func blocking(wanted bool) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		if len(r.args) == 0 {
			return r.answer(words.Say("person.block-whom")), nil
		}
		whom, err := b.named(ctx, r, r.args[0])
		if err != nil {
			return nil, err
		}
		_, err = b.People.Block(ctx, r.by(), whom.ID, wanted)
		return r.answer(words.Blocked(whom, wanted)), err
	}
}

func (b *Bot) myData(ctx context.Context, r request) ([]Note, error) {
	record, err := b.People.Record(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	text, err := archive.Readable(record)
	if err != nil {
		return nil, err
	}
	file := &File{Name: "mydata.json", Content: text}
	return []Note{{To: r.me.ID, Text: words.Say("person.all-about-you"), File: file}}, nil
}

// forgetting forgets the asker, once that is sure.
func forgetting(sure bool) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		return r.done(b.People.Forget(ctx, r.by(), sure))
	}
}

func (b *Bot) stay(ctx context.Context, r request) ([]Note, error) {
	_, err := b.People.Stay(ctx, r.by())
	return r.answer(words.Say("person.stays")), err
}

// playOn takes back that somebody wanted to end a game.
func (b *Bot) playOn(ctx context.Context, r request) ([]Note, error) {
	_, err := b.Match.PlayOn(ctx, r.by(), r.game)
	return r.answer(words.Say("offer.goes-on")), err
}
