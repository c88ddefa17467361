package bot

import (
	"context"
	"slices"
	"time"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/storage"
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
	Show(ctx context.Context) (message.Message, error)
	// Try tries a move.
	Try(ctx context.Context, text string) (message.Message, error)
	// Hint helps, or tells what that costs.
	Hint(ctx context.Context) (message.Message, error)
	// Help helps more than it has before.
	Help(ctx context.Context) (message.Message, error)
	// Tell tells the move.
	Tell(ctx context.Context) (message.Message, error)
	// Pick lets a move be picked: from a square to another, note.None where that is not chosen yet.
	Pick(from, to, page string) message.Message
	// Next goes on from what was answered, and shows again what was not.
	Next(ctx context.Context) (message.Message, error)
}

// OpenStudy is the lesson or puzzle that a request which names no game is about: what the author
// was shown last, unless a game that is played there has come to be their turn since. Games
// elsewhere are none of its business. Nil is none.
func (b *Bot) OpenStudy(ctx context.Context, r Request) (Study, error) {
	study := b.Before(r.Seat())
	if study == nil || r.Game != 0 || r.Msg.ReplyTo != 0 || r.Msg.Press != "" || r.Msg.Heard != nil {
		return nil, nil
	}
	if newer, err := b.calls(ctx, r, study.Shown()); newer || err != nil {
		return nil, err
	}
	return study, nil
}

// Before is the lesson or puzzle that somebody has before them, nil if none.
func (b *Bot) Before(at training.Learner) (found Study) {
	if l := b.Courses.Open(at); l != nil {
		found = l
	}
	if t := b.Puzzles.Open(at); t != nil && (found == nil || !t.Shown().Before(found.Shown())) {
		found = t
	}
	return found
}

// OpenDaily is the puzzle of the day that a request means which names no game, as OpenStudy has
// it, and which nobody else sees; nil is none.
func (b *Bot) OpenDaily(ctx context.Context, r Request) (*training.Open, error) {
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
