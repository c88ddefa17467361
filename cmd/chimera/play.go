package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/match"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

type play struct {
	config.Config `embed:""`
	PNG           string `name:"png" placeholder:"DIR" help:"Write each board as a picture into this directory too."`
}

// Run is the console.
func (p *play) Run(ctx context.Context, std streams) (err error) {
	store, err := open(ctx, p.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	fmt.Fprintln(std.err, "database:", p.Data)
	service := match.New(store, variants.All(), time.Now, coin)
	log := slog.New(slog.NewTextHandler(std.err, nil))
	chat, err := console.New(bot.New(service, store, log, about()), std.out, p.PNG)
	if err != nil {
		return err
	}
	return chat.Run(ctx, std.in)
}

// open opens the database file.
func open(ctx context.Context, path string) (*storage.Store, error) {
	db, err := bolt.Open(path)
	if err != nil {
		return nil, err
	}
	store, err := storage.Open(ctx, db)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return store, nil
}

// coin is tossed for colours.
func coin() bool {
	var b [1]byte
	_, _ = rand.Read(b[:]) // never fails
	return b[0]&1 == 1
}
