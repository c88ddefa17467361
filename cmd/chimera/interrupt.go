package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
)

// interruptible is a context that is done when the process is asked to end, so that
// what is begun is cleaned up. Asked again, the process ends at once.
func interruptible(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// ended is err, unless that is that the context is done, which is logged instead.
func ended(ctx context.Context, log *slog.Logger, err error) error {
	if errors.Is(err, context.Canceled) {
		log.InfoContext(ctx, "ended", "cause", context.Cause(ctx))
		return nil
	}
	return err
}

// cause is err, or why the context is done if that is the reason.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
