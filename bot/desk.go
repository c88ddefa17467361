package bot

import (
	"log/slog"
	"slices"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/maintenance"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/storage"
)

// Desk is what requests are carried out with. It is safe for concurrent use.
type Desk struct {
	Services
	Platforms
	Log      *slog.Logger
	About    string // name and version
	Commands Table
	Studio   *message.Cache
}

// Services are what the bot asks to have something done, over one store.
type Services struct {
	Store   *storage.Store
	Inbox   *event.Inbox
	Match   *match.Service
	Games   *match.Games
	Ratings *rating.Service
	People  *user.People
	Places  *user.Places
	Links   *user.Links
	Passes  *user.Passes
	Archive *archive.Archive
	Upkeep  *maintenance.Upkeep
	Thinker *computer.Thinker
	Courses *training.Courses
	Daily   *training.Daily
	Puzzles *training.Puzzles
	Metrics *metrics.Metrics // nil where nothing is counted
}

// Roles are those of the store.
func (s *Services) Roles() storage.Roles { return s.Store.Roles() }

// Count lets what happens from now on be counted. It is called before anything happens.
func (s *Services) Count(m *metrics.Metrics) { s.Metrics, s.Match.Metrics = m, m }

// LooksLikeMove reports whether all of a text is written as a move of some game.
func (desk *Desk) LooksLikeMove(text string) bool {
	return slices.ContainsFunc(desk.Games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}
