// Package upgrade brings databases up to date that earlier versions of the program have written.
//
// # Design
//
// A step leads from one schema to the next, in a transaction of its own, which writes the number
// of the schema that it has come to: a program that ends in between goes on there. A step knows the
// keys of its time by itself, so that they may change; where it writes records as they are today, a
// later step must find nothing amiss with that. What cannot be read is left as it is: it is set
// aside by whoever reads it.
package upgrade

import (
	"context"
	"errors"

	"chimera/storage"
	"chimera/storage/kv"
)

// Run brings a database up to date, which nobody else uses meanwhile. It leaves alone one that is,
// and an empty engine. It fails with storage.ErrNewer for one that a newer program has written.
func Run(ctx context.Context, db kv.DB) error {
	from, err := storage.Schema(ctx, db)
	if errors.Is(err, kv.ErrNotDatabase) {
		return nil
	}
	for ; err == nil && from < storage.Current; from++ {
		err = db.Update(ctx, func(w kv.Writer) error {
			if err := steps()[from](work{storage.Over(w), w}); err != nil {
				return err
			}
			return storage.PutSchema(w, from+1)
		})
	}
	return err
}
