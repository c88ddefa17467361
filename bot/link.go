package bot

import (
	"context"
	"strings"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
)

// link gives a code, or asks whether one that another account's person was given is meant;
// "yes" behind it says so. Of a challenge it gives the code with which that is joined.
func link(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) > 0 {
		return linkWith(ctx, b, r)
	}
	if r.Game != 0 {
		code, err := b.Match.JoinCode(ctx, r.By(), r.Game)
		if err != nil {
			return nil, err
		}
		return r.Answer(words.Join(r.Game, code, b.Address(code, ""))), nil
	}
	union, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return one(linkQuestion(union), nil)
	case b.IsOnly(r.Msg.Place.Platform):
		return nil, &Refused{Text: words.Say("person.only-here")}
	}
	code, err := b.Users.NewLink(ctx, r.By())
	if err != nil {
		return nil, err
	}
	return r.Answer(words.LinkTo(code, b.Address(LinkCode+code, r.Msg.Place.Platform))), nil
}

// linkWith is about a code of another account, or with "yes" and "no" alone about who has
// agreed to the asker's own.
func linkWith(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	code, word := r.Args[0], ""
	if len(r.Args) == 2 {
		word = strings.ToLower(r.Args[1])
	}
	switch own := strings.ToLower(code); {
	case len(r.Args) == 1 && (own == "yes" || own == "no"):
		union, asked, err := b.Users.AgreedLink(ctx, r.Me.Link)
		if err != nil {
			return nil, err
		}
		if !asked {
			return nil, &event.Refusal{Why: event.NotAsked}
		}
		r.Args = []string{union.Code}
		return giveLink(own == "yes")(ctx, b, r)
	case word == "yes" || word == "no":
		return agreeLink(word == "yes")(ctx, b, r)
	case word != "":
		return r.Answer(words.Say("request.odd-word", "word", words.Clip(r.Args[1]))), nil
	case !match.IsCode(code):
		return r.Answer(words.Say("challenge.no-code", "word", words.Clip(code), "length", match.CodeLength, "command", r.Name)), nil
	}
	union, err := b.Users.LinkWith(ctx, r.By(), code)
	if err != nil {
		return nil, err
	}
	return &message.Message{To: r.Me.ID, Text: words.SureToLink(union), Buttons: message.YesNo("link", 0, message.None, union.Code)}, nil
}

// agreeLink is the word of who would become another.
func agreeLink(yes bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if !yes {
			_, err := b.Users.RefuseLink(ctx, r.By(), r.Args[0])
			return r.Answer(words.Say("person.link-refused")), err
		}
		_, err := b.Users.AgreeLink(ctx, r.By(), r.Args[0])
		return r.Answer(words.Say("person.link-agreed")), err
	}
}

// giveLink is the word of whom another would become.
func giveLink(yes bool) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if !yes {
			_, err := b.Users.KeepLink(ctx, r.By())
			return r.Answer(words.Say("person.link-refused")), err
		}
		_, err := b.Users.GiveLink(ctx, r.By(), r.Args[0])
		return r.Answer(words.Say("person.linked")), err
	}
}

func unlink(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if _, err := b.Users.Unlink(ctx, r.By(), r.Msg.From.Address); err != nil {
		return nil, err
	}
	return r.Answer(words.Say("person.unlinked")), nil
}
