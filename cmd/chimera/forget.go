package main

import (
	"context"
	"errors"
	"fmt"

	"chimera/config"
	"chimera/storage"
)

type forget struct {
	config.Config `embed:""`
	Person        string `arg:"" help:"The person's number, or an account such as discord:123."`
}

// unwritten says what a file may still hold of who is forgotten: nothing reads it any more,
// but it is not written over at once.
const unwritten = "their name may remain in free space in the file, and in backups made from it, until that is overwritten; older backups still have it"

// Run removes a person; the opponents keep the games.
func (f *forget) Run(ctx context.Context, std streams) error {
	if f.Person == "" {
		return errors.New("name a person: a number, or an account as platform:id")
	}
	return ask(ctx, f.Data, forgetting, f.Person, func(id storage.PersonID) error {
		if _, err := fmt.Fprintf(std.out, "person %d is forgotten\n", id); err != nil {
			return err
		}
		_, err := fmt.Fprintln(std.err, unwritten)
		return err
	})
}
