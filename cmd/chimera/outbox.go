package main

import (
	"bufio"
	"context"
	"fmt"
	"time"

	"chimera/config"
)

type outbox struct {
	config.Config `embed:""`
}

// Run lists what waits to be delivered, one entry a line: number, age, place, game,
// kind.
func (o *outbox) Run(ctx context.Context, std streams) error {
	out := bufio.NewWriter(std.out)
	err := reach(ctx, o.Data, func(ops operations) error {
		return ops.Outbox(ctx, func(w waiting) error {
			_, err := fmt.Fprintf(out, "%d\t%v\t%s\t#%d\t%s\n", w.ID, w.Age.Round(time.Second), legible(w.Place), w.Game, legible(w.Kind))
			return err
		})
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
