package main

import (
	"context"
	"fmt"

	"chimera/config"
)

type repair struct {
	config.Config `embed:""`
}

// Run sets aside for good what cannot be read or handled, one line for each record.
func (c *repair) Run(ctx context.Context, std streams) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	repaired, left := 0, 0
	err := ask(ctx, c.Data, repairing, "", func(m mended) error {
		if m.Fault == "" {
			repaired++
		} else {
			left++
		}
		_, err := fmt.Fprintln(std.out, m)
		return err
	})
	if err != nil {
		return cause(ctx, err)
	}
	if _, err := fmt.Fprintf(std.out, "%d set aside for good, %d left\n", repaired, left); err != nil {
		return err
	}
	if left > 0 {
		return errFound
	}
	return nil
}

// String is what became of a record, as people see it.
func (m mended) String() string {
	what := fmt.Sprintf("%s %d: ", legible(m.Kind), m.ID)
	switch {
	case m.Fault != "":
		return what + legible(m.Fault)
	case m.Kind == "game":
		return what + "aborted; its players will be told"
	case m.Kind == "entry":
		return what + "won't be delivered"
	}
	return what + "removed"
}
