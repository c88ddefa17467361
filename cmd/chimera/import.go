package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"chimera/config"
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
	absent := missing(i.Data)
	if absent == "" {
		err = ask(ctx, std, i.Data, "import", string(text))
	} else if _, err = reader().Archive.ReadExport(string(text)); err == nil { // or no database is made for it
		say, _ := printed(std)
		err = alone(ctx, i.Data, "import", string(text), say)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", i.File, err)
	}
	if absent != "" {
		_, err = fmt.Fprintf(std.err, "%s is a new database: %s\n", i.Data, absent)
	}
	return err
}

func (h holder) importGame(ctx context.Context, text string, say report) error {
	id, err := h.service().Archive.Import(ctx, text)
	if err != nil {
		return err
	}
	say.line("game %d", id)
	return nil
}
