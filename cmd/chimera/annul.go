package main

import (
	"context"
	"fmt"

	"chimera/config"
	"chimera/storage"
)

type annul struct {
	config.Config `embed:""`
	Game          string `arg:"" help:"The game's number."`
}

// Run lets a rated game count no more. Ratings may follow later, which the bot computes again.
func (a *annul) Run(ctx context.Context, std streams) error {
	return ask(ctx, a.Data, annulling, a.Game, func(id storage.GameID) error {
		_, err := fmt.Fprintf(std.out, "game %d counts no more\n", id)
		return err
	})
}
