package bot

import (
	"cmp"
	"context"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Language is the one in which a message is answered.
func (b *Bot) Language(ctx context.Context, m Message) phrase.Language {
	r, _ := b.asker(ctx, m) // where nobody is known, their client's is
	r.me.Locale = cmp.Or(m.From.Locale, r.me.Locale)
	return r.language()
}

// LanguageOf is the one in which a person is told what they alone see.
func LanguageOf(p Member) phrase.Language { return words.LanguageOf(p) }

// obey carries out the command of a request.
func obey(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	c := r.command
	switch {
	case c.Managers && r.server.ID == 0:
		return nil, &inbox.Refusal{Why: inbox.NoServer}
	case c.Managers && !r.msg.Manager && !r.reads():
		return nil, &errWords{text: words.Say("settings.managers-only")}
	case len(r.args) > c.words:
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.args[c.words]))), nil
	case c.odd != nil:
		var fault words.Text
		if r.said, fault = desk.arguments(r); fault != nil {
			return r.answer(fault), nil
		}
	}
	return c.run(ctx, desk, r)
}

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, inbox.By, storage.GameID, T) (inbox.Done, error), how T) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		id, err := desk.meant(ctx, r, anyGame)
		if err != nil {
			return nil, desk.orOver(ctx, r, err)
		}
		return r.done(do(desk.Match, ctx, r.by(), id, how))
	}
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		return r.done(desk.Challenges.AnswerChallenge(ctx, r.by(), r.game, how))
	}
}
