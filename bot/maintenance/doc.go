// Package maintenance does what nobody asks for: what is due, forgetting what has come to its end, and
// quarantining what is corrupt. It also checks whether all that is stored agrees with itself.
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

// Keeper keeps a store in order. It is safe for concurrent use.
type Keeper struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	users   *user.Users
	chores  []func(context.Context) error
	now     func() time.Time

	waitForTurn func(context.Context) error // nil where no other process does what is due
	failing     atomic.Bool                 // nothing can be stored
	swept       map[string]swept            // by kind; of Tick alone
}

// New makes a Keeper. now is the wall clock; chores are further things to do at each Tick.
func New(store *storage.Store, in *event.Log, l *rating.Service, m *match.Service, users *user.Users, now func() time.Time, chores ...func(context.Context) error) *Keeper {
	return &Keeper{store: store, events: in, match: m, ratings: l, users: users, now: now, chores: chores, swept: map[string]swept{}}
}
