package bot

import (
	"context"
	"errors"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

func version(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.Answer(words.Of(b.About)), nil
}

// status says how the bot is, and really writes something to know that it can.
func status(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	err := b.Maintenance.Probe(ctx)
	b.Maintenance.Stored(ctx, b.Log, err)
	if errors.Is(err, storage.ErrNotSaved) {
		return r.Answer(words.Of(b.About, ". ", words.Say("help.cannot-save"))), nil
	}
	if err != nil {
		return nil, err
	}
	quarantined, err := b.Maintenance.Quarantined(ctx)
	if err != nil {
		return nil, err
	}
	games, _ := b.Thinker.Backlog(0)
	return r.Answer(words.Of(words.Status(b.About, b.Missing(), quarantined), words.Thinking(games))), nil
}

func privacy(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.Answer(words.Say("person.privacy", "pages", b.Pages() != "")), nil
}
