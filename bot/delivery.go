package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/user"
	"chimera/storage"
)

// Outlet says things on one platform. It is used by many goroutines at once.
type Outlet interface {
	// Send is that of [outbox.Sender], of an entry that has become a message.
	Send(ctx context.Context, d Delivery) (outbox.Receipt, error)

	// Limits is that of [outbox.Sender].
	Limits(at storage.Address) []outbox.Limit
}

// NewOutbox makes the outbox of what is to be said by a bot. now is the wall clock; outlets
// are by platform.
func NewOutbox(b *Bot, now func() time.Time, log *slog.Logger, outlets map[string]Outlet) *outbox.Outbox {
	senders := map[string]outbox.Sender{}
	for platform, o := range outlets {
		senders[platform] = sender{o, b, now}
	}
	return outbox.New(b.Store, subject{Service: b.Match, Users: b.Users}, now, log, senders)
}

// sender makes messages of entries and has them sent.
type sender struct {
	Outlet
	bot *Bot
	now func() time.Time
}

// Send implements [outbox.Sender].
func (s sender) Send(ctx context.Context, at storage.Place, e storage.Entry, courtesy func()) (outbox.Receipt, error) {
	n, err := s.message(ctx, at, e)
	switch {
	case storage.Missing(err):
		return nil, errors.Join(outbox.ErrUnfit, err)
	case err != nil:
		return nil, err
	case len(n.Text) == 0:
		return nil, outbox.ErrNothing
	}
	courtesy()
	receipt, err := s.Outlet.Send(ctx, Delivery{Place: at, Entry: e, Note: n})
	if err == nil {
		s.bot.Metrics.Announcement(at.Address.Platform, n.Board != nil, s.now().Sub(e.At))
	}
	return receipt, err
}

func (s sender) message(ctx context.Context, at storage.Place, e storage.Entry) (n message.Message, err error) {
	defer func() {
		if p := recover(); p != nil { // the other games go on
			err = fmt.Errorf("%w: panic: %v", outbox.ErrUnfit, p)
		}
	}()
	return s.bot.notify(ctx, at, e)
}

// Delivery is a message on its way to a place.
type Delivery struct {
	Place storage.Place
	Entry storage.Entry // what the message tells; its number stays the same when it is sent again
	Note  message.Message
}

// Challenges reports whether a delivery tells of a challenge, from which a thread can be opened.
func (d *Delivery) Challenges() bool { return event.Kind(d.Entry.Kind) == event.Challenged }

// Renews reports whether a delivery only changes the buttons of what told of a challenge before.
func (d *Delivery) Renews() bool { return event.Kind(d.Entry.Kind) == event.Unjoined }

// Begins reports whether a delivery tells of the beginning of a game.
func (d *Delivery) Begins() bool { return event.Kind(d.Entry.Kind) == event.Began }

// Ends reports whether a delivery tells of the end of a game.
func (d *Delivery) Ends() bool { return event.Kind(d.Entry.Kind) == event.Ended }

// After is the game that a challenge wants to be played again, 0 for none.
func (d *Delivery) After() storage.GameID { return event.PayloadOf[event.Challenge](&d.Entry).After }

// Outcome is what became of the challenge that a delivery tells of: accepted, declined, withdrawn
// or expired; "" if of none.
func (d *Delivery) Outcome() string {
	return map[event.Kind]string{
		event.Began: "accepted", event.Declined: "declined", event.Cancelled: "withdrawn", event.Expired: "expired",
	}[event.Kind(d.Entry.Kind)]
}

// OfferOutcome is the same of the draw or takeback that was offered in the game of a delivery which
// ends that: agreed, declined or withdrawn, or over because something else has happened.
func (d *Delivery) OfferOutcome() string {
	switch event.Kind(d.Entry.Kind) {
	case event.DrawDeclined, event.TakebackDeclined:
		return "declined"
	case event.DrawCancelled, event.TakebackCancelled:
		return "withdrawn"
	case event.TookBack:
		return "agreed"
	default:
		if event.PayloadOf[event.Position](&d.Entry).Agreed {
			return "agreed"
		}
		return "over"
	}
}

// Asks is what a delivery asks somebody to answer: a challenge, a draw or a takeback, or "".
func (d *Delivery) Asks() string {
	switch what := event.Kind(d.Entry.Kind); what {
	case event.Challenged, event.DrawOffered, event.TakebackAsked:
		return string(what)
	default:
		return ""
	}
}

// Answers reports whether a delivery ends what another one has asked.
func (d *Delivery) Answers(asked string) bool {
	switch event.Kind(d.Entry.Kind) {
	case event.DrawDeclined, event.DrawCancelled:
		return asked == string(event.DrawOffered)
	case event.TakebackDeclined, event.TakebackCancelled:
		return asked == string(event.TakebackAsked)
	default:
		return d.AnswersOffers()
	}
}

// KnownAt reports whether nobody needs to be told of a delivery at its place: many see it, or
// whoever alone does has done it.
func (d *Delivery) KnownAt() bool { return d.Place.Owner == 0 || d.Place.Owner == d.Entry.By }

// AnswersOffers reports whether a delivery answers what was offered before.
func (d *Delivery) AnswersOffers() bool {
	switch event.Kind(d.Entry.Kind) {
	case event.Unjoined, event.Reminded, event.TimeUp, event.TimeAdded, event.WentAway, event.CameBack, event.Recovered, event.MonthEnded,
		event.PuzzleTold, event.PuzzlesRest:
		return false
	default:
		return true
	}
}

// subject is what the outbox must know of entries. It implements [outbox.Subject].
type subject struct {
	*match.Service
	*user.Users
}

// Calls implements [outbox.Subject].
func (subject) Calls(e *storage.Entry) bool {
	switch event.Kind(e.Kind) {
	case event.Began, event.Moved, event.TookBack, event.Reminded, event.TimeUp, event.Challenged, event.DrawOffered, event.TakebackAsked:
		return true
	default:
		return false
	}
}

// Join implements [outbox.Subject]: the next board of a game, or its end, tells a move before
// it too, and what that tells. A game that begins with moves has still to be told of as one
// that begins.
func (subject) Join(first, next storage.Entry) (storage.Entry, bool) {
	if !joins(first, next) {
		return next, false
	}
	before, position := event.PayloadOf[event.Position](&first), event.PayloadOf[event.Position](&next)
	if before.Move != "" {
		position.Earlier = append(before.Earlier, event.Move{Ply: first.Ply, Move: before.Move})
	}
	position.Usual = position.Usual || before.Usual
	event.AddPayload(&next, position)
	if event.Kind(first.Kind) == event.Began {
		next.Kind = first.Kind
	}
	return next, true
}

// joins reports whether what follows an entry in its queue tells that too.
func joins(first, next storage.Entry) bool {
	switch before, after := event.Kind(first.Kind), event.Kind(next.Kind); before {
	case event.Began:
		return after == event.Moved
	case event.Moved:
		return after == event.Moved || after == event.Ended
	default:
		return false
	}
}
