package bot

import (
	"context"
	"slices"

	"chimera/bot/command"
	"chimera/bot/message"
	"chimera/bot/words"
)

func vacation(ctx context.Context, desk *Desk, r Request) ([]message.Message, error) {
	var err error
	switch days, ok := command.Days(r.Said["days"]); {
	case ok && days > 0:
		_, err = desk.Match.GoAway(ctx, r.By(), days)
	case r.Said["days"] != "":
		_, err = desk.Match.ComeBack(ctx, r.By())
	default:
		return vacationState(ctx, desk, r)
	}
	if err != nil {
		return nil, err
	}
	return vacationChanged(ctx, desk, r)
}

// vacationChanged answers what has begun or ended a vacation: with hardly a word where
// everybody hears of it, and sees the answer.
func vacationChanged(ctx context.Context, desk *Desk, r Request) ([]message.Message, error) {
	notes, err := vacationState(ctx, desk, r)
	if err != nil || !r.Msg.Public {
		return notes, err
	}
	games, err := desk.Games.Playing(ctx, r.Me.ID)
	for _, g := range games {
		if g.Pace.Move > 0 && slices.Contains(g.Places(), r.Here.ID) {
			notes[0].Ack = true
		}
	}
	return notes, err
}

func vacationState(ctx context.Context, desk *Desk, r Request) ([]message.Message, error) {
	left, p, err := desk.Match.VacationLeft(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Vacation(left, p)), nil
}
