package bot

import (
	"cmp"
	"context"
	"strings"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, event.By, storage.GameID, T) (event.Done, error), how T) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id, err := b.Meant(ctx, r, AnyGame)
		if err != nil {
			return nil, b.OrOver(ctx, r, err)
		}
		return r.Done(do(b.Match, ctx, r.By(), id, how))
	}
}

// askResign asks whether a player gives up: that the button is pressed twice doesn't say so.
func askResign(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.Done(b.Match.AskResign(ctx, r.By(), r.Game))
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.Done(b.Match.AnswerChallenge(ctx, r.By(), r.Game, how))
	}
}

// playOn takes back that somebody wanted to end a game.
func playOn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	_, err := b.Match.PlayOn(ctx, r.By(), r.Game)
	return r.Answer(words.Say("offer.goes-on")), err
}

// following lets each move of a game be told where the request is made, or not any more.
func following(wanted bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id := cmp.Or(r.Game, r.Msg.ReplyTo)
		if id == 0 {
			return r.Answer(words.Say("games.follow-what", "command", r.Name)), nil
		}
		_, err := b.Match.Follow(ctx, r.By(), id, wanted)
		return r.Answer(words.Followed(id, wanted)), err
	}
}

func addTime(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	days, ok := command.Days(r.Said["days"])
	if !ok {
		days = usualDays
	}
	id, err := b.Meant(ctx, r, AnyGame)
	if err != nil {
		return nil, err
	}
	return r.Done(b.Match.AddTime(ctx, r.By(), id, days))
}

func claim(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.Meant(ctx, r, AnyGame)
	if err != nil {
		return nil, err
	}
	return r.Done(b.Match.Claim(ctx, r.By(), id))
}

// usualDays is how much time addtime gives where no number is named.
const usualDays = 1

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.Meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.Me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.Text == "":
	case strings.EqualFold(r.Text, "clear"):
		if _, err := b.Match.ClearPlan(ctx, r.By(), id); err != nil {
			return nil, err
		}
		return r.Answer(words.Say("clock.plan-cleared", "game", words.Hash(id))), nil
	default:
		if _, err := b.Match.Plan(ctx, r.By(), id, r.Text); err != nil {
			return nil, err
		}
	}
	lines, err := b.Games.PlanOf(ctx, r.Me.ID, id)
	if err != nil {
		return nil, err
	}
	return r.Answer(words.Plan(id, lines, r.Msg.Public && r.Text != "")), nil
}
