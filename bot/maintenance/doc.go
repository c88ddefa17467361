// Package maintenance is what is done without anybody asking: what is due, what has come to its
// end, what is damaged; and whether all that is stored agrees with itself.
package maintenance

import (
	"context"
	"sync/atomic"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/storage"
)

// Upkeep keeps a store in order. It is safe for concurrent use.
type Upkeep struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	users   *user.Users
	chores  []func(context.Context) error
	now     func() time.Time

	turn          func(context.Context) error // nil where no other process does what is due
	failing       atomic.Bool                 // nothing can be stored
	lookedThrough map[string]time.Time        // by kind, when the last of it had been; of Tick alone
}

// New makes an Upkeep. now is the wall clock; chores are what else is done at each Tick.
func New(store *storage.Store, in *event.Log, l *rating.Service, m *match.Service, users *user.Users, now func() time.Time, chores ...func(context.Context) error) *Upkeep {
	return &Upkeep{store: store, events: in, match: m, ratings: l, users: users, now: now, chores: chores, lookedThrough: map[string]time.Time{}}
}
