package engines

import (
	"context"
	"fmt"

	"chimera/storage"
	"chimera/storage/kv"
)

// During is a context that is done too when the claim on a database is lost, or a newer program
// has brought it up to date.
func During(ctx context.Context, store *storage.Store) context.Context {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-store.Outdated():
			end(storage.ErrNewer)
		case <-store.Roles().Lost():
			end(fmt.Errorf("%w: the process ends, so that another takes over; start it again", kv.ErrLost))
		case <-ctx.Done():
			end(nil)
		}
	}()
	return ctx
}
