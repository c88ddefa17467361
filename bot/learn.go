package bot

import (
	"context"

	"chimera/bot/ask"
	"chimera/bot/course"
	"chimera/bot/typed"
	"chimera/bot/words"
)

// learn goes on with the course that is named, or else was begun.
func learn(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	v := desk.Courses.Begun(&r.Me)
	if len(r.Args) > 0 {
		all := desk.Games.Variants()
		if v = typed.Variant(all, r.Args...); v == nil {
			return r.Answer(words.NoVariant("learn", r.Text, typed.LikelyVariants(all, r.Text), all)), nil
		}
	}
	if v == nil {
		return []Note{desk.Courses.Choose(&r.Me)}, nil
	}
	next := desk.Courses.Next(&r.Me, v)
	if next == nil {
		return r.Answer(words.Say("course.none", "kind", v.Name)), nil
	}
	return one(desk.Courses.Show(ctx, r.Seat(), next))
}

func one(n Note, err error) ([]Note, error) { return []Note{n}, err }

// inLesson does something at the lesson that a button names.
func inLesson(do func(context.Context, *ask.Desk, ask.Request, *course.Lesson) (Note, error)) ask.Handler {
	return func(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
		l := desk.Courses.Named(r.Args[0], r.Args[1])
		if l == nil {
			return r.Answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, desk, r, l))
	}
}

func showLesson(ctx context.Context, desk *ask.Desk, r ask.Request, l *course.Lesson) (Note, error) {
	return desk.Courses.Show(ctx, r.Seat(), l)
}

func hintLesson(_ context.Context, desk *ask.Desk, r ask.Request, l *course.Lesson) (Note, error) {
	return desk.Courses.Hint(r.Seat(), l), nil
}

func tellLesson(_ context.Context, desk *ask.Desk, r ask.Request, l *course.Lesson) (Note, error) {
	return desk.Courses.Tell(r.Seat(), l)
}

func pickLesson(_ context.Context, desk *ask.Desk, r ask.Request, l *course.Lesson) (Note, error) {
	return desk.Courses.Pick(r.Seat(), l, r.Args[2], r.Args[3], r.Args[4]), nil
}

func tryLesson(ctx context.Context, desk *ask.Desk, r ask.Request, l *course.Lesson) (Note, error) {
	return desk.Courses.Answer(ctx, r.Seat(), l, r.Args[2])
}
