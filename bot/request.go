package bot

import (
	"context"

	"chimera/bot/ask"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Language is the one in which a message is answered.
func (b *Bot) Language(ctx context.Context, m ask.Message) phrase.Language {
	r, _ := b.Asker(ctx, m)
	return r.Language()
}

// LanguageOf is the one in which a person is told what they alone see.
func LanguageOf(p Member) phrase.Language { return words.LanguageOf(p) }

// obey carries out the command of a request.
func obey(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	c := r.Command
	switch {
	case c.Managers && r.Server.ID == 0:
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	case c.Managers && !r.Msg.Manager && !r.Reads():
		return nil, &ask.Refused{Text: words.Say("settings.managers-only")}
	case len(r.Args) > c.Words:
		return r.Answer(words.Say("request.odd-word", "word", words.Clip(r.Args[c.Words]))), nil
	case c.Odd != nil:
		var fault words.Text
		if r.Said, fault = desk.Arguments(r); fault != nil {
			return r.Answer(fault), nil
		}
	}
	return c.Run(ctx, desk, r)
}

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, inbox.By, storage.GameID, T) (inbox.Done, error), how T) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		id, err := desk.Meant(ctx, r, ask.AnyGame)
		if err != nil {
			return nil, desk.OrOver(ctx, r, err)
		}
		return r.Done(do(desk.Match, ctx, r.By(), id, how))
	}
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		return r.Done(desk.Challenges.AnswerChallenge(ctx, r.By(), r.Game, how))
	}
}
