package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"chimera/bot/announce"
	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/outbox"
	"chimera/bot/people"
	"chimera/storage"
)

// Delivery is a note on its way to a place.
type Delivery struct {
	Place storage.Place
	Entry storage.Entry // the facts that the note tells; its number is the same whenever it is sent again
	Note  Note
}

// Outlet says things on one platform. It is used by many goroutines at once.
type Outlet interface {
	// Send is that of [outbox.Sender], of an entry that has become a note.
	Send(ctx context.Context, d Delivery) (Receipt, error)

	// Limits is that of [outbox.Sender].
	Limits(at storage.Address) []Limit
}

type (
	// Outbox says what waits.
	Outbox = outbox.Outbox
	// Receipt is what an adapter wants to remember of what was said.
	Receipt = outbox.Receipt
	// Limit is how often something may be said.
	Limit = outbox.Limit
	// Later is a refusal that asks to wait.
	Later = outbox.Later
	// Never is a refusal for good.
	Never = outbox.Never
)

// NewOutbox makes the outbox of what is to be said by a bot. now is the wall clock; outlets
// are by platform.
func NewOutbox(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *Outbox {
	tell := &announce.Announcer{
		Store: b.Store, Games: b.Games, Challenges: b.Challenges, League: b.League, People: b.People, Places: b.Places, Links: b.Links,
		Studio: b.studio, WebLink: func(code string) string { return b.webLink(code, "") },
	}
	senders := map[string]outbox.Sender{}
	for platform, o := range outlets {
		senders[platform] = sender{o, tell}
	}
	return outbox.New(b.Store, subject{b.Clocks, b.Places}, now, log, senders)
}

// sender makes notes of entries and has them sent.
type sender struct {
	Outlet
	tell *announce.Announcer
}

// Send implements [outbox.Sender].
func (s sender) Send(ctx context.Context, at storage.Place, e storage.Entry) (Receipt, error) {
	n, err := s.note(ctx, at, e)
	switch {
	case storage.Lost(err):
		return nil, errors.Join(outbox.ErrUnfit, err)
	case err != nil:
		return nil, err
	case len(n.Text) == 0:
		return nil, outbox.ErrNothing
	}
	return s.Outlet.Send(ctx, Delivery{Place: at, Entry: e, Note: n})
}

func (s sender) note(ctx context.Context, at storage.Place, e storage.Entry) (n Note, err error) {
	defer func() {
		if p := recover(); p != nil { // the other games go on
			err = fmt.Errorf("%w: panic: %v", outbox.ErrUnfit, p)
		}
	}()
	return s.tell.Note(ctx, at, e)
}

// subject is what is known of entries.
type subject struct {
	*match.Clocks
	*people.Places
}

// Calls implements [outbox.Subject].
func (subject) Calls(e *storage.Entry) bool {
	switch inbox.What(e.Kind) {
	case inbox.Began, inbox.Moved, inbox.TookBack, inbox.Reminded, inbox.TimeUp, inbox.Challenged, inbox.DrawOffered, inbox.TakebackAsked:
		return true
	default:
		return false
	}
}

// Join implements [outbox.Subject]: the next board of a game, or its end, tells a move before
// it too, and what that tells.
func (subject) Join(move, next storage.Entry) (storage.Entry, bool) {
	if inbox.What(move.Kind) != inbox.Moved || inbox.What(next.Kind) != inbox.Moved && inbox.What(next.Kind) != inbox.Ended {
		return next, false
	}
	facts := maps.Clone(next.Facts)
	if facts == nil {
		facts = map[string]string{}
	}
	facts[inbox.FactBefore] = move.Facts[inbox.FactBefore] + fmt.Sprintf("%d %s\n", move.Ply, move.Facts[inbox.FactMove])
	next.Facts = facts
	return next, true
}
