package kv

import (
	"context"
	"time"
)

type momentKey struct{}

// AsOfNow is a context for all that is read to answer what has just been asked: what other handles
// store from now on need not be seen under it. The package documentation says what is. A context
// that has a moment keeps it.
func AsOfNow(ctx context.Context) context.Context {
	if _, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return ctx
	}
	return context.WithValue(ctx, momentKey{}, time.Now())
}

// Moment is the moment of a context: now, if it has none. It compares with other times of this
// process.
func Moment(ctx context.Context) time.Time {
	if moment, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return moment
	}
	return time.Now()
}

type leisureKey struct{}

// AtLeisure is a context whose Updates nobody waits for: an engine may keep each for a few
// milliseconds, to store it together with others.
func AtLeisure(ctx context.Context) context.Context {
	return context.WithValue(ctx, leisureKey{}, true)
}

// IsAtLeisure reports whether nobody waits for the Updates of a context.
func IsAtLeisure(ctx context.Context) bool {
	is, _ := ctx.Value(leisureKey{}).(bool)
	return is
}
