package bot

import (
	"cmp"
	"context"
	"errors"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// saidPlainly is what a request says in plain words, and in which language; "" if it is something else.
func saidPlainly(r Request) (words.Saying, phrase.Language) {
	if r.Command == nil {
		return words.Heard(r.Text) // without the number of a game
	}
	return words.Heard(r.Msg.Text)
}

// answerPlainly answers what somebody has said in plain words in a language: it is theirs, unless
// another was chosen or, where nobody else reads it, is known to be.
func answerPlainly(ctx context.Context, b *Bot, r Request, plain words.Saying, l phrase.Language) (*message.Message, error) {
	said, err := answerTo(ctx, b, r, plain)
	chosen := cmp.Or(r.Me.Settings.Language, r.Me.Locale)
	if r.Msg.Public && r.Server.ID != 0 {
		chosen = r.Server.Settings.Language
	}
	if said != nil && l != phrase.English && chosen == "" {
		said.Speak(l)
	}
	return said, err
}

func answerTo(ctx context.Context, b *Bot, r Request, said words.Saying) (*message.Message, error) {
	r.Command, r.Args = nil, nil
	switch said {
	case words.Greeting, words.HowToBegin:
		return hello(r), nil
	case words.HowToMove:
		return r.Answer(words.Lines([]words.Text{words.Say("heard-answer.move"), words.Say("help.detail.move")})), nil
	case words.TheRules:
		if sight, err := b.Shown(ctx, r, match.Latest); err == nil {
			r.Args = []string{sight.Variant.Key}
		}
		return showRules(ctx, b, r)
	case words.WhoseTurn:
		return whoseTurn(ctx, b, r)
	case words.GivingUp:
		r.Command, r.Name = b.Commands.Find("resign"), "resign"
		return obey(ctx, b, r)
	case words.Farewell:
		return r.Answer(words.Say("heard-answer.bye")), nil
	case words.Thanks:
	}
	return r.Answer(words.Say("heard-answer.thanks")), nil
}

// whoseTurn tells who is to move in the game that is meant, or in all that could be.
func whoseTurn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	var several *Several
	switch {
	case errors.As(err, &several):
		return Games(ctx, b, r)
	case err != nil:
		return nil, err
	case sight.Game.Over():
		return nil, &event.Refusal{Why: event.Over, Game: sight.Game.ID}
	}
	return r.Answer(words.Turn(sight, r.Me.ID)), nil
}
