package main

import (
	"context"
	"fmt"

	"chimera/config"
)

type verify struct {
	config.Config `embed:""`
}

// Run replays every stored game and reports those that do not hold.
func (v *verify) Run(ctx context.Context, std streams) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	games, faults := 0, 0
	err := reach(ctx, v.Data, func(ops operations) error {
		return ops.Verify(ctx, func(f finding) error {
			if f.Fault == "" {
				games = f.Of
				return nil
			}
			faults++
			_, err := fmt.Fprintln(std.out, f)
			return err
		})
	})
	if err != nil {
		return cause(ctx, err)
	}
	if _, err := fmt.Fprintf(std.out, "%d games, %d faults\n", games, faults); err != nil {
		return err
	}
	if faults > 0 {
		return errFound
	}
	return nil
}
