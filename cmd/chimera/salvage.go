package main

import (
	"context"
	"errors"
	"fmt"

	"chimera/storage/salvage"
)

type rescue struct {
	From string `arg:"" placeholder:"FROM" help:"The damaged file; it is left as it is."`
	To   string `arg:"" placeholder:"TO" help:"A new file for what can be read."`
}

// Run takes what can be read out of a damaged file into a new one, and says what is missing.
func (r *rescue) Run(ctx context.Context, std streams) error {
	if clustered(r.From) || clustered(r.To) {
		return errors.New("salvage is for files: a cluster keeps several copies of what it holds")
	}
	if err := vacant(r.To); err != nil {
		return err
	}
	report, err := salvage.Run(ctx, r.From, r.To)
	if err != nil {
		return fmt.Errorf("%s: %w", r.From, err)
	}
	for _, line := range report.Lines() {
		fmt.Fprintln(std.out, line)
	}
	fmt.Fprintf(std.out, "%s: %s, %s\n", r.To, howMany(report.Records, "record"), howMany(report.Games, "game"))
	if !report.Whole() {
		return errFound
	}
	return nil
}
