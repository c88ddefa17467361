package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

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
	if err := ask(ctx, std, f.Data, "forget", f.Person); err != nil {
		return err
	}
	_, err := fmt.Fprintln(std.err, unwritten)
	return err
}

func (h holder) forget(ctx context.Context, person string, say report) error {
	p, err := storage.Read(ctx, h.store, func(r storage.Reader) (storage.Person, error) { return findPerson(r, person) })
	if errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("there is no person %q: name a number, or an account as platform:id", person)
	}
	if err == nil {
		err = h.service().Users.ForgetPerson(ctx, p.ID)
	}
	if err != nil {
		return err
	}
	say.line("person %d is forgotten", p.ID)
	return nil
}

func findPerson(r storage.Reader, name string) (storage.Person, error) {
	if platform, id, ok := strings.Cut(name, ":"); ok {
		return r.PersonAt(storage.Address{Platform: platform, ID: id})
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return storage.Person{}, storage.ErrNotFound
	}
	return r.People().Get(storage.PersonID(n))
}
