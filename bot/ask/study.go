package ask

import (
	"context"
	"time"

	"chimera/bot/course"
	"chimera/bot/note"
	"chimera/bot/puzzle"
)

// Study is what somebody who learns has before them: a lesson or a puzzle.
type Study interface {
	// Shown is when it was.
	Shown() time.Time
	// Legal reports whether a text is a legal move there.
	Legal(text string) bool
	// Answer tries a move.
	Answer(ctx context.Context, text string) (note.Note, error)
	// Hint helps.
	Hint(ctx context.Context) (note.Note, error)
	// Pick lets a move be picked.
	Pick() note.Note
	// Next goes on from what was answered, and shows again what was not.
	Next(ctx context.Context) (note.Note, error)
}

// OpenStudy is the lesson or puzzle that a request which names no game is about: what the author
// was shown last, unless a game that is played there has come to be their turn since, and the
// text fits that alone, or it is done. Games elsewhere are none of its business. Nil is none.
func (desk *Desk) OpenStudy(ctx context.Context, r Request) (Study, error) {
	study, solved := desk.before(r.Seat())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.heard != nil {
		return nil, nil
	}
	if !solved && study.Legal(r.Text) {
		return study, nil
	}
	if newer, err := desk.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// before is what somebody has before them, and whether it was answered.
func (desk *Desk) before(at course.Seat) (found Study, solved bool) {
	if l := desk.Courses.Open(at); l != nil {
		found, solved = &lesson{l, desk.Courses, at}, at.Person.Studies.Solved
	}
	if t := desk.Puzzles.Open(at); t != nil && (found == nil || !at.Person.Training.At.Before(found.Shown())) {
		found, solved = &task{t, desk.Puzzles, at}, at.Person.Training.Solved
	}
	return found, solved
}

// lesson is one that somebody has before them.
type lesson struct {
	*course.Lesson
	courses *course.Courses
	at      course.Seat
}

func (l *lesson) Shown() time.Time { return l.at.Person.Studies.At }

func (l *lesson) Answer(ctx context.Context, text string) (note.Note, error) {
	return l.courses.Answer(ctx, l.at, l.Lesson, text)
}

func (l *lesson) Hint(context.Context) (note.Note, error) {
	return l.courses.Hint(l.at, l.Lesson), nil
}

func (l *lesson) Pick() note.Note {
	return l.courses.Pick(l.at, l.Lesson, note.None, note.None, "0")
}

func (l *lesson) Next(ctx context.Context) (note.Note, error) {
	shown := l.Lesson
	if next := shown.Next(); next != nil && l.at.Person.Studies.Solved {
		shown = next
	}
	return l.courses.Show(ctx, l.at, shown)
}

// task is one of a puzzle that somebody has before them.
type task struct {
	*puzzle.Task
	puzzles *puzzle.Puzzles
	at      course.Seat
}

func (t *task) Shown() time.Time { return t.at.Person.Training.At }

func (t *task) Answer(ctx context.Context, text string) (note.Note, error) {
	return t.puzzles.Answer(ctx, t.at, t.Task, text)
}

func (t *task) Hint(ctx context.Context) (note.Note, error) { return t.puzzles.Hint(ctx, t.at, t.Task) }

func (t *task) Pick() note.Note {
	return t.puzzles.Pick(t.at, t.Task, note.None, note.None, "0")
}

func (t *task) Next(ctx context.Context) (note.Note, error) {
	return t.puzzles.GoOn(ctx, t.at, t.Task)
}
