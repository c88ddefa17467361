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

// levels are the computer's, as people write them.
func levels() (all []string) {
	for level := range match.Levels {
		all = append(all, strconv.Itoa(level+1))
	}
	return all
}

// play begins a game against the computer.
func play(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	p := match.Practice{Variant: usualVariant(desk, r), Color: strings.ToLower(cmp.Or(r.said["colour"], "random")), Within: r.msg.Within.ID}
	if v := typed.Variant(desk.Games.Variants(), r.said["game"]); v != nil {
		p.Variant = v.Key
	}
	p.Level, _ = strconv.Atoi(r.said["level"]) // 0 if none is named
	return r.done(desk.Challenges.PlayComputer(ctx, r.by(), p))
}

// playInstead lets the computer take up a challenge that nobody has joined.
func playInstead(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	done, err := desk.Challenges.PlayInstead(ctx, r.by(), r.game)
	if inbox.IsRefused(err, inbox.NotYourChallenge) {
		err = &errWords{text: words.Say("computer.not-instead", "game", r.game)}
	}
	return r.done(done, err)
}

// usualVariant is the game that is played where none is named.
func usualVariant(desk *Desk, r request) string {
	if usual := r.server.Settings.Game; desk.Games.Variant(usual) != nil {
		return usual
	}
	return desk.Games.Variants()[0].Key
}

// challengeComputer is what a challenge to the bot itself means.
func challengeComputer(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	unfit := r.said["days"]
	if strings.EqualFold(r.said["rated"], "rated") {
		unfit = r.said["rated"]
	}
	if unfit != "" {
		return r.answer(words.Say("computer.no-terms", "word", words.Clip(unfit))), nil
	}
	return play(ctx, desk, r)
}

func oddPlay(desk *Desk, word string) words.Text {
	all := desk.Games.Variants()
	near := typed.NearestVariant(all, word)
	if near == "" && desk.looksLikeMove(word) {
		near = "move " + words.Clip(word)
	} else if near != "" {
		near = "play " + near
	}
	return words.OddPlay(word, near, all)
}

func twiceInPlay(_ *Arg, one, other string) words.Text {
	return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
}
