package engines

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chimera/storage"
	"chimera/storage/kv"
)

const (
	// atWork is the role of the process that a database in a cluster is changed by. Who has a
	// file open has it anyway.
	atWork = "work"

	// foreignPatience is how long another process may take to end, for whoever does not stand
	// by, and notice how long it may before whoever does says so.
	foreignPatience = 3 * time.Second
	notice          = time.Second / 2
)

// OpenToWork opens a database for the one process that changes it. If another has it in a
// cluster, that is waited for, for a while or, standing by, until it ends.
func OpenToWork(ctx context.Context, address string, standBy func()) (kv.DB, error) {
	db, err := Open(ctx, address)
	if err != nil {
		return nil, err
	}
	wait := foreignPatience
	if standBy != nil {
		wait = notice
	}
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	_, err = kv.RolesOf(db).Hold(soon, atWork)
	if late := err != nil && soon.Err() != nil && ctx.Err() == nil; late && standBy != nil {
		standBy()
		_, err = kv.RolesOf(db).Hold(ctx, atWork)
	} else if late {
		err = fmt.Errorf("%s: %w by another process: end that first, and give it the time of a lease if it was killed", address, kv.ErrLocked)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

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
