package bot

import (
	"time"

	"chimera/bot/archive"
	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/upkeep"
	"chimera/rules"
	"chimera/storage"
)

// Services are what the bot asks to have something done, over one store.
type Services struct {
	Inbox   *inbox.Inbox
	Match   *match.Service
	League  *league.League
	People  *people.People
	Archive *archive.Archive
	Upkeep  *upkeep.Upkeep
}

// NewServices makes them for the given games. now is the wall clock; coin is tossed for
// colours.
func NewServices(store *storage.Store, games []*rules.Variant, now func() time.Time, coin func() bool) Services {
	l := league.New(store, games, now)
	m := match.New(store, l, games, now, coin)
	p := people.New(store, m, l, now)
	return Services{inbox.New(store, now), m, l, p, archive.New(store, m, now), upkeep.New(store, m, l, p, now)}
}
