package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"chimera/bot/match"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
)

type verify struct {
	config.Config `embed:""`
}

// Run replays every stored game and reports those that do not hold.
func (v *verify) Run(ctx context.Context, std streams) (err error) {
	if _, err := os.Stat(v.Data); err != nil {
		return fmt.Errorf("there is no database to verify: %w", err)
	}
	store, err := open(ctx, v.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	faults := 0
	service := match.New(store, variants.All(), time.Now, coin)
	games, err := service.Verify(ctx, func(id storage.GameID, fault error) {
		faults++
		fmt.Fprintf(std.out, "game %d: %v\n", id, fault)
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%d games, %d faults\n", games, faults)
	if faults > 0 {
		return errFound
	}
	return nil
}
