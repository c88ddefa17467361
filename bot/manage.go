package bot

import (
	"context"
	"strconv"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// hide takes a person off the server's leaderboards, or puts them there again.
func hide(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) != 1 {
		return r.Answer(words.Say("settings.hide-whom", "verb", r.Command.Name)), nil
	}
	whom, err := b.Named(ctx, r, r.Args[0])
	if err != nil {
		return nil, err
	}
	hidden := r.Command.Name == "hide"
	_, err = b.Users.Hide(ctx, r.By(), whom.ID, hidden)
	return r.Answer(words.Hidden(whom, hidden)), err
}

// annul takes a game of the server out of its leaderboards, at the second word.
func annul(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 1 && r.Game == 0 {
		if n, err := strconv.ParseUint(r.Args[0], 10, 63); err == nil {
			r.Game, r.Args = storage.GameID(n), nil
		}
	}
	if len(r.Args) > 0 || r.Game == 0 {
		return r.Answer(words.Say("settings.annul-what")), nil
	}
	return annulling(false)(ctx, b, r)
}

func annulling(sure bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		d, err := b.Ratings.LeaveOut(ctx, r.By(), r.Game, sure)
		if err == nil && d.Kind == event.Chose {
			return r.Answer(words.Say("settings.annulled", "game", r.Game)), nil
		}
		return r.Done(d, err)
	}
}

func letCount(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Ratings.LetCount(ctx, r.By(), r.Game)
	return r.Answer(words.Say("settings.still-counts", "game", r.Game)), err
}
