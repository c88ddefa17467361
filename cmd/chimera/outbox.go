package main

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"chimera/config"
)

type outboxCommand struct {
	config.Config `embed:""`
}

// Run lists what waits to be delivered and what never can be, one entry a line:
// number, age, place, game, kind, and why it could not be delivered.
func (o *outboxCommand) Run(ctx context.Context, std streams) error {
	out := bufio.NewWriter(std.out)
	err := ask(ctx, o.Data, outboxing, "", func(w waiting) error {
		_, err := fmt.Fprintf(out, "%d\t%v\t%s\t#%d\t%s%s\n", w.ID, w.Age.Round(time.Second), legible(w.Place), w.Game, legible(w.Kind), w.trouble())
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// trouble says why an entry could not be delivered.
func (w waiting) trouble() string {
	switch {
	case w.Dead:
		return "\tundeliverable: " + legible(w.Fault)
	case w.Tries > 0:
		return fmt.Sprintf("\ttried %d times: %s", w.Tries, legible(w.Fault))
	}
	return ""
}
