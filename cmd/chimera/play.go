package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"time"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/match"
	"chimera/bot/metrics"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/migrate"
)

type play struct {
	config.Config `embed:""`
	PNG           string `name:"png" placeholder:"DIR" help:"Also save each board as a picture in this directory."`
	Clock         bool   `help:"Stop the clock: time passes only with lines such as @ +2d3h."`
	Web           string `placeholder:"HOST:PORT" help:"Play on pages in a browser instead, for two at one screen or one against the computer: 127.0.0.1:8080 is for this machine alone."`
}

// Run is the console. While it runs, operators can ask at the socket.
func (p *play) Run(ctx context.Context, std streams, at clock) (err error) {
	if p.Web != "" && (p.PNG != "" || p.Clock) {
		return errors.New("--png and --clock are for the console: leave them out with --web")
	}
	ctx, stop := interruptible(ctx)
	defer stop()
	log := slog.New(slog.NewTextHandler(std.err, nil))
	ctx, store, err := take(ctx, p.Data, log, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	now := at.now
	var stopped *console.Clock
	if p.Clock {
		if stopped, err = clockAsLeft(ctx, store); err != nil {
			return err
		}
		now = stopped.Now
	}
	deaf := hearken(ctx, holder{store: store, data: p.Data, now: now}, log)
	defer func() { err = errors.Join(err, deaf()) }()
	service := bot.NewServices(store, variants.All(), now, coin)
	if p.Web != "" {
		return p.pages(ctx, parts{bot.New(service, log, about()), service, store, log, at, 1, newTurns(service.Roles(), log)}, std)
	}
	chat, err := console.New(bot.New(service, log, about()), log, std.out, p.PNG, stopped)
	if err != nil {
		return err
	}
	if isTerminal(std.in) && isTerminal(std.out) {
		chat.Prompt()
	}
	err = chat.Run(ctx, std.in)
	if lost := context.Cause(ctx); errors.Is(lost, kv.ErrLost) || errors.Is(lost, storage.ErrNewer) {
		return lost
	}
	return ended(ctx, log, err)
}

// clockAsLeft is a clock that shows when the program was last at work, or the time of
// day in a new database.
func clockAsLeft(ctx context.Context, store *storage.Store) (*console.Clock, error) {
	at := time.Now()
	clocks, err := storage.Read(ctx, store, storage.Reader.Running)
	if !clocks.Alive.IsZero() {
		at = clocks.Alive
	}
	return console.NewClock(at), err
}

// take opens the database for as long as the program runs, and logs what its operator would want
// to know of it. The context that it returns is done too when the database is lost.
func take(ctx context.Context, path string, log *slog.Logger, m *metrics.Metrics) (context.Context, *storage.Store, error) {
	absent := missing(path)
	store, err := openCounted(ctx, path, m)
	if err != nil {
		return nil, nil, err
	}
	if absent == "" {
		log.InfoContext(ctx, "database is open", "data", path, "version", about())
	} else {
		log.InfoContext(ctx, "database is new: if you expected your games, check its name", "data", path, "because", absent, "version", about())
	}
	if doubt := store.Doubt(); doubt != nil {
		log.WarnContext(ctx, "the database is damaged", "data", path, "err", doubt)
	}
	if file, err := os.Stat(path); err == nil && file.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		log.WarnContext(ctx, "other accounts on this machine can open the database: chmod 600 keeps them out",
			"data", path, "mode", fmt.Sprintf("%#o", file.Mode().Perm()))
	}
	return untilLost(ctx, store), store, nil
}

// missing says why there is no database in a file yet, but may be one; "" if there is one.
func missing(path string) string {
	if clustered(path) {
		return ""
	}
	switch file, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return "there was no such file"
	case err == nil && file.Size() == 0 && file.Mode().IsRegular():
		return "the file was empty"
	}
	return ""
}

// open opens the database, and brings it up to date.
func open(ctx context.Context, path string) (*storage.Store, error) {
	return openCounted(ctx, path, nil)
}

// openCounted is open of a database whose transactions are counted.
func openCounted(ctx context.Context, path string, m *metrics.Metrics) (*storage.Store, error) {
	db, err := openEngine(ctx, path)
	if err != nil {
		return nil, err
	}
	var store *storage.Store
	all := variants.All()
	past := func(g *storage.Game) ([]uint64, error) { return match.Keys(all, g) }
	if err = migrate.Run(ctx, db, past); err == nil {
		store, err = storage.Open(ctx, counting(db, m))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return store, nil
}

// hearken lets operators ask at a socket, if there can be one, until what it returns is called. A
// database in a cluster is open to them without.
func hearken(ctx context.Context, h holder, log *slog.Logger) (end func() error) {
	if clustered(h.data) {
		return func() error { return nil }
	}
	desk, err := listen(ctx, h.data, routes(h), log)
	if err != nil {
		log.WarnContext(ctx, "operators' commands can't be heard", "err", err)
		return func() error { return nil }
	}
	log.InfoContext(ctx, "ready for operators' commands", "socket", desk.path)
	return desk.Close
}

// coin is tossed for colours.
func coin() bool {
	var b [1]byte
	_, _ = rand.Read(b[:]) // never fails
	return b[0]&1 == 1
}
