package bot

import (
	"context"
	"strings"

	"chimera/bot/announce"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/words"
)

// link gives a code, or asks whether one that another account's person was given is meant;
// "yes" behind it says so. Of a challenge it gives the code with which that is joined.
func link(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	if len(r.args) > 0 {
		return linkWith(ctx, desk, r)
	}
	if r.game != 0 {
		code, err := desk.Challenges.JoinCode(ctx, r.by(), r.game)
		if err != nil {
			return nil, err
		}
		return r.answer(words.Join(r.game, code, desk.webLink(code, ""))), nil
	}
	union, asked, err := desk.Links.LinkAsked(ctx, r.me.ID)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return []Note{announce.Link(union)}, nil
	case desk.isOnly(r.msg.Place.Platform):
		return nil, &errWords{text: words.Say("person.only-here")}
	}
	code, err := desk.Links.NewLink(ctx, r.by())
	if err != nil {
		return nil, err
	}
	return r.answer(words.LinkTo(code, desk.webLink(LinkCode+code, r.msg.Place.Platform))), nil
}

// linkWith is about a code of another account, or with "yes" and "no" alone about who has
// agreed to the asker's own.
func linkWith(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	code, word := r.args[0], ""
	if len(r.args) == 2 {
		word = strings.ToLower(r.args[1])
	}
	switch own := strings.ToLower(code); {
	case len(r.args) == 1 && (own == "yes" || own == "no"):
		union, asked, err := desk.Links.LinkAsked(ctx, r.me.ID)
		if err != nil {
			return nil, err
		}
		if !asked {
			return nil, &inbox.Refusal{Why: inbox.NotAsked}
		}
		r.args = []string{union.Code}
		return giveLink(own == "yes")(ctx, desk, r)
	case word == "yes" || word == "no":
		return agreeLink(word == "yes")(ctx, desk, r)
	case word != "":
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.args[1]))), nil
	case !match.IsCode(code):
		return r.answer(words.Say("challenge.no-code", "word", words.Clip(code), "length", match.CodeLength, "command", r.name)), nil
	}
	union, err := desk.Links.LinkWith(ctx, r.by(), code)
	if err != nil {
		return nil, err
	}
	return []Note{{To: r.me.ID, Text: words.SureToLink(union), Buttons: note.YesNo("link", 0, note.None, union.Code)}}, nil
}

// agreeLink is the word of who would become another.
func agreeLink(yes bool) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		if !yes {
			_, err := desk.Links.RefuseLink(ctx, r.by(), r.args[0])
			return r.answer(words.Say("person.link-refused")), err
		}
		_, err := desk.Links.AgreeLink(ctx, r.by(), r.args[0])
		return r.answer(words.Say("person.link-agreed")), err
	}
}

// giveLink is the word of whom another would become.
func giveLink(yes bool) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		if !yes {
			_, err := desk.Links.KeepLink(ctx, r.by())
			return r.answer(words.Say("person.link-refused")), err
		}
		_, err := desk.Links.GiveLink(ctx, r.by(), r.args[0])
		return r.answer(words.Say("person.linked")), err
	}
}

func unlink(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	if _, err := desk.Links.Unlink(ctx, r.by(), r.msg.From.Address); err != nil {
		return nil, err
	}
	return r.answer(words.Say("person.unlinked")), nil
}
