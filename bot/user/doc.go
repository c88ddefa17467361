// Package user keeps people and where they are met: their accounts, sessions and settings, rooms,
// private chats and servers. Accounts can be linked, and people forgotten.
package user

import (
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

// Users keeps people, places and what people have chosen. It is safe for concurrent use.
type Users struct {
	store   *storage.Store
	events  *event.Log
	match   *match.Service
	ratings *rating.Service
	now     func() time.Time
}

// New makes Users over a store. now is the wall clock.
func New(store *storage.Store, in *event.Log, ratings *rating.Service, m *match.Service, now func() time.Time) *Users {
	return &Users{store, in, m, ratings, now}
}
