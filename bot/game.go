package bot

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, event.By, storage.GameID, T) (event.Done, error), how T) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id, err := b.meant(ctx, r, anyGame)
		if err != nil {
			return nil, b.orOver(ctx, r, err)
		}
		return r.done(do(b.Match, ctx, r.by(), id, how))
	}
}

// askResign asks whether a player gives up: that the button is pressed twice doesn't say so.
func askResign(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.done(b.Match.AskResign(ctx, r.by(), r.Game))
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Match.AnswerChallenge(ctx, r.by(), r.Game, how))
	}
}

// following lets each move of a game be told where the request is made, or not any more.
func following(wanted bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id := cmp.Or(r.Game, r.Msg.ReplyTo)
		if id == 0 {
			return r.answer(words.Say("games.follow-what", "command", r.Name)), nil
		}
		_, err := b.Match.Follow(ctx, r.by(), id, wanted)
		return r.answer(words.Followed(id, wanted)), err
	}
}

func addTime(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	days, ok := command.Days(r.Said["days"])
	if !ok {
		days = usualDays
	}
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.AddTime(ctx, r.by(), id, days))
}

func claim(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.Claim(ctx, r.by(), id))
}

// usualDays is how much time addtime gives where no number is named.
const usualDays = 1

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.Me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.Text == "":
	case strings.EqualFold(r.Text, "clear"):
		_, err := b.Match.ClearPlan(ctx, r.by(), id)
		return r.answer(words.Say("clock.plan-cleared", "game", words.Hash(id))), err
	default:
		if _, err := b.Match.Plan(ctx, r.by(), id, r.Text); err != nil {
			return nil, err
		}
	}
	lines, err := b.Games.PlanOf(ctx, r.Me.ID, id)
	return r.answer(words.Plan(id, lines, r.Msg.Public && r.Text != "")), err
}

// vacation begins or ends one, and tells how it is now: with hardly a word where everybody hears what has
// changed, and sees the answer.
func vacation(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	var err error
	if days, ok := command.Days(r.Said["days"]); ok && days > 0 {
		_, err = b.Match.GoAway(ctx, r.by(), days)
	} else if r.Said["days"] != "" {
		_, err = b.Match.ComeBack(ctx, r.by())
	}
	if err != nil {
		return nil, err
	}
	left, p, err := b.Match.VacationLeft(ctx, r.Me.ID)
	said := r.answer(words.Vacation(left, p))
	if err != nil || r.Said["days"] == "" || !r.Msg.Public {
		return said, err
	}
	games, err := b.playing(ctx, r)
	said.Ack = slices.ContainsFunc(games, func(g storage.Game) bool {
		return g.Pace.Move > 0 && slices.Contains(g.Places(), r.Here.ID)
	})
	return said, err
}

// canMove fits a move to the games in which it is legal.
func canMove(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, err = now.Position.Parse(r.Text)
	return err == nil
}

// canClaim fits a claim to the games in which there is something to claim.
func canClaim(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.Me.ID)
	return ok
}

// canHint fits a hint to the games against the computer in which it is the asker's turn.
func canHint(_ *Bot, r Request, g *storage.Game) bool {
	_, level := g.Computer()
	return level != 0 && match.ToMove(g) == r.Me.ID
}

func canAbort(_ *Bot, _ Request, g *storage.Game) bool { return match.CanAbort(g) }

func canAddTime(_ *Bot, _ Request, g *storage.Game) bool { return g.Pace.Move != 0 }

func canSeeMoves(_ *Bot, r Request, g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }

// canAgree fits an offer to the games in which the other player has made the same.
func canAgree(what match.Offered) func(*Bot, Request, *storage.Game) bool {
	return func(_ *Bot, r Request, g *storage.Game) bool {
		open := g.Draw
		if what == match.ATakeback {
			open = g.Takeback
		}
		return open != nil && open.By != r.Me.ID
	}
}
