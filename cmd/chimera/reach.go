package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
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
	answer := answers(ctx, path)
	if answer == nil {
		return do(remote{path, patience})
	}
	if _, strange := errors.AsType[stranger](answer); strange {
		return fmt.Errorf("%s: %w", path, answer)
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

// closed carries operations out on a file that no process holds. It changes the file only
// where that is asked for, and reads one that cannot be written too.
type closed struct{ data string }

var _ operations = closed{}

// change opens the database for one operation that changes it, and brings the records of
// an older version up to date.
func (c closed) change(ctx context.Context, run func(holder) error) (err error) {
	store, err := open(ctx, c.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return run(holder{store, c.data, time.Now})
}

// look opens the database for one operation that reads, which is told the version of its
// records. Those of an older version are read in a copy that was brought up to date.
func (c closed) look(ctx context.Context, run func(h holder, version uint64) error) error {
	return c.engine(ctx, func(db kv.DB, version uint64) error {
		if version < storage.Current {
			return renewed(ctx, db, func(s *storage.Store) error { return run(holder{s, c.data, time.Now}, version) })
		}
		store, err := storage.Open(ctx, db)
		if err != nil {
			return err
		}
		return run(holder{store, c.data, time.Now}, version)
	})
}

// renewed opens a copy of a database, up to date, for as long as run lasts.
func renewed(ctx context.Context, db kv.DB, run func(*storage.Store) error) (err error) {
	folder, err := os.MkdirTemp("", "chimera-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "copy.db")
	err = save(path, func(file io.Writer) error {
		return db.Copy(ctx, func(int64) (io.Writer, error) { return file, nil })
	}, func(string) error { return nil })
	if err != nil {
		return err
	}
	store, err := open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return run(store)
}

// engine opens the database to be read and leaves its records as they are, which may be
// those of an older version.
func (c closed) engine(ctx context.Context, run func(db kv.DB, version uint64) error) (err error) {
	db, err := bolt.OpenReadOnly(c.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	version, err := storage.Schema(ctx, db)
	if err != nil {
		return fmt.Errorf("%s: %w", c.data, err)
	}
	return run(db, version)
}

// Status implements operations.
func (c closed) Status(ctx context.Context) (s situation, err error) {
	err = c.look(ctx, func(h holder, version uint64) (err error) {
		s, err = h.Status(ctx)
		s.Process, s.Schema = 0, version
		return err
	})
	return s, err
}

// Outbox implements operations.
func (c closed) Outbox(ctx context.Context, each func(waiting) error) error {
	return c.look(ctx, func(h holder, _ uint64) error { return h.Outbox(ctx, each) })
}

// Verify implements operations.
func (c closed) Verify(ctx context.Context, each func(finding) error) error {
	return c.look(ctx, func(h holder, _ uint64) error { return h.Verify(ctx, each) })
}

// Ratings implements operations.
func (c closed) Ratings(ctx context.Context, each func(finding) error) error {
	return c.look(ctx, func(h holder, _ uint64) error { return h.Ratings(ctx, each) })
}

// Repair implements operations.
func (c closed) Repair(ctx context.Context, each func(mended) error) error {
	return c.change(ctx, func(h holder) error { return h.Repair(ctx, each) })
}

// Forget implements operations.
func (c closed) Forget(ctx context.Context, person string) (id storage.PersonID, err error) {
	err = c.change(ctx, func(h holder) (err error) {
		id, err = h.Forget(ctx, person)
		return err
	})
	return id, err
}

// Import implements operations.
func (c closed) Import(ctx context.Context, text string) (id storage.GameID, err error) {
	err = c.change(ctx, func(h holder) (err error) {
		id, err = h.Import(ctx, text)
		return err
	})
	return id, err
}

// Copy implements operations.
func (c closed) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	return c.engine(ctx, func(db kv.DB, _ uint64) error { return db.Copy(ctx, begin) })
}
