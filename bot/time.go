package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/ask"
	"chimera/bot/match"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/storage"
)

// usualDays is how much time addtime gives where no number is named.
const usualDays = 1

func addTime(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	days, ok := typed.Days(r.Said["days"])
	if !ok {
		days = usualDays
	}
	id, err := desk.Meant(ctx, r, ask.AnyGame)
	if err != nil {
		return nil, err
	}
	return r.Done(desk.Match.AddTime(ctx, r.By(), id, days))
}

func claim(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	id, err := desk.Meant(ctx, r, ask.AnyGame)
	if err != nil {
		return nil, err
	}
	return r.Done(desk.Match.Claim(ctx, r.By(), id))
}

func vacation(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	var err error
	switch days, ok := typed.Days(r.Said["days"]); {
	case ok && days > 0:
		_, err = desk.Clocks.GoAway(ctx, r.By(), days)
	case r.Said["days"] != "":
		_, err = desk.Clocks.ComeBack(ctx, r.By())
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
func vacationChanged(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
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

func vacationState(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	left, p, err := desk.Clocks.VacationLeft(ctx, r.Me.ID)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Vacation(left, p)), nil
}

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	id, err := desk.Meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.Me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.Text == "":
	case strings.EqualFold(r.Text, "clear"):
		if _, err := desk.Match.ClearPlan(ctx, r.By(), id); err != nil {
			return nil, err
		}
		return r.Answer(words.Say("clock.plan-cleared", "game", words.Hash(id))), nil
	default:
		if _, err := desk.Match.Plan(ctx, r.By(), id, r.Text); err != nil {
			return nil, err
		}
	}
	lines, err := desk.Games.PlanOf(ctx, r.Me.ID, id)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Plan(id, lines, r.Msg.Public && r.Text != "")), nil
}
