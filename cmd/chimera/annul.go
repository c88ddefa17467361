package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/config"
	"chimera/storage"
)

type annul struct {
	config.Config `embed:""`
	Game          string `arg:"" help:"The game's number."`
}

// Run lets a rated game count no more. Ratings may follow later, which the bot computes again.
func (a *annul) Run(ctx context.Context, std streams) error {
	return ask(ctx, std, a.Data, "annul", a.Game)
}

func (h holder) annul(ctx context.Context, game string, say report) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(game, "#"), 10, 63)
	if err != nil {
		return fmt.Errorf("%q is no game: name its number, such as 12", game)
	}
	switch err := h.service().Ratings.Annul(ctx, storage.GameID(n)); {
	case event.IsRefused(err, event.NoSuchGame):
		return fmt.Errorf("there is no game %d", n)
	case event.IsRefused(err, event.NotRated):
		return fmt.Errorf("game %d counts for no ratings", n)
	case err != nil:
		return err
	}
	say.line("game %d counts no more", n)
	return nil
}
