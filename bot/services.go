package bot

import (
	"time"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/maintenance"
	"chimera/bot/match"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/storage"
)

// Services are what the bot asks to have something done, over one store.
type Services struct {
	Store       *storage.Store
	Events      *event.Log
	Match       *match.Service
	Games       *match.Games
	Ratings     *rating.Service
	Users       *user.Users
	Archive     *archive.Archive
	Maintenance *maintenance.Keeper
	Thinker     *computer.Thinker
	Training    *training.Service
	Metrics     *metrics.Metrics // nil where nothing is counted
}

// Roles are those of the store.
func (s *Services) Roles() storage.Roles { return s.Store.Roles() }

// Count lets what happens from now on be counted. It is called before anything happens.
func (s *Services) Count(m *metrics.Metrics) { s.Metrics, s.Match.Metrics = m, m }

// NewServices makes them for the given games. now is the wall clock; coin is tossed for
// colours.
func NewServices(store *storage.Store, variants []*rules.Variant, now func() time.Time, coin func() bool) Services {
	s := Services{Store: store, Events: event.New(store, now)}
	s.Ratings = rating.New(store, s.Events, variants, now)
	s.Match = match.New(store, s.Events, s.Ratings, variants, now, coin)
	s.Games = s.Match.Games
	s.Users = user.New(store, s.Events, s.Ratings, s.Match, now)
	s.Archive = archive.New(store, s.Games)
	s.Training = training.New(store, variants, now)
	s.Thinker = computer.New(store, s.Games, s.Match, now)
	s.Maintenance = maintenance.New(store, s.Events, s.Ratings, s.Match, s.Users, now, s.Training.TellDue, s.Users.SweepSessions)
	return s
}
