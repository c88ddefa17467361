package bot

import (
	"chimera/bot/archive"
	"chimera/bot/course"
	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/studio"
	"chimera/bot/think"
	"chimera/bot/upkeep"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
)

// Desk is what requests are carried out with. It is safe for concurrent use.
type Desk struct {
	Services
	log      *slog.Logger
	about    string // name and version
	commands Table
	studio   *studio.Studio
	webLinks sync.Map     // by platform, what a code is put behind to be a web address that leads there
	away     sync.Map     // platforms on which the bot is not at the moment
	only     atomic.Value // the platform beside which there is no other; nil if there are several
}

// Services are what the bot asks to have something done, over one store.
type Services struct {
	Store      *storage.Store
	Inbox      *inbox.Inbox
	Match      *match.Service
	Games      *match.Games
	Clocks     *match.Clocks
	Challenges *match.Challenges
	League     *league.League
	People     *people.People
	Places     *people.Places
	Links      *people.Links
	Archive    *archive.Archive
	Upkeep     *upkeep.Upkeep
	Thinker    *think.Thinker
	Courses    *course.Courses
}

// looksLikeMove reports whether all of a text is written as a move of some game.
func (desk *Desk) looksLikeMove(text string) bool {
	return slices.ContainsFunc(desk.Games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}

// errWords is a request that is refused in these words, with what can be done instead.
type errWords struct {
	text    words.Text
	buttons []Button
}

func (e *errWords) Error() string { return "bot: refused: " + e.text.Plain() }
