package training

import (
	"context"
	"strconv"
	"strings"
	"time"

	"chimera/bot/message"
	"chimera/rules"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// Service gives people lessons, puzzles and the puzzle of the day. It is safe for concurrent use.
type Service struct {
	*Collection
	store *storage.Store
	now   func() time.Time
}

// New makes the Service of the games. now is the wall clock.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time) *Service {
	return &Service{NewCollection(variants), store, now}
}

// fresh is for how long a lesson or a puzzle is believed to be what somebody looks at.
const fresh = time.Hour

// Learner is somebody who learns, where they do.
type Learner struct {
	Person  storage.Person
	Place   storage.PlaceID
	Private bool // nobody else is there: what is written is for the bot
}

// before reports whether somebody still has before them what was shown to them at a place.
func (at *Learner) before(place storage.PlaceID, shown, now time.Time) bool {
	return (place == at.Place || at.Private) && now.Sub(shown) <= fresh
}

// Exercise is what somebody who learns has before them: a [Lesson] or an [Attempt] at a puzzle.
type Exercise interface {
	// Shown is when it was, if it is what was shown last.
	Shown() time.Time
	// Solved reports whether that was answered.
	Solved() bool
	// Legal reports whether a text is a legal move there.
	Legal(text string) bool
	// Show shows it.
	Show(ctx context.Context) (*message.Message, error)
	// Try tries a move.
	Try(ctx context.Context, text string) (*message.Message, error)
	// Help helps more than it has before.
	Help(ctx context.Context) (*message.Message, error)
	// Pick lets a move be picked: from a square to another, [message.None] where that is not chosen
	// yet; page counts the pages of choices.
	Pick(from, to, page string) *message.Message
	// Next goes on from what was answered, and shows again what was not.
	Next(ctx context.Context) (*message.Message, error)

	hint(ctx context.Context) (*message.Message, error)
	piece(ctx context.Context) (*message.Message, error)
	tell(ctx context.Context) (*message.Message, error)
}

// Open is the lesson or puzzle that somebody has before them, solved or not; nil if there is none.
func (s *Service) Open(at Learner) (found Exercise) {
	studies, puzzle := &at.Person.Studies, &at.Person.Training
	if at.before(studies.Place, studies.At, s.now()) {
		if l := s.lesson(at, s.game(studies.Game), studies.Lesson); l != nil {
			found = l
		}
	}
	if at.before(puzzle.Place, puzzle.At, s.now()) && (found == nil || !puzzle.At.Before(studies.At)) {
		if a := s.Attempt(at, s.game(puzzle.Game), puzzle.Number, puzzle.Turn); a != nil {
			found = a
		}
	}
	return found
}

// Press does what a button says of those that this package makes: a verb and the words that follow.
// It is nil where they name nothing that there is.
func (s *Service) Press(ctx context.Context, at Learner, verb string, args []string) (*message.Message, error) {
	var e Exercise
	kind, act, _ := strings.Cut(verb, "-")
	v := s.game(args[0])
	switch {
	case kind == "daily":
		return s.daily(ctx, at, act, args)
	case verb == "puzzle" && v != nil:
		return s.NextPuzzle(ctx, at, v, given.Named(args[1]))
	case kind == "lesson":
		if l := s.lesson(at, v, index(args[1])); l != nil {
			e, args = l, args[2:]
		}
	case verb != "puzzle":
		if a := s.Attempt(at, v, index(args[1]), index(args[2])); a != nil {
			e, args = a, args[3:]
		}
	}
	if e == nil {
		return nil, nil
	}
	switch act {
	case "hint":
		return e.hint(ctx)
	case "piece":
		return e.piece(ctx)
	case "move":
		return e.tell(ctx)
	case "pick":
		return e.Pick(args[0], args[1], args[2]), nil
	case "try":
		return e.Try(ctx, args[0])
	default:
		return e.Show(ctx)
	}
}

// index is a number from 0 that stands on a button, -1 if it is none.
func index(text string) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return -1
}
