// Package league is what results make of people: ratings, leaderboards, and the tables of
// months.
package league

import (
	"sync"
	"time"

	"chimera/bot/inbox"
	"chimera/rules"
	"chimera/storage"
)

// League rates games and ranks people. It is safe for concurrent use.
type League struct {
	store    *storage.Store
	inbox    *inbox.Inbox
	variants []*rules.Variant
	now      func() time.Time
	counting sync.Mutex // held while all ratings are computed again
}

// New makes a League of games of these kinds. now is the wall clock.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time) *League {
	return &League{store: store, inbox: inbox.New(store, now), variants: variants, now: now}
}

// variant is the game of a key, or nil.
func (l *League) variant(key string) *rules.Variant { return rules.Find(l.variants, key) }
