package kv

import "context"

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
