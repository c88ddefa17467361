package bot

import (
	"context"

	"chimera/bot/ask"
	"chimera/bot/words"
)

// studied is the lesson or puzzle that a button names, nil if there is none, and the words that
// follow its name.
type studied func(*ask.Desk, ask.Request) (study ask.Study, rest []string)

func lesson(desk *ask.Desk, r ask.Request) (ask.Study, []string) {
	if l := desk.Courses.Named(r.Seat(), r.Args[0], r.Args[1]); l != nil {
		return l, r.Args[2:]
	}
	return nil, nil
}

func task(desk *ask.Desk, r ask.Request) (ask.Study, []string) {
	if t := desk.Puzzles.Named(r.Seat(), r.Args[0], r.Args[1], r.Args[2]); t != nil {
		return t, r.Args[3:]
	}
	return nil, nil
}

// in does something in a lesson or puzzle for which nothing else need be known.
func in(of studied, do func(ask.Study, context.Context) (Note, error)) ask.Handler {
	return with(of, func(ctx context.Context, s ask.Study, _ []string) (Note, error) { return do(s, ctx) })
}

// pickIn lets a move be picked in one.
func pickIn(of studied) ask.Handler {
	return with(of, func(_ context.Context, s ask.Study, chosen []string) (Note, error) {
		return s.Pick(chosen[0], chosen[1], chosen[2]), nil
	})
}

// tryIn tries a move in one.
func tryIn(of studied) ask.Handler {
	return with(of, func(ctx context.Context, s ask.Study, move []string) (Note, error) { return s.Try(ctx, move[0]) })
}

func with(of studied, do func(ctx context.Context, s ask.Study, rest []string) (Note, error)) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		study, rest := of(desk, r)
		if study == nil {
			return r.Answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, study, rest))
	}
}

func one(n Note, err error) ([]Note, error) { return []Note{n}, err }
