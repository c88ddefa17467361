package bot

import (
	"fmt"
	"maps"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/storage"
)

// Subject is what the outbox must know of entries. It implements [outbox.Subject].
type Subject struct {
	*match.Clocks
	*user.Places
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
// it too, and what that tells. A game that begins with moves has still to be told of as one
// that begins.
func (Subject) Join(first, next storage.Entry) (storage.Entry, bool) {
	if !joins(first, next) {
		return next, false
	}
	facts := maps.Clone(next.Facts)
	if facts == nil {
		facts = map[string]string{}
	}
	if move := first.Facts[inbox.FactMove]; move != "" {
		facts[inbox.FactBefore] = first.Facts[inbox.FactBefore] + fmt.Sprintf("%d %s\n", first.Ply, move)
	}
	if usual := first.Facts[inbox.FactUsual]; usual != "" {
		facts[inbox.FactUsual] = usual
	}
	next.Facts = facts
	if inbox.What(first.Kind) == inbox.Began {
		next.Kind = first.Kind
	}
	return next, true
}

// joins reports whether what follows an entry in its queue tells that too.
func joins(first, next storage.Entry) bool {
	switch before, after := inbox.What(first.Kind), inbox.What(next.Kind); before {
	case inbox.Began:
		return after == inbox.Moved
	case inbox.Moved:
		return after == inbox.Moved || after == inbox.Ended
	default:
		return false
	}
}
