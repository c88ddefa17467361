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

// People keeps people. It is safe for concurrent use.
type People struct {
	store      *storage.Store
	inbox      *inbox.Inbox
	games      *match.Games
	clocks     *match.Clocks
	challenges *match.Challenges
	league     *league.League
	now        func() time.Time
}

// New makes
func New(store *storage.Store, l *league.League, games *match.Games, clocks *match.Clocks, challenges *match.Challenges, now func() time.Time) *People {
	in := inbox.New(store, now)
	return &People{store, in, games, clocks, challenges, l, now}
}
