package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chimera/bot/message"
	"chimera/bot/outbox"
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
	return outbox.New(b.Store, Subject{Service: b.Match, Users: b.Users}, now, log, senders)
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
