package main

import (
	"context"
	"errors"
	"fmt"

	"chimera/config"
	"chimera/storage/kv"
)

type copies struct {
	From string `arg:"" placeholder:"FROM" help:"The database to copy: a file, or etcd://…"`
	To   string `arg:"" placeholder:"TO" help:"Where to; it must hold nothing yet."`
}

// Run copies a database that nobody changes into another, which may be in a file or a cluster
// each.
func (c *copies) Run(ctx context.Context, std streams) error {
	return fill(ctx, std, c.From, c.To)
}

type restore struct {
	config.Config `embed:""`
	File          string `arg:"" help:"A backup."`
}

// Run fills an empty database with what a backup holds.
func (r *restore) Run(ctx context.Context, std streams) error {
	return fill(ctx, std, r.File, r.Data)
}

// fill copies all that one database holds into another, which is empty, or was to be filled so
// before.
func fill(ctx context.Context, std streams, source, target string) (err error) {
	from, err := openToRead(ctx, source)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := openEngine(ctx, target)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	if _, err := kv.RolesOf(to).Hold(ctx, "fill"); err != nil {
		return err
	}
	size, err := copyDatabase(ctx, from, to)
	switch {
	case errors.Is(err, kv.ErrNotEmpty):
		return fmt.Errorf("%s is left as it is: %w", target, err)
	case err != nil:
		return fmt.Errorf("%s was not filled: %w", target, cause(ctx, err))
	}
	fmt.Fprintf(std.out, "%s: %d bytes\n", target, size)
	return nil
}
