package adapter

import (
	"context"
	"time"

	"chimera/storage"
)

// Lasting is a context that is done a while after another, in which is finished what has begun; as
// soon as all roles are lost if that is before, from when on a process can say and keep nothing.
func Lasting(ctx context.Context, longer time.Duration, roles storage.Roles) context.Context {
	lasting, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		defer end()
		select {
		case <-roles.Lost():
		case <-time.After(longer):
		}
	})
	return lasting
}
