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
func (b *Bot) link(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) > 0 {
		return b.linkWith(ctx, r)
	}
	if r.game != 0 {
		code, err := b.Challenges.JoinCode(ctx, r.by(), r.game)
		if err != nil {
			return nil, err
		}
		return r.answer(words.Join(r.game, code, b.webLink(code, ""))), nil
	}
	union, asked, err := b.Links.LinkAsked(ctx, r.me.ID)
	switch {
	case err != nil:
		return nil, err
	case asked:
		return []Note{announce.Link(union)}, nil
	case b.only.Load() == r.msg.Place.Platform:
		return nil, &errWords{text: words.OnlyHere()}
	}
	code, err := b.Links.NewLink(ctx, r.by())
	if err != nil {
		return nil, err
	}
	return r.answer(words.LinkTo(code, b.webLink(LinkCode+code, r.msg.Place.Platform))), nil
}

// linkWith is about a code of another account, or with "yes" and "no" alone about who has
// agreed to the asker's own.
func (b *Bot) linkWith(ctx context.Context, r request) ([]Note, error) {
	code, word := r.args[0], ""
	if len(r.args) == 2 {
		word = strings.ToLower(r.args[1])
	}
	switch own := strings.ToLower(code); {
	case len(r.args) == 1 && (own == "yes" || own == "no"):
		union, asked, err := b.Links.LinkAsked(ctx, r.me.ID)
		if err != nil {
			return nil, err
		}
		if !asked {
			return nil, &inbox.Refusal{Why: inbox.NotAsked}
		}
		return b.giveLink(ctx, r, union.Code, own == "yes")
	case word == "yes" || word == "no":
		return b.agreeLink(ctx, r, code, word == "yes")
	case word != "":
		return r.answer(words.TooMany(r.args[1])), nil
	case !match.IsCode(code):
		return r.answer(words.NoCode(r.name, code)), nil
	}
	union, err := b.Links.LinkWith(ctx, r.by(), code)
	if err != nil {
		return nil, err
	}
	return []Note{{To: r.me.ID, Text: words.SureToLink(union), Buttons: note.YesNo("link", 0, note.None, union.Code)}}, nil
}

// agreeLink is the word of who would become another.
func (b *Bot) agreeLink(ctx context.Context, r request, code string, yes bool) ([]Note, error) {
	if !yes {
		_, err := b.Links.RefuseLink(ctx, r.by(), code)
		return r.answer(words.LinkedNothing()), err
	}
	if _, err := b.Links.AgreeLink(ctx, r.by(), code); err != nil {
		return nil, err
	}
	return r.answer(words.LinkAgreed()), nil
}

// giveLink is the word of whom another would become.
func (b *Bot) giveLink(ctx context.Context, r request, code string, yes bool) ([]Note, error) {
	if !yes {
		_, err := b.Links.KeepLink(ctx, r.by())
		return r.answer(words.LinkedNothing()), err
	}
	if _, err := b.Links.GiveLink(ctx, r.by(), code); err != nil {
		return nil, err
	}
	return r.answer(words.Linked()), nil
}

// agreeingToLink and givingLink are buttons below questions about a link.
func agreeingToLink(yes bool) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		return b.agreeLink(ctx, r, r.args[0], yes)
	}
}

func givingLink(yes bool) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		return b.giveLink(ctx, r, r.args[0], yes)
	}
}

func (b *Bot) unlink(ctx context.Context, r request) ([]Note, error) {
	if _, err := b.Links.Unlink(ctx, r.by(), r.msg.From.Address); err != nil {
		return nil, err
	}
	return r.answer(words.Unlinked()), nil
}
