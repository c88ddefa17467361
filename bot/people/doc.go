// Package people is who they are and where they are met: accounts and links, places and
// servers, settings, and forgetting.
package people

import (
	"time"

	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/storage"
)

// People keeps people and places. It is safe for concurrent use.
type People struct {
	store  *storage.Store
	inbox  *inbox.Inbox
	match  *match.Service
	league *league.League
	now    func() time.Time
}

// New makes a People whose games are those of a match.Service. now is the wall clock.
func New(store *storage.Store, m *match.Service, l *league.League, now func() time.Time) *People {
	return &People{store, inbox.New(store, now), m, l, now}
}
