package bot

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"chimera/bot/command"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/rules"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// learn goes on with the course that is named, or else was begun.
func learn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	v := b.Courses.Begun(&r.Me)
	if len(r.Args) > 0 {
		all := b.Games.Variants()
		if v = command.Variant(all, r.Args...); v == nil {
			return r.answer(words.NoVariant("learn", r.Text, command.LikelyVariants(all, r.Text), all)), nil
		}
	}
	if v == nil {
		return one(b.Courses.Choose(r.learner()), nil)
	}
	next := b.Courses.Next(r.learner(), v)
	if next == nil {
		return r.answer(words.Say("course.none", "kind", v.Name)), nil
	}
	return one(next.Show(ctx))
}

// exercise is what somebody who learns has before them: a lesson or a puzzle.
type exercise interface {
	// Shown is when it was, if it is what was shown last.
	Shown() time.Time
	// Solved reports whether that was answered.
	Solved() bool
	// Legal reports whether a text is a legal move there.
	Legal(text string) bool
	// Show shows it.
	Show(ctx context.Context) (message.Message, error)
	// Try tries a move.
	Try(ctx context.Context, text string) (message.Message, error)
	// Hint helps, or tells what that costs.
	Hint(ctx context.Context) (message.Message, error)
	// Help helps more than it has before.
	Help(ctx context.Context) (message.Message, error)
	// Tell tells the move.
	Tell(ctx context.Context) (message.Message, error)
	// Pick lets a move be picked: from a square to another, message.None where that is not chosen yet.
	Pick(from, to, page string) message.Message
	// Next goes on from what was answered, and shows again what was not.
	Next(ctx context.Context) (message.Message, error)
}

// openStudy is the lesson or puzzle that a request which names no game is about: what the author
// was shown last, unless a game that is played there has come to be their turn since. Games
// elsewhere are none of its business. Nil is none.
func (b *Bot) openStudy(ctx context.Context, r Request) (exercise, error) {
	study := b.studyBefore(r.learner())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil {
		return nil, nil
	}
	if newer, err := b.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// studyBefore is the lesson or puzzle that somebody has before them, nil if none.
func (b *Bot) studyBefore(at training.Learner) (found exercise) {
	if l := b.Courses.Open(at); l != nil {
		found = l
	}
	if t := b.Puzzles.Open(at); t != nil && (found == nil || !t.Shown().Before(found.Shown())) {
		found = t
	}
	return found
}

// openDaily is the puzzle of the day that a request means which names no game, as OpenStudy has
// it, and which nobody else sees; nil is none.
func (b *Bot) openDaily(ctx context.Context, r Request) (*training.Open, error) {
	if r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil || !r.Msg.Private && !r.Msg.Alone {
		return nil, nil
	}
	open, err := b.Daily.Open(ctx, r.Me)
	if open == nil && err == nil && r.Msg.Alone {
		return b.dailyHere(ctx, r)
	}
	if open == nil || err != nil {
		return nil, err
	}
	if newer, err := b.calls(ctx, r, open.Since); newer || err != nil {
		return nil, err
	}
	return open, nil
}

// dailyHere is the puzzle of the day of the server, if a request fits it whose author plays no game
// there.
func (b *Bot) dailyHere(ctx context.Context, r Request) (*training.Open, error) {
	open, err := b.Daily.Here(ctx, r.Me, r.Server.ID)
	if open == nil || err != nil || !open.Legal(r.Text) {
		return nil, err
	}
	if playing, err := b.calls(ctx, r, open.Since); playing || err != nil {
		return nil, err
	}
	return open, nil
}

// calls reports whether a game that is played where the asker is has come to be their turn since a
// moment; for a move that others see, unlike what is answered to it, it is enough that it is.
func (b *Bot) calls(ctx context.Context, r Request, since time.Time) (bool, error) {
	alone := r.Msg.Alone && !r.Msg.Private
	games, err := b.playing(ctx, r)
	return slices.ContainsFunc(games, func(g storage.Game) bool {
		return slices.Contains(g.Places(), r.Here.ID) && match.ToMove(&g) == r.Me.ID && (g.Turned.After(since) || alone && r.Text != "")
	}), err
}

// studied is the lesson or puzzle that a button names, nil if there is none, and the words that
// follow its name.
type studied func(*Bot, Request) (study exercise, rest []string)

func lesson(b *Bot, r Request) (exercise, []string) {
	if l := b.Courses.Named(r.learner(), r.Args[0], r.Args[1]); l != nil {
		return l, r.Args[2:]
	}
	return nil, nil
}

func task(b *Bot, r Request) (exercise, []string) {
	if t := b.Puzzles.Named(r.learner(), r.Args[0], r.Args[1], r.Args[2]); t != nil {
		return t, r.Args[3:]
	}
	return nil, nil
}

// in does something in a lesson or puzzle for which nothing else need be known.
func in(of studied, do func(exercise, context.Context) (message.Message, error)) handler {
	return with(of, func(ctx context.Context, s exercise, _ []string) (message.Message, error) { return do(s, ctx) })
}

// pickIn lets a move be picked in one.
func pickIn(of studied) handler {
	return with(of, func(_ context.Context, s exercise, chosen []string) (message.Message, error) {
		return s.Pick(chosen[0], chosen[1], chosen[2]), nil
	})
}

// tryIn tries a move in one.
func tryIn(of studied) handler {
	return with(of, func(ctx context.Context, s exercise, move []string) (message.Message, error) {
		return s.Try(ctx, move[0])
	})
}

func with(of studied, do func(ctx context.Context, s exercise, rest []string) (message.Message, error)) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		study, rest := of(b, r)
		if study == nil {
			return r.answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, study, rest))
	}
}

func one(n message.Message, err error) (*message.Message, error) { return &n, err }

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
		if t := b.Puzzles.At(r.learner(), v, last.Number, last.Turn); t != nil {
			return one(t.Show(ctx))
		}
	}
	return one(b.Puzzles.Next(ctx, r.learner(), v, theme))
}

// anotherPuzzle gives somebody another puzzle of a game, about a theme or any.
func anotherPuzzle(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	v := b.Games.Variant(r.Args[0])
	if v == nil {
		return r.answer(words.Say("request.old-button")), nil
	}
	return one(b.Puzzles.Next(ctx, r.learner(), v, given.Named(r.Args[1])))
}

// tellPiece tells the piece that moves in a puzzle, to whom it was said what that costs.
func tellPiece(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	t := b.Puzzles.Named(r.learner(), r.Args[0], r.Args[1], r.Args[2])
	if t == nil {
		return r.answer(words.Say("request.old-button")), nil
	}
	return one(t.Piece(ctx))
}

// dailyCode stands in a web link before what names a puzzle of the day.
const dailyCode = "daily-"

// AloneCode is a code for what a button leads to that is for its presser alone, who brings it along
// to a private chat where others see what is answered; "" if it may be answered anywhere.
func AloneCode(press string) string {
	said := strings.Fields(press)
	if len(said) != 5 || said[0] != "daily" {
		return ""
	}
	return dailyCode + said[3] + "-" + said[4]
}

// AlonePress is what the button does of which somebody brings the code along; "" if it is another
// code.
func AlonePress(code string) string {
	named, daily := strings.CutPrefix(code, dailyCode)
	server, puzzle, ok := strings.Cut(named, "-")
	if !daily || !ok {
		return ""
	}
	return "daily 0 - " + server + " " + puzzle
}

func showDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Show(ctx, r.Me, r.Args[0], r.Args[1]))
}

func pickDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Pick(ctx, r.Me, r.Args[0], r.Args[1], r.Args[2], r.Args[3], r.Args[4], r.Args[5]))
}

func tryDaily(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return one(b.Daily.Try(ctx, r.Me, r.Args[0], r.Args[1], r.Args[2], r.Args[3]))
}
