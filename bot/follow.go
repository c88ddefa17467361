package bot

import (
	"context"

	"chimera/bot/match"
)

func (b *Bot) follow(ctx context.Context, r request) ([]Note, error) {
	return b.setFollow(ctx, r, true)
}

func (b *Bot) unfollow(ctx context.Context, r request) ([]Note, error) {
	return b.setFollow(ctx, r, false)
}

func (b *Bot) setFollow(ctx context.Context, r request, wanted bool) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	id := r.game
	if id == 0 {
		id = r.msg.ReplyTo
	}
	if id == 0 {
		return r.answer(followWhat()), nil
	}
	if _, err := b.match.Follow(ctx, r.by(), id, wanted); err != nil {
		return nil, err
	}
	return r.answer(followed(id, wanted)), nil
}

// link gives a code, or uses one that another account of the person was given. Of a
// challenge it gives the code with which that is joined.
func (b *Bot) link(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(1); no != nil {
		return no, nil
	}
	if len(r.args) == 1 {
		if !match.IsCode(r.args[0]) {
			return r.answer(noCode(r.name, r.args[0])), nil
		}
		if _, err := b.match.UseLink(ctx, r.by(), r.args[0]); err != nil {
			return nil, err
		}
		return r.answer(linked()), nil
	}
	if r.game != 0 {
		code, err := b.match.JoinCode(ctx, r.by(), r.game)
		if err != nil {
			return nil, err
		}
		return r.answer(joinWords(r.game, code, b.door(code, ""))), nil
	}
	code, err := b.match.NewLink(ctx, r.by())
	if err != nil {
		return nil, err
	}
	return r.answer(linkWords(code, b.door(LinkCode+code, r.msg.Place.Platform))), nil
}

func (b *Bot) unlink(ctx context.Context, r request) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	if _, err := b.match.Unlink(ctx, r.by(), r.msg.From.Address); err != nil {
		return nil, err
	}
	return r.answer(unlinked()), nil
}
