package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
)

// How long to wait before an adapter that has ended is started again: twice as long each time, unless
// it had run for longer than that.
const (
	againFirst = time.Minute
	againMost  = 16 * time.Minute
)

// supervisor keeps the bot on a platform: it starts the adapter again when it has ended, unless that was
// for good. Meanwhile messages wait.
type supervisor struct {
	platform string
	build    func() (platform, error)
	away     func(why error) // is told when it has ended, and with nil when it is there again

	mu   sync.Mutex
	chat platform  // the one at work, or else the last
	why  error     // it is not at work, nil if it is
	next time.Time // when it is tried again, zero if never
}

var _ bot.Outlet = (*supervisor)(nil)

// Send implements [bot.Outlet].
func (s *supervisor) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	s.mu.Lock()
	chat, why, next := s.chat, s.why, s.next
	s.mu.Unlock()
	switch {
	case why == nil:
		return chat.Send(ctx, d)
	case next.IsZero():
		return nil, &outbox.Later{After: againMost, Everywhere: true, Err: why}
	}
	return nil, &outbox.Later{After: time.Until(next), Everywhere: true, Err: why}
}

// Limits implements [bot.Outlet].
func (s *supervisor) Limits(place storage.Address) []outbox.Limit {
	s.mu.Lock()
	chat := s.chat
	s.mu.Unlock()
	return chat.Limits(place)
}

// keep runs the adapter until the context is done or it has ended for good. The error says why.
func (s *supervisor) keep(ctx context.Context, post *outbox.Outbox, log *slog.Logger) error {
	wait := againFirst
	for {
		begun := time.Now()
		err := s.chat.Run(ctx, post)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, kv.ErrLost) {
			return err // the process ends
		}
		if never, ok := errors.AsType[*outbox.Never](err); ok {
			log.ErrorContext(ctx, s.platform+": stopped for good", "err", never.Err)
			s.stop(never.Err, time.Time{})
			return never.Err
		}
		if err == nil {
			err = errors.New(s.platform + ": the adapter has ended")
		}
		if time.Since(begun) > againMost {
			wait = againFirst
		}
		log.ErrorContext(ctx, s.platform+": stopped", "err", err, "again in", wait)
		s.stop(err, time.Now().Add(wait))
		if err := adapter.Pause(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, againMost)
		if err := s.start(); err != nil {
			return err
		}
	}
}

// start makes the adapter.
func (s *supervisor) start() error {
	chat, err := s.build()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.chat, s.why, s.next = chat, nil, time.Time{}
	s.away(nil)
	return nil
}

// stop records that the adapter has ended, and when it is started again.
func (s *supervisor) stop(why error, next time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.why, s.next = why, next
	s.away(why)
}

// Connected returns why the platform is not connected now, nil if it is.
func (s *supervisor) Connected() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why != nil {
		return s.why
	}
	return s.chat.Connected()
}

// String describes the state for operators.
func (s *supervisor) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.why == nil:
		if err := s.chat.Connected(); err != nil {
			return fmt.Sprintf("connecting: %v", err)
		}
		return "on"
	case s.next.IsZero():
		return fmt.Sprintf("stopped for good: %v", s.why)
	}
	return fmt.Sprintf("stopped: %v; tried again at %s", s.why, s.next.UTC().Format(time.DateTime+" MST"))
}
