package bot

import (
	"context"
	"errors"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

func version(_ context.Context, desk *Desk, r Request) ([]message.Message, error) {
	return r.Answer(words.Of(desk.About)), nil
}

// status says how the bot is, and really writes something to know that it can.
func status(ctx context.Context, desk *Desk, r Request) ([]message.Message, error) {
	err := desk.Upkeep.Probe(ctx)
	desk.Upkeep.Stored(ctx, desk.Log, err)
	if errors.Is(err, storage.ErrNotSaved) {
		return r.Answer(words.Of(desk.About, ". ", words.Say("help.cannot-save"))), nil
	}
	if err != nil {
		return nil, err
	}
	parked, err := desk.Upkeep.Parked(ctx)
	if err != nil {
		return nil, err
	}
	games, _ := desk.Thinker.Backlog(0)
	return r.Answer(words.Of(words.Status(desk.About, desk.Missing(), parked), words.Thinking(games))), nil
}

func privacy(_ context.Context, desk *Desk, r Request) ([]message.Message, error) {
	return r.Answer(words.Say("person.privacy", "pages", desk.Pages() != "")), nil
}
