package kv

import (
	"context"
	"time"
)

type momentKey struct{}

// AsOfNow is a context for all that one occasion leads to, such as a message: of what other
// handles store from now on, transactions under it need not see anything. The package
// documentation says what they do see. A context that is for an occasion already stays as it is.
func AsOfNow(ctx context.Context) context.Context {
	if _, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return ctx
	}
	return context.WithValue(ctx, momentKey{}, time.Now())
}

// Moment is when the occasion of a context began: now, if it is for none. It can be compared
// with other times of this process alone.
func Moment(ctx context.Context) time.Time {
	if moment, ok := ctx.Value(momentKey{}).(time.Time); ok {
		return moment
	}
	return time.Now()
}
