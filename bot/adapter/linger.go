package adapter

import (
	"context"
	"time"

	"chimera/storage"
)

// Linger is a context that ends a while after another, so that work under way can be finished. It ends
// as soon as all roles are lost, since the process can neither say nor store anything from then on.
func Linger(ctx context.Context, longer time.Duration, roles storage.Roles) context.Context {
	lingering, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		defer end()
		select {
		case <-roles.Lost():
		case <-time.After(longer):
		}
	})
	return lingering
}
