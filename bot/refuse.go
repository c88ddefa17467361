package bot

import (
	"context"
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Refuse is the sentence for an error that people can do something about, nil
// for any other.
func (b *Bot) Refuse(ctx context.Context, r Request, err error) words.Text {
	var illegal *rules.Illegal
	var refused *event.Refusal
	var several *Several
	var fault *match.PlanFault
	var with *Refused
	switch {
	case errors.As(err, &with):
		return with.Text
	case errors.As(err, &fault):
		return words.PlanFault(fault)
	case errors.As(err, &illegal):
		return words.Of(illegal.Phrase())
	case errors.As(err, &refused):
		return b.refused(ctx, r, refused)
	case errors.As(err, &several):
		return b.whichGame(ctx, several)
	case errors.Is(err, ErrNoGame):
		return words.Say("request.no-game")
	}
	return nil
}

// refused adds who is to move, or how the game ended, where that is the reason and the asker may
// see the game.
func (b *Bot) refused(ctx context.Context, r Request, no *event.Refusal) words.Text {
	if no.Why != event.NotYourTurn && no.Why != event.Over {
		return words.Refusal(no)
	}
	sight, err := b.Games.LoadFor(ctx, r.By(), no.Game, match.Latest)
	switch {
	case err != nil:
		return words.Refusal(no)
	case no.Why == event.Over:
		return words.IsOver(sight)
	}
	return words.NotYourTurn(sight)
}

// Candidates are the games that could be meant, the most urgent first; none if they cannot be told.
func (b *Bot) Candidates(ctx context.Context, several *Several) []match.Item {
	agenda, _, err := b.Games.Agenda(ctx, event.By{Person: several.Me.ID}, several.Me.ID, limit.Games, nil)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.Games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
}

// whichGame asks which of several games is meant; nil if they cannot be told.
func (b *Bot) whichGame(ctx context.Context, several *Several) words.Text {
	wanted := b.Candidates(ctx, several)
	if len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	return words.WhichGame(shown, len(wanted)-len(shown), several.Me)
}

// Refused is a request that is refused in these words, with what can be done instead.
type Refused struct {
	Text    words.Text
	Buttons []message.Button
	Why     error // what was refused for a known reason, or nil
}

func (e *Refused) Error() string { return "ask: refused: " + e.Text.Plain() }

// Unwrap is the reason.
func (e *Refused) Unwrap() error { return e.Why }
