package bot

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// levels are the computer's, as people write them.
func levels() (all []string) {
	for level := range match.Levels {
		all = append(all, strconv.Itoa(level+1))
	}
	return all
}

// play begins a game against the computer.
func play(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	p := match.Practice{Variant: usualVariant(b, r), Color: strings.ToLower(cmp.Or(r.Said["colour"], "random")), Within: r.Msg.Within.ID}
	if v := command.Variant(b.Games.Variants(), r.Said["game"]); v != nil {
		p.Variant = v.Key
	}
	p.Level, _ = strconv.Atoi(r.Said["level"]) // 0 if none is named
	return r.Done(b.Match.PlayComputer(ctx, r.By(), p))
}

// playInstead lets the computer take up a challenge that nobody has joined.
func playInstead(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	done, err := b.Match.PlayInstead(ctx, r.By(), r.Game)
	if event.IsRefused(err, event.NotYourChallenge) {
		err = &Refused{Text: words.Say("computer.not-instead", "game", r.Game)}
	}
	return r.Done(done, err)
}

// usualVariant is the game that is played where none is named.
func usualVariant(b *Bot, r Request) string {
	if usual := r.Server.Settings.Game; b.Games.Variant(usual) != nil {
		return usual
	}
	return b.Games.Variants()[0].Key
}

// challengeComputer is what a challenge to the bot itself means.
func challengeComputer(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	unfit := r.Said["days"]
	if strings.EqualFold(r.Said["rated"], "rated") {
		unfit = r.Said["rated"]
	}
	if unfit != "" {
		return r.Answer(words.Say("computer.no-terms", "word", words.Clip(unfit))), nil
	}
	return play(ctx, b, r)
}

func oddPlay(b *Bot, word string) words.Text {
	all := b.Games.Variants()
	near := command.NearestVariant(all, word)
	if near == "" && b.LooksLikeMove(word) {
		near = "move " + words.Clip(word)
	} else if near != "" {
		near = "play " + near
	}
	return words.OddPlay(word, near, all)
}

// clash answers two words of which a command takes but one.
func clash(_ *Arg, one, other string) words.Text {
	return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
}

// Levels are those of the computer in words, from the lowest.
func Levels() []phrase.Phrase { return words.Levels() }
