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

func (b *Bot) addTime(ctx context.Context, r request) ([]Note, error) {
	days, ok := typed.Days(r.said["days"])
	if !ok {
		days = usualDays
	}
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.AddTime(ctx, r.by(), id, days))
}

func (b *Bot) claim(ctx context.Context, r request) ([]Note, error) {
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.Claim(ctx, r.by(), id))
}

func (b *Bot) vacation(ctx context.Context, r request) ([]Note, error) {
	var err error
	switch days, ok := typed.Days(r.said["days"]); {
	case ok && days > 0:
		_, err = b.Clocks.GoAway(ctx, r.by(), days)
	case r.said["days"] != "":
		_, err = b.Clocks.ComeBack(ctx, r.by())
	default:
		return b.vacationState(ctx, r)
	}
	if err != nil {
		return nil, err
	}
	return b.vacationChanged(ctx, r)
}

// vacationChanged answers what has begun or ended a vacation: with hardly a word where
// everybody hears of it, and sees the answer.
func (b *Bot) vacationChanged(ctx context.Context, r request) ([]Note, error) {
	notes, err := b.vacationState(ctx, r)
	if err != nil || !r.msg.Public {
		return notes, err
	}
	games, err := b.Games.Playing(ctx, r.me.ID)
	for _, g := range games {
		if g.Pace.Move > 0 && slices.Contains(g.Places(), r.here.ID) {
			notes[0].Ack = true
		}
	}
	return notes, err
}

func (b *Bot) vacationState(ctx context.Context, r request) ([]Note, error) {
	left, p, err := b.Clocks.VacationLeft(ctx, r.me.ID)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Vacation(left, p)), nil
}

// plan stores, shows or clears conditional moves. They are private.
func (b *Bot) plan(ctx context.Context, r request) ([]Note, error) {
	id, err := b.meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.text == "":
	case strings.EqualFold(r.text, "clear"):
		if _, err := b.Match.ClearPlan(ctx, r.by(), id); err != nil {
			return nil, err
		}
		return r.answer(words.NoPlanNow(id)), nil
	default:
		if _, err := b.Match.Plan(ctx, r.by(), id, r.text); err != nil {
			return nil, err
		}
	}
	lines, err := b.Games.PlanOf(ctx, r.me.ID, id)
	if err != nil {
		return nil, err
	}
	return r.answer(words.Plan(id, lines, r.msg.Public && r.text != "")), nil
}
