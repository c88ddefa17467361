package bot

import (
	"cmp"
	"context"

	"chimera/bot/ask"
	"chimera/bot/puzzle"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/rules"
	given "chimera/rules/puzzle"
)

// themes are what puzzles may be about, as people write them.
func themes() (all []string) {
	for _, t := range given.Themes() {
		all = append(all, string(t))
	}
	return all
}

// solve goes on with the puzzle that somebody has not solved yet, unless they ask for another game or
// for a theme; else it gives them another.
func solve(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	all, last := desk.Games.Variants(), &r.Me.Training
	named := typed.Variant(all, r.Said["game"])
	v := cmp.Or(named, rules.Find(all, last.Game))
	theme := given.Named(r.Said["theme"])
	switch {
	case v == nil && theme == "":
		return []Note{desk.Puzzles.Choose(&r.Me)}, nil
	case v == nil:
		v = desk.Games.Variant(usualVariant(desk, r))
	}
	if theme == "" && v.Key == last.Game && !last.Solved {
		if t := desk.Puzzles.Task(v, last.Number, last.Turn); t != nil {
			return one(desk.Puzzles.Show(ctx, r.Seat(), t))
		}
	}
	return one(desk.Puzzles.Next(ctx, r.Seat(), v, theme))
}

// anotherPuzzle gives somebody another puzzle of a game, about a theme or any.
func anotherPuzzle(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	v := desk.Games.Variant(r.Args[0])
	if v == nil {
		return r.Answer(words.Say("request.old-button")), nil
	}
	return one(desk.Puzzles.Next(ctx, r.Seat(), v, given.Named(r.Args[1])))
}

// inPuzzle does something at the task that a button names.
func inPuzzle(do func(context.Context, *ask.Desk, ask.Request, *puzzle.Task) (Note, error)) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		t := desk.Puzzles.Named(r.Args[0], r.Args[1], r.Args[2])
		if t == nil {
			return r.Answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, desk, r, t))
	}
}

func showPuzzle(ctx context.Context, desk *ask.Desk, r ask.Request, t *puzzle.Task) (Note, error) {
	return desk.Puzzles.Show(ctx, r.Seat(), t)
}

func hintPuzzle(ctx context.Context, desk *ask.Desk, r ask.Request, t *puzzle.Task) (Note, error) {
	return desk.Puzzles.Hint(ctx, r.Seat(), t)
}

func tellPuzzle(ctx context.Context, desk *ask.Desk, r ask.Request, t *puzzle.Task) (Note, error) {
	return desk.Puzzles.Tell(ctx, r.Seat(), t)
}

func pickPuzzle(_ context.Context, desk *ask.Desk, r ask.Request, t *puzzle.Task) (Note, error) {
	return desk.Puzzles.Pick(r.Seat(), t, r.Args[3], r.Args[4], r.Args[5]), nil
}

func tryPuzzle(ctx context.Context, desk *ask.Desk, r ask.Request, t *puzzle.Task) (Note, error) {
	return desk.Puzzles.Answer(ctx, r.Seat(), t, r.Args[3])
}
