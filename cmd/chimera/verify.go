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
	var shown *progress
	err := reach(ctx, v.Data, func(ops operations) error {
		return ops.Verify(ctx, func(f finding) error {
			if f.Fault == "" {
				if shown == nil {
					shown = showGames(std.err, "replaying", f.Of)
				}
				shown.set(f.Done)
				games = f.Of
				return nil
			}
			faults++
			shown.end() // for a line; it comes again
			_, err := fmt.Fprintln(std.out, f)
			return err
		})
	})
	shown.end()
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
