package bot

import (
	"context"
	"slices"

	"chimera/bot/command"
	"chimera/bot/message"
	"chimera/bot/words"
)

func vacation(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	var err error
	switch days, ok := command.Days(r.Said["days"]); {
	case ok && days > 0:
		_, err = b.Match.GoAway(ctx, r.By(), days)
	case r.Said["days"] != "":
		_, err = b.Match.ComeBack(ctx, r.By())
	default:
		return vacationState(ctx, b, r)
	}
	if err != nil {
		return nil, err
	}
	return vacationChanged(ctx, b, r)
}

// vacationChanged answers what has begun or ended a vacation: with hardly a word where
// everybody hears of it, and sees the answer.
func vacationChanged(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	said, err := vacationState(ctx, b, r)
	if err != nil || !r.Msg.Public {
		return said, err
	}
	games, err := b.playing(ctx, r)
	for _, g := range games {
		if g.Pace.Move > 0 && slices.Contains(g.Places(), r.Here.ID) {
			said.Ack = true
		}
	}
	return said, err
}

func vacationState(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	left, p, err := b.Match.VacationLeft(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Vacation(left, p)), nil
}
