package bot

import (
	"context"
	"strings"

	"chimera/bot/ask"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
)

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
