package announce

import (
	"fmt"
	"maps"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/storage"
)

// Subject is what the outbox must know of entries. It implements [outbox.Subject].
type Subject struct {
	*match.Clocks
	*people.Places
}

// Calls implements [outbox.Subject].
func (Subject) Calls(e *storage.Entry) bool {
	switch inbox.What(e.Kind) {
	case inbox.Began, inbox.Moved, inbox.TookBack, inbox.Reminded, inbox.TimeUp, inbox.Challenged, inbox.DrawOffered, inbox.TakebackAsked:
		return true
	default:
		return false
	}
}

// Join implements [outbox.Subject]: the next board of a game, or its end, tells a move before
// it too, and what that tells.
func (Subject) Join(move, next storage.Entry) (storage.Entry, bool) {
	if inbox.What(move.Kind) != inbox.Moved || inbox.What(next.Kind) != inbox.Moved && inbox.What(next.Kind) != inbox.Ended {
		return next, false
	}
	facts := maps.Clone(next.Facts)
	if facts == nil {
		facts = map[string]string{}
	}
	facts[inbox.FactBefore] = move.Facts[inbox.FactBefore] + fmt.Sprintf("%d %s\n", move.Ply, move.Facts[inbox.FactMove])
	next.Facts = facts
	return next, true
}
