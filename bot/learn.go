package bot

import (
	"context"

	"chimera/bot/course"
	"chimera/bot/typed"
	"chimera/bot/words"
)

// learn goes on with the course that is named, or else was begun.
func learn(ctx context.Context, desk *Desk, r request) ([]Note, error) {
	v := desk.Courses.Begun(&r.me)
	if len(r.args) > 0 {
		all := desk.Games.Variants()
		if v = typed.Variant(all, r.args...); v == nil {
			return r.answer(words.NoVariant("learn", r.text, typed.LikelyVariants(all, r.text), all)), nil
		}
	}
	if v == nil {
		return []Note{desk.Courses.Choose(&r.me)}, nil
	}
	next := desk.Courses.Next(&r.me, v)
	if next == nil {
		return r.answer(words.Say("course.none", "kind", v.Name)), nil
	}
	return one(desk.Courses.Show(ctx, r.seat(), next))
}

func one(n Note, err error) ([]Note, error) { return []Note{n}, err }

// inLesson does something at the lesson that a button names.
func inLesson(do func(context.Context, *Desk, request, *course.Lesson) (Note, error)) handler {
	return func(ctx context.Context, desk *Desk, r request) ([]Note, error) {
		l := desk.Courses.Named(r.args[0], r.args[1])
		if l == nil {
			return r.answer(words.Say("request.old-button")), nil
		}
		return one(do(ctx, desk, r, l))
	}
}

func showLesson(ctx context.Context, desk *Desk, r request, l *course.Lesson) (Note, error) {
	return desk.Courses.Show(ctx, r.seat(), l)
}

func hintLesson(_ context.Context, desk *Desk, r request, l *course.Lesson) (Note, error) {
	return desk.Courses.Hint(r.seat(), l), nil
}

func tellLesson(_ context.Context, desk *Desk, r request, l *course.Lesson) (Note, error) {
	return desk.Courses.Tell(r.seat(), l)
}

func pickLesson(_ context.Context, desk *Desk, r request, l *course.Lesson) (Note, error) {
	return desk.Courses.Pick(r.seat(), l, r.args[2], r.args[3], r.args[4]), nil
}

func tryLesson(ctx context.Context, desk *Desk, r request, l *course.Lesson) (Note, error) {
	return desk.Courses.Answer(ctx, r.seat(), l, r.args[2])
}

// nextLesson goes on from a lesson that was answered, and shows one again that was not.
func nextLesson(ctx context.Context, desk *Desk, r request, l *course.Lesson) ([]Note, error) {
	if next := l.Next(); next != nil && r.me.Studies.Solved {
		l = next
	}
	return one(desk.Courses.Show(ctx, r.seat(), l))
}
