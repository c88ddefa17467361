package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// reach lets do ask for operations on the database in a file: of the process that
// holds it, or on the file itself if none does.
func reach(ctx context.Context, data string, do func(operations) error) error {
	switch file, err := os.Stat(data); {
	case err != nil:
		return fmt.Errorf("there is no database: %w", err)
	case file.Size() == 0 && file.Mode().IsRegular():
		return fmt.Errorf("there is no database: %s is empty", data)
	}
	path := socketOf(data)
	if answers(ctx, path) == nil {
		return do(remote{path, patience})
	}
	err := do(closed{data})
	if !errors.Is(err, kv.ErrLocked) {
		return err
	}
	if silence := answers(ctx, path); silence != nil {
		return fmt.Errorf("%w by a process that cannot be asked: %w", err, silence)
	}
	return do(remote{path, patience}) // it has only just begun
}

// closed carries operations out on a file that no process holds.
type closed struct{ data string }

var _ operations = closed{}

// open opens the database for one operation, which brings the records of an older
// version up to date.
func (c closed) open(ctx context.Context, run func(holder) error) (err error) {
	return c.engine(ctx, func(db kv.DB) error {
		store, err := storage.Open(ctx, db)
		if err != nil {
			return err
		}
		return run(holder{store, c.data, time.Now})
	})
}

// engine opens the database and leaves its records as they are, which may be those
// of an older version.
func (c closed) engine(ctx context.Context, run func(kv.DB) error) (err error) {
	db, err := bolt.Open(c.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := storage.Schema(ctx, db); err != nil {
		return fmt.Errorf("%s: %w", c.data, err)
	}
	return run(db)
}

// Status implements operations.
func (c closed) Status(ctx context.Context) (s situation, err error) {
	err = c.open(ctx, func(h holder) (err error) {
		s, err = h.Status(ctx)
		s.Process = 0
		return err
	})
	return s, err
}

// Outbox implements operations.
func (c closed) Outbox(ctx context.Context, each func(waiting) error) error {
	return c.open(ctx, func(h holder) error { return h.Outbox(ctx, each) })
}

// Verify implements operations.
func (c closed) Verify(ctx context.Context, each func(finding) error) error {
	return c.open(ctx, func(h holder) error { return h.Verify(ctx, each) })
}

// Ratings implements operations.
func (c closed) Ratings(ctx context.Context, each func(finding) error) error {
	return c.open(ctx, func(h holder) error { return h.Ratings(ctx, each) })
}

// Forget implements operations.
func (c closed) Forget(ctx context.Context, person string) (id storage.PersonID, err error) {
	err = c.open(ctx, func(h holder) (err error) {
		id, err = h.Forget(ctx, person)
		return err
	})
	return id, err
}

// Import implements operations.
func (c closed) Import(ctx context.Context, text string) (id storage.GameID, err error) {
	err = c.open(ctx, func(h holder) (err error) {
		id, err = h.Import(ctx, text)
		return err
	})
	return id, err
}

// Copy implements operations.
func (c closed) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	return c.engine(ctx, func(db kv.DB) error { return db.Copy(ctx, begin) })
}
