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
	v := b.Training.Begun(&r.Me)
	if len(r.Args) > 0 {
		all := b.Games.Variants()
		if v = command.Variant(all, r.Args...); v == nil {
			return r.answer(words.NoVariant("learn", r.Text, command.LikelyVariants(all, r.Text), all)), nil
		}
	}
	if v == nil {
		return b.Training.ChooseCourse(r.learner()), nil
	}
	next := b.Training.NextLesson(r.learner(), v)
	if next == nil {
		return r.answer(words.Say("course.none", "kind", v.Name)), nil
	}
	return next.Show(ctx)
}

// openStudy is the lesson or puzzle that a request which names no game is about: what the author
// was shown last, unless a game that is played there has come to be their turn since. Games
// elsewhere are none of its business. Nil is none.
func (b *Bot) openStudy(ctx context.Context, r Request) (training.Exercise, error) {
	study := b.Training.Open(r.learner())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil {
		return nil, nil
	}
	if newer, err := b.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// inStudy does something in the lesson or puzzle that a request of one word is about, else what it means
// elsewhere.
func inStudy(do func(training.Exercise, context.Context) (*message.Message, error), elsewhere handler) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		study, err := b.openStudy(ctx, r)
		switch {
		case err != nil:
			return nil, err
		case study != nil && len(r.Args) == 0:
			return do(study, ctx)
		}
		return elsewhere(ctx, b, r)
	}
}

// openDaily is the puzzle of the day that a request means which names no game, as openStudy has
// it, and which nobody else sees; nil is none.
func (b *Bot) openDaily(ctx context.Context, r Request) (*training.OpenDaily, error) {
	if r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil || !r.Msg.Private && !r.Msg.Alone {
		return nil, nil
	}
	open, err := b.Training.OpenDaily(ctx, r.Me)
	if open == nil && err == nil && r.Msg.Alone { // whoever plays no game there may mean the server's
		if open, err = b.Training.DailyHere(ctx, r.Me, r.Server.ID); open != nil && !open.Legal(r.Text) {
			return nil, err
		}
	}
	if open == nil || err != nil {
		return nil, err
	}
	if newer, err := b.calls(ctx, r, open.Since); newer || err != nil {
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

// study does what a button of a lesson or puzzle says.
func study(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	verb, _, _ := strings.Cut(r.Msg.Press, " ")
	said, err := b.Training.Press(ctx, r.learner(), verb, r.Args)
	if said == nil && err == nil {
		return r.answer(words.Say("request.old-button")), nil
	}
	return said, err
}

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
		return b.Training.ChoosePuzzle(&r.Me), nil
	case v == nil:
		v = b.Games.Variant(usualVariant(b, r))
	}
	if theme == "" && v.Key == last.Game && !last.Solved {
		if t := b.Training.Attempt(r.learner(), v, last.Number, last.Turn); t != nil {
			return t.Show(ctx)
		}
	}
	return b.Training.NextPuzzle(ctx, r.learner(), v, theme)
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
