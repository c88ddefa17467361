package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"chimera/bot/outbox"
	"chimera/storage"
)

// stored takes in what became of a transaction that writes: the first that cannot be
// kept is logged, and so is that they can be kept again.
func (b *Bot) stored(ctx context.Context, err error) {
	switch {
	case errors.Is(err, storage.ErrNotSaved) && !b.failing.Swap(true):
		b.log.ErrorContext(ctx, "nothing can be saved: all waits until it can", "err", err)
	case err == nil && b.failing.Swap(false):
		b.log.InfoContext(ctx, "everything can be saved again")
	}
}

// Bounds of how often is looked whether something is due: seldom while that fails.
const (
	tickEvery  = 20 * time.Second
	tickSeldom = 2 * time.Minute
)

// Clock lets happen what is due, until the context is done. What fails is tried again;
// what cannot be handled was set aside, and is logged once. sleep waits.
func (b *Bot) Clock(ctx context.Context, sleep func(context.Context, time.Duration) error) error {
	if err := b.upkeep.Recall(ctx); err != nil {
		b.log.ErrorContext(ctx, "what was set aside is not looked at again", "err", err)
	}
	wait, told := tickEvery, false
	known := map[storage.Ref]bool{}
	for ctx.Err() == nil {
		beat := b.clocks.Beat(ctx)
		b.stored(ctx, beat)
		err := errors.Join(beat, b.upkeep.Tick(ctx))
		if err == nil {
			err = b.logParked(ctx, known)
		}
		if ctx.Err() != nil {
			break
		}
		switch {
		case err == nil && told:
			b.log.InfoContext(ctx, "what is due is done again")
			told = false
		case err != nil && !told && !errors.Is(err, storage.ErrNotSaved): // that is logged once for all
			b.log.ErrorContext(ctx, "what is due is not done: it is tried again", "err", err)
			told = true
		}
		if wait = min(2*wait, tickSeldom); err == nil {
			wait = tickEvery
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// logParked logs what was set aside and is not known yet.
func (b *Bot) logParked(ctx context.Context, known map[storage.Ref]bool) error {
	parked, err := b.upkeep.Parked(ctx)
	for _, p := range parked {
		if known[p.Ref] {
			continue
		}
		known[p.Ref] = true
		b.log.ErrorContext(ctx, "set aside: it cannot be handled", slog.String("kind", p.Kind), slog.Uint64("number", p.ID),
			slog.Time("since", p.At), slog.String("err", outbox.Fault(errors.New(p.Fault))))
	}
	return err
}
