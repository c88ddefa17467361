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
	Clock         bool   `help:"Let the clock stand still but for lines such as @ +2d3h."`
}

// Run is the console. While it runs, operators can ask at the socket.
func (p *play) Run(ctx context.Context, std streams) (err error) {
	ctx, stop := interruptible(ctx)
	defer stop()
	store, err := open(ctx, p.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := slog.New(slog.NewTextHandler(std.err, nil))
	log.InfoContext(ctx, "database is open", "data", p.Data)
	now := time.Now
	var clock *console.Clock
	if p.Clock {
		if clock, err = clockAsLeft(ctx, store); err != nil {
			return err
		}
		now = clock.Now
	}
	desk, err := listen(ctx, p.Data, holder{store, p.Data, now}, log)
	if err != nil {
		log.WarnContext(ctx, "operators cannot ask", "err", err)
	} else {
		log.InfoContext(ctx, "operators can ask", "socket", desk.path)
		defer func() { err = errors.Join(err, desk.Close()) }()
	}
	service := match.New(store, variants.All(), now, coin)
	chat, err := console.New(bot.New(service, store, log, about()), service, log, std.out, p.PNG, clock)
	if err != nil {
		return err
	}
	err = chat.Run(ctx, std.in)
	if errors.Is(err, context.Canceled) {
		log.InfoContext(ctx, "ended", "cause", context.Cause(ctx))
		return nil
	}
	return err
}

// clockAsLeft is a clock that shows when the program was last at work, or the time of
// day in a new database.
func clockAsLeft(ctx context.Context, store *storage.Store) (*console.Clock, error) {
	at := time.Now()
	err := store.View(ctx, func(r storage.Reader) error {
		clocks, err := r.Running()
		if !clocks.Alive.IsZero() {
			at = clocks.Alive
		}
		return err
	})
	return console.NewClock(at), err
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
