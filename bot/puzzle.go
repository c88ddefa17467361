package bot

import (
	"cmp"
	"context"

	"chimera/bot/command"
	"chimera/bot/message"
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
func solve(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	all, last := b.Games.Variants(), &r.Me.Training
	named := command.Variant(all, r.Said["game"])
	v := cmp.Or(named, rules.Find(all, last.Game))
	theme := given.Named(r.Said["theme"])
	switch {
	case v == nil && theme == "":
		return one(b.Puzzles.Choose(&r.Me), nil)
	case v == nil:
		v = b.Games.Variant(usualVariant(b, r))
	}
	if theme == "" && v.Key == last.Game && !last.Solved {
		if t := b.Puzzles.At(r.Seat(), v, last.Number, last.Turn); t != nil {
			return one(t.Show(ctx))
		}
	}
	return one(b.Puzzles.Next(ctx, r.Seat(), v, theme))
}

// anotherPuzzle gives somebody another puzzle of a game, about a theme or any.
func anotherPuzzle(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	v := b.Games.Variant(r.Args[0])
	if v == nil {
		return r.Answer(words.Say("request.old-button")), nil
	}
	return one(b.Puzzles.Next(ctx, r.Seat(), v, given.Named(r.Args[1])))
}

// tellPiece tells the piece that moves in a puzzle, to whom it was said what that costs.
func tellPiece(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	t := b.Puzzles.Named(r.Seat(), r.Args[0], r.Args[1], r.Args[2])
	if t == nil {
		return r.Answer(words.Say("request.old-button")), nil
	}
	return one(t.Piece(ctx))
}
