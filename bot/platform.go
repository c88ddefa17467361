package bot

import (
	"context"

	"chimera/storage"
)

// AsOfNow is that of storage, for an adapter that reads before it hands a message on.
func AsOfNow(ctx context.Context) context.Context { return storage.AsOfNow(ctx) }

// ErrNotSaved is about adapter state that cannot be kept now; it is logged once for all.
var ErrNotSaved = storage.ErrNotSaved
