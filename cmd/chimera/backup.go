package main

import (
	"context"
	"fmt"
	"io"

	"chimera/cmd/internal/progress"
	"chimera/config"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

type backup struct {
	config.Config `embed:""`
	File          string `arg:"" help:"New file for the copy; an existing one is never overwritten."`
}

// Run copies the database as it is at one moment, while a bot goes on using it.
func (b *backup) Run(ctx context.Context, std streams) error {
	var size int64
	copied := func(file func(ctx context.Context, begin func(int64) (io.Writer, error)) error) error {
		return save(b.File, func(to io.Writer) error {
			var shown *progress.Bar
			defer func() { shown.End() }()
			return cause(ctx, file(ctx, func(length int64) (io.Writer, error) {
				size, shown = length, progress.Bytes(std.err, "copying", length)
				return io.MultiWriter(to, shown), nil
			}))
		}, func(path string) error { return sound(ctx, path) })
	}
	err := reach(ctx, b.Data, func(s socket) error { return copied(s.copy) }, func() error {
		return openedAsIs(ctx, b.Data, func(db kv.DB, _ uint64) error {
			if file, ok := db.(kv.Copier); ok {
				return copied(file.Copy)
			}
			return inFile(ctx, db, func(file kv.DB) error { return copied(file.(kv.Copier).Copy) })
		})
	})
	if err == nil {
		fmt.Fprintf(std.out, "%s: %d bytes\n", b.File, size)
	}
	return err
}

// sound reads a copy and says why it is not a database of ours.
func sound(ctx context.Context, path string) error {
	err := openedAsIs(ctx, path, func(db kv.DB, _ uint64) error { return db.(*bolt.DB).Check() })
	if err != nil {
		return fmt.Errorf("the copy is damaged: %w", err)
	}
	return nil
}
