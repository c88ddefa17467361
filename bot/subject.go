package bot

import (
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/storage"
)

// Subject is what the outbox must know of entries. It implements [outbox.Subject].
type Subject struct {
	*match.Service
	*user.Users
}

// Calls implements [outbox.Subject].
func (Subject) Calls(e *storage.Entry) bool {
	switch event.Kind(e.Kind) {
	case event.Began, event.Moved, event.TookBack, event.Reminded, event.TimeUp, event.Challenged, event.DrawOffered, event.TakebackAsked:
		return true
	default:
		return false
	}
}

// Join implements [outbox.Subject]: the next board of a game, or its end, tells a move before
// it too, and what that tells. A game that begins with moves has still to be told of as one
// that begins.
func (Subject) Join(first, next storage.Entry) (storage.Entry, bool) {
	if !joins(first, next) {
		return next, false
	}
	before, position := event.PayloadOf[event.Position](&first), event.PayloadOf[event.Position](&next)
	if before.Move != "" {
		position.Earlier = append(before.Earlier, event.Move{Ply: first.Ply, Move: before.Move})
	}
	position.Usual = position.Usual || before.Usual
	event.AddPayload(&next, position)
	if event.Kind(first.Kind) == event.Began {
		next.Kind = first.Kind
	}
	return next, true
}

// joins reports whether what follows an entry in its queue tells that too.
func joins(first, next storage.Entry) bool {
	switch before, after := event.Kind(first.Kind), event.Kind(next.Kind); before {
	case event.Began:
		return after == event.Moved
	case event.Moved:
		return after == event.Moved || after == event.Ended
	default:
		return false
	}
}
