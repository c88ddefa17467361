package bot

import (
	"context"

	"chimera/bot/archive"
	"chimera/bot/words"
)

// blocking keeps a person's challenges from the asker, or lets them through again.
func blocking(wanted bool) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		if len(r.args) == 0 {
			return r.answer(words.Say("person.block-whom")), nil
		}
		whom, err := desk.named(ctx, r, r.args[0])
		if err != nil {
			return nil, err
		}
		_, err = desk.People.Block(ctx, r.by(), whom.ID, wanted)
		return r.answer(words.Blocked(whom, wanted)), err
	}
}

func myData(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	record, err := desk.People.Record(ctx, r.me.ID)
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
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		return r.done(desk.People.Forget(ctx, r.by(), sure))
	}
}

func stay(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	_, err := desk.People.Stay(ctx, r.by())
	return r.answer(words.Say("person.stays")), err
}

// playOn takes back that somebody wanted to end a game.
func playOn(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	_, err := desk.Match.PlayOn(ctx, r.by(), r.game)
	return r.answer(words.Say("offer.goes-on")), err
}
