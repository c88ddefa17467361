package bot

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/typed"
	"chimera/bot/words"
)

// computer is what people write for it where they name an opponent.
const computer = "computer"

// levels are the computer's, as people write them.
func levels() (all []string) {
	for level := range match.Levels {
		all = append(all, strconv.Itoa(level+1))
	}
	return all
}

// play begins a game against the computer.
func (b *Bot) play(ctx context.Context, r request) ([]Note, error) {
	p := match.Practice{Variant: b.usualVariant(r), Color: strings.ToLower(cmp.Or(r.said["colour"], "random")), Within: r.msg.Within.ID}
	if v := typed.Variant(b.Games.Variants(), r.said["game"]); v != nil {
		p.Variant = v.Key
	}
	p.Level, _ = strconv.Atoi(r.said["level"]) // 0 if none is named
	return r.done(b.Challenges.PlayComputer(ctx, r.by(), p))
}

// playInstead lets the computer take up a challenge that nobody has joined.
func (b *Bot) playInstead(ctx context.Context, r request) ([]Note, error) {
	done, err := b.Challenges.PlayInstead(ctx, r.by(), r.game)
	if inbox.IsRefused(err, inbox.NotYourChallenge) {
		err = &errWords{text: words.Say("computer.not-instead", "game", r.game)}
	}
	return r.done(done, err)
}

// usualVariant is the game that is played where none is named.
func (b *Bot) usualVariant(r request) string {
	if usual := r.server.Settings.Game; b.Games.Variant(usual) != nil {
		return usual
	}
	return b.Games.Variants()[0].Key
}

// challengeComputer is what a challenge to the bot itself means.
func (b *Bot) challengeComputer(ctx context.Context, r request) ([]Note, error) {
	unfit := r.said["days"]
	if strings.EqualFold(r.said["rated"], "rated") {
		unfit = r.said["rated"]
	}
	if unfit != "" {
		return r.answer(words.Say("computer.no-terms", "word", words.Clip(unfit))), nil
	}
	return b.play(ctx, r)
}

func (b *Bot) oddPlay(word string) words.Text {
	all := b.Games.Variants()
	near := typed.NearestVariant(all, word)
	if near == "" && b.looksLikeMove(word) {
		near = "move " + words.Clip(word)
	} else if near != "" {
		near = "play " + near
	}
	return words.OddPlay(word, near, all)
}

func twiceInPlay(_ *Arg, one, other string) words.Text {
	return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
}
