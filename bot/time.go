package bot

import (
	"context"
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/storage"
)

// usualDays is how much time addtime gives where no number is named.
const usualDays = 1

func addTime(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	days, ok := typed.Days(r.said["days"])
	if !ok {
		days = usualDays
	}
	id, err := desk.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(desk.Match.AddTime(ctx, r.by(), id, days))
}

func claim(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	id, err := desk.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(desk.Match.Claim(ctx, r.by(), id))
}

func vacation(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	var err error
	switch days, ok := typed.Days(r.said["days"]); {
	case ok && days > 0:
		_, err = desk.Clocks.GoAway(ctx, r.by(), days)
	case r.said["days"] != "":
		_, err = desk.Clocks.ComeBack(ctx, r.by())
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
func vacationChanged(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	notes, err := vacationState(ctx, desk, r)
	if err != nil || !r.msg.Public {
		return notes, err
	}
	games, err := desk.Games.Playing(ctx, r.me.ID)
	for _, g := range games {
		if g.Pace.Move > 0 && slices.Contains(g.Places(), r.here.ID) {
			notes[0].Ack = true
		}
	}
	return notes, err
}

func vacationState(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	left, p, err := desk.Clocks.VacationLeft(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Vacation(left, p)), nil
}

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	id, err := desk.meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.text == "":
	case strings.EqualFold(r.text, "clear"):
		if _, err := desk.Match.ClearPlan(ctx, r.by(), id); err != nil {
			return nil, err
		}
		return r.answer(words.NoPlanNow(id)), nil
	default:
		if _, err := desk.Match.Plan(ctx, r.by(), id, r.text); err != nil {
			return nil, err
		}
	}
	lines, err := desk.Games.PlanOf(ctx, r.me.ID, id)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Plan(id, lines, r.msg.Public && r.text != "")), nil
}
