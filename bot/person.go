package bot

import (
	"context"

	"chimera/bot/archive"
	"chimera/bot/message"
	"chimera/bot/words"
)

// blocking keeps a person's challenges from the asker, or lets them through again.
func blocking(wanted bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if len(r.Args) == 0 {
			return r.Answer(words.Say("person.block-whom")), nil
		}
		whom, err := b.Named(ctx, r, r.Args[0])
		if err != nil {
			return nil, err
		}
		_, err = b.Users.Block(ctx, r.By(), whom.ID, wanted)
		return r.Answer(words.Blocked(whom, wanted)), err
	}
}

func myData(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	record, err := b.Users.Record(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	text, err := archive.Readable(record)
	if err != nil {
		return nil, err
	}
	file := &message.File{Name: "mydata.json", Content: text}
	return &message.Message{To: r.Me.ID, Text: words.Say("person.all-about-you"), File: file}, nil
}

// forgetting forgets the asker, once that is sure.
func forgetting(sure bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.Done(b.Users.Forget(ctx, r.By(), sure))
	}
}

func stay(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Users.Stay(ctx, r.By())
	return r.Answer(words.Say("person.stays")), err
}
