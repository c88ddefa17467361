package bot

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

var days = regexp.MustCompile(`^[0-9]+d$`)

func (b *Bot) challenge(ctx context.Context, r request) ([]Note, error) {
	terms := match.Terms{Variant: b.match.Variants()[0].Key, Color: "random", Rated: true}
	for _, arg := range r.args {
		word := strings.ToLower(arg)
		person, named := r.msg.People[word]
		switch {
		case named && terms.To != 0:
			return r.answer(oneOpponent()), nil
		case named:
			to, err := b.match.Meet(ctx, person.Address, person.Name)
			if err != nil {
				return nil, err
			}
			terms.To = to.ID
		case word == "white", word == "black", word == "random":
			terms.Color = word
		case word == "rated", word == "unrated":
			terms.Rated = word == "rated"
		case b.match.Variant(word) != nil:
			terms.Variant = word
		case days.MatchString(word):
			return r.answer(noClocks()), nil
		default:
			return r.answer(oddChallenge(arg, b.match.Variants())), nil
		}
	}
	d, err := b.match.Challenge(ctx, r.by(), terms)
	return b.done(r, d, err)
}

func (b *Bot) accept(ctx context.Context, r request) ([]Note, error) {
	return b.answerOffer(ctx, r, b.match.Accept)
}

func (b *Bot) decline(ctx context.Context, r request) ([]Note, error) {
	return b.answerOffer(ctx, r, b.match.Decline)
}

func (b *Bot) cancel(ctx context.Context, r request) ([]Note, error) {
	return b.answerOffer(ctx, r, b.match.Cancel)
}

func (b *Bot) answerOffer(ctx context.Context, r request, answer func(context.Context, match.By, storage.GameID) (match.Done, error)) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	d, err := answer(ctx, r.by(), r.game)
	return b.done(r, d, err)
}

// only refuses a request that has more words than so many.
func (r request) only(n int) []Note {
	if len(r.args) <= n {
		return nil
	}
	return r.answer(tooManyWords(r.args[n]))
}

func (b *Bot) move(ctx context.Context, r request) ([]Note, error) {
	if r.line == "" {
		return r.answer(whichMove()), nil
	}
	id, err := b.meant(ctx, r, b.myTurn(r))
	if err != nil {
		return nil, err
	}
	d, err := b.match.Move(ctx, r.by(), id, r.line)
	return b.done(r, d, err)
}

// inGame is for requests about one game in progress, with no more words.
func (b *Bot) inGame(ctx context.Context, r request, do func(storage.GameID) (match.Done, error)) ([]Note, error) {
	if no := r.only(0); no != nil {
		return no, nil
	}
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	d, err := do(id)
	return b.done(r, d, err)
}

func (b *Bot) resign(ctx context.Context, r request) ([]Note, error) {
	return b.inGame(ctx, r, func(id storage.GameID) (match.Done, error) { return b.match.Resign(ctx, r.by(), id, false) })
}

func (b *Bot) abort(ctx context.Context, r request) ([]Note, error) {
	return b.inGame(ctx, r, func(id storage.GameID) (match.Done, error) { return b.match.Abort(ctx, r.by(), id, false) })
}

func (b *Bot) draw(ctx context.Context, r request) ([]Note, error) {
	return b.inGame(ctx, r, func(id storage.GameID) (match.Done, error) { return b.match.Draw(ctx, r.by(), id) })
}

func (b *Bot) claim(ctx context.Context, r request) ([]Note, error) {
	return b.inGame(ctx, r, func(id storage.GameID) (match.Done, error) { return b.match.Claim(ctx, r.by(), id) })
}

func (b *Bot) takeback(ctx context.Context, r request) ([]Note, error) {
	return b.inGame(ctx, r, func(id storage.GameID) (match.Done, error) { return b.match.Takeback(ctx, r.by(), id) })
}

// refuse is the sentence for an error that people can do something about, nil
// for any other.
func (b *Bot) refuse(ctx context.Context, err error) Text {
	var illegal *rules.Illegal
	var refused *match.Refusal
	var ask *errAsk
	switch {
	case errors.As(err, &illegal):
		return say(illegal.Error())
	case errors.As(err, &refused):
		return b.refused(ctx, refused)
	case errors.As(err, &ask):
		return whichGame(ask)
	case errors.Is(err, errNoGame):
		return noGameHere()
	}
	return nil
}

// refused adds who is to move, where that is the reason.
func (b *Bot) refused(ctx context.Context, no *match.Refusal) Text {
	if no.Why != match.NotYourTurn {
		return refusal(no)
	}
	sight, err := b.match.Look(ctx, no.Game, match.Latest)
	if err != nil {
		return refusal(no)
	}
	return notYourTurn(sight)
}
