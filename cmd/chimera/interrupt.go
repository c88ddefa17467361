package main

import (
	"context"
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

// cause is err, or why the context is done if that is the reason.
func cause(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
