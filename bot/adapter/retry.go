package adapter

import (
	"context"
	"errors"
	"time"

	"chimera/bot/outbox"
)

// Retry is how a request is repeated that may not succeed at once.
type Retry struct {
	First time.Duration // before the second try; then twice as long each time
	Most  time.Duration // up to this; 0 for any length
	Tries int           // at most; 0 for any number

	// Verdict classifies an error: after [*outbox.Never] there is no other try, and after [*outbox.Later]
	// none before its time. If it is nil, errors stand for themselves.
	Verdict func(error) error

	Pause func(context.Context, time.Duration) error
	Log   func(err error, again time.Duration) // of an error before another try; may be nil
}

// Do asks until that succeeds. Otherwise it returns the last error, or why it stopped waiting.
func (r Retry) Do(ctx context.Context, ask func() error) error {
	wait := r.First
	for try := 1; ; try++ {
		err := ask()
		if err == nil {
			return nil
		}
		verdict := err
		if r.Verdict != nil {
			verdict = r.Verdict(err)
		}
		var never *outbox.Never
		var later *outbox.Later
		if errors.As(verdict, &never) || try == r.Tries {
			return err
		}
		if errors.As(verdict, &later) {
			wait = max(wait, later.After)
		}
		if r.Log != nil {
			r.Log(err, wait)
		}
		if err := r.Pause(ctx, wait); err != nil {
			return err
		}
		if wait *= 2; r.Most > 0 {
			wait = min(wait, r.Most)
		}
	}
}

// Pause waits, but no longer than the context lasts.
func Pause(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
