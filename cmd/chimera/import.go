package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"chimera/config"
	"chimera/storage"
)

type imports struct {
	config.Config `embed:""`
	File          string `arg:"" help:"An exported game."`
}

// Run stores a game that was exported, as one that has ended.
func (i *imports) Run(ctx context.Context, std streams) error {
	text, err := os.ReadFile(i.File)
	switch {
	case err != nil:
		return err
	case len(text) == 0:
		return errors.New(i.File + " is empty")
	}
	stored := func(id storage.GameID) error {
		_, err := fmt.Fprintf(std.out, "game %d\n", id)
		return err
	}
	absent := missing(i.Data)
	if absent == "" {
		err = ask(ctx, i.Data, importing, string(text), stored)
	} else if _, err = reader().Archive.ReadExport(string(text)); err == nil { // or no database is made for it
		err = alone(ctx, i.Data, importing, string(text), stored)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	if absent != "" {
		_, err = fmt.Fprintf(std.err, "%s is a new database: %s\n", i.Data, absent)
	}
	return err
}
