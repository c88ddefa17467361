package bot

import (
	"context"

	"chimera/bot/message"
	"chimera/bot/words"
)

// studied is the lesson or puzzle that a button names, nil if there is none, and the words that
// follow its name.
type studied func(*Bot, Request) (study Study, rest []string)

func lesson(b *Bot, r Request) (Study, []string) {
	if l := b.Courses.Named(r.Seat(), r.Args[0], r.Args[1]); l != nil {
		return l, r.Args[2:]
	}
	return nil, nil
}

func task(b *Bot, r Request) (Study, []string) {
	if t := b.Puzzles.Named(r.Seat(), r.Args[0], r.Args[1], r.Args[2]); t != nil {
		return t, r.Args[3:]
	}
	return nil, nil
}

// in does something in a lesson or puzzle for which nothing else need be known.
func in(of studied, do func(Study, context.Context) (message.Message, error)) Handler {
	return with(of, func(ctx context.Context, s Study, _ []string) (message.Message, error) { return do(s, ctx) })
}

// pickIn lets a move be picked in one.
func pickIn(of studied) Handler {
	return with(of, func(_ context.Context, s Study, chosen []string) (message.Message, error) {
		return s.Pick(chosen[0], chosen[1], chosen[2]), nil
	})
}

// tryIn tries a move in one.
func tryIn(of studied) Handler {
	return with(of, func(ctx context.Context, s Study, move []string) (message.Message, error) { return s.Try(ctx, move[0]) })
}

func with(of studied, do func(ctx context.Context, s Study, rest []string) (message.Message, error)) Handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		study, rest := of(b, r)
		if study == nil {
			return r.Answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, study, rest))
	}
}

func one(n message.Message, err error) (*message.Message, error) { return &n, err }
