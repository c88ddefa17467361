package main

import (
	"context"
	"fmt"
	"io"

	"chimera/config"
	"chimera/storage"
	"chimera/storage/bolt"
)

type backup struct {
	config.Config `embed:""`
	File          string `arg:"" help:"Where the copy goes; nothing may be there."`
}

// Run copies the database as it is at one moment, while a bot goes on using it.
func (b *backup) Run(ctx context.Context, std streams) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	var size int64
	err := reach(ctx, b.Data, func(ops operations) error {
		return save(b.File, func(file io.Writer) error {
			var shown *progress
			err := ops.Copy(ctx, func(length int64) (io.Writer, error) {
				size = length
				shown = showBytes(std.err, "copying", length)
				return io.MultiWriter(file, shown), nil
			})
			shown.end()
			return cause(ctx, err)
		}, func(copied string) error { return sound(ctx, copied) })
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s: %d bytes\n", b.File, size)
	return err
}

// sound opens a copy and says why it is not a database of ours.
func sound(ctx context.Context, path string) (err error) {
	db, err := bolt.OpenReadOnly(path)
	if err != nil {
		return fmt.Errorf("the copy is no good: %w", err)
	}
	_, err = storage.Schema(ctx, db)
	if closing := db.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return fmt.Errorf("the copy is no good: %w", err)
	}
	return nil
}
