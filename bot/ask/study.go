package ask

import (
	"context"
	"time"

	"chimera/bot/course"
	"chimera/bot/note"
)

// Study is what somebody who learns has before them: a lesson or a puzzle.
type Study interface {
	// Shown is when it was, if it is what was shown last.
	Shown() time.Time
	// Solved reports whether that was answered.
	Solved() bool
	// Legal reports whether a text is a legal move there.
	Legal(text string) bool
	// Show shows it.
	Show(ctx context.Context) (note.Note, error)
	// Answer tries a move.
	Answer(ctx context.Context, text string) (note.Note, error)
	// Hint helps.
	Hint(ctx context.Context) (note.Note, error)
	// Tell tells the move.
	Tell(ctx context.Context) (note.Note, error)
	// Pick lets a move be picked: from a square to another, note.None where that is not chosen yet.
	Pick(from, to, page string) note.Note
	// Next goes on from what was answered, and shows again what was not.
	Next(ctx context.Context) (note.Note, error)
}

// OpenStudy is the lesson or puzzle that a request which names no game is about: what the author
// was shown last, unless a game that is played there has come to be their turn since, and the
// text fits that alone, or it is done. Games elsewhere are none of its business. Nil is none.
func (desk *Desk) OpenStudy(ctx context.Context, r Request) (Study, error) {
	study := desk.before(r.Seat())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.heard != nil {
		return nil, nil
	}
	if !study.Solved() && study.Legal(r.Text) {
		return study, nil
	}
	if newer, err := desk.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// before is what somebody has before them, nil if nothing.
func (desk *Desk) before(at course.Seat) (found Study) {
	if l := desk.Courses.Open(at); l != nil {
		found = l
	}
	if t := desk.Puzzles.Open(at); t != nil && (found == nil || !t.Shown().Before(found.Shown())) {
		found = t
	}
	return found
}
