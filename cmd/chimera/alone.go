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
	"chimera/storage/kv"
	"chimera/storage/migrate"
)

// alone carries an operation out on a file that no process holds. It changes the file only
// if the operation does, and otherwise reads one that cannot be written too.
func alone[T any](ctx context.Context, data string, op operation[T], what string, each func(T) error) (err error) {
	run := func(store *storage.Store, version uint64) error {
		return op.run(holder{store: store, data: data, now: time.Now, lent: version}, ctx, what, each)
	}
	if op.does != changes {
		return look(ctx, data, op.does == checks, run)
	}
	store, err := open(ctx, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return run(store, storage.Current)
}

// look opens a database to be read, and says what the version of its records is. Those of
// an older version are read in a copy that was brought up to date.
func look(ctx context.Context, data string, check bool, run func(s *storage.Store, version uint64) error) error {
	return openedAsIs(ctx, data, func(db kv.DB, version uint64) error {
		if db, ok := db.(checker); check && ok {
			if err := db.Check(); err != nil {
				return fmt.Errorf("%s: %w", data, err)
			}
		}
		if err := migrate.Check(version); err != nil {
			return fmt.Errorf("%s: %w", data, err)
		}
		if version < storage.Current {
			return renewed(ctx, db, func(s *storage.Store) error { return run(s, version) })
		}
		store, err := storage.Open(ctx, db)
		if err != nil {
			return err
		}
		return run(store, version)
	})
}

// checker is an engine that can look for damage.
type checker interface{ Check() error }

// renewed opens a copy of a database, up to date, for as long as run lasts.
func renewed(ctx context.Context, db kv.DB, run func(*storage.Store) error) (err error) {
	folder, err := os.MkdirTemp("", "chimera-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "copy.db")
	err = save(path, func(file io.Writer) error {
		old, ok := db.(kv.Copier)
		if !ok {
			return fmt.Errorf("%w: start this version on it once", storage.ErrOlder)
		}
		return old.Copy(ctx, func(int64) (io.Writer, error) { return file, nil })
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

// openedAsIs opens a database to be read and leaves its records as they are, which may be
// those of an older version.
func openedAsIs(ctx context.Context, data string, run func(db kv.DB, version uint64) error) (err error) {
	db, err := openToRead(ctx, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	version, err := storage.Schema(ctx, db)
	if err != nil {
		return fmt.Errorf("%s: %w", data, err)
	}
	return run(db, version)
}
