package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"time"

	"github.com/pkg/browser"

	"chimera/bot/console"
	"chimera/bot/web"
	"chimera/config"
	"chimera/storage"
	"chimera/storage/kv"
)

type play struct {
	config.Config `embed:""`
	PNG           string `name:"png" placeholder:"DIR" help:"Also save each board as a picture in this directory."`
	Clock         bool   `help:"Stop the clock: time passes only with lines such as @ +2d3h."`
	Web           string `placeholder:"HOST:PORT" help:"Play on pages in a browser instead, for two at one screen or one against the computer: 127.0.0.1:8080 is for this machine alone."`
}

// Run is the console. While it runs, operators can use the socket.
func (p *play) Run(ctx context.Context, std streams, at clock) (err error) {
	if p.Web != "" && (p.PNG != "" || p.Clock) {
		return errors.New("--png and --clock are for the console: leave them out with --web")
	}
	log := slog.New(slog.NewTextHandler(std.err, nil))
	ctx, store, err := take(ctx, p.Data, log, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var stopped *console.Clock
	if p.Clock {
		clocks, err := storage.Read(ctx, store, storage.Reader.Running)
		if err != nil {
			return err
		}
		stopped = console.NewClock(cmp.Or(clocks.Alive, time.Now())) // when the program was last active
		at.now = stopped.Now
	}
	end := hearOperators(ctx, holder{store: store, data: p.Data, now: at.now}, log)
	defer func() { err = errors.Join(err, end()) }()
	of := newParts(store, log, at, 1, nil)
	if p.Web != "" {
		return p.pages(ctx, of, std)
	}
	chat, err := console.New(of.bot, log, std.out, p.PNG, stopped)
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

// pages lets people play on pages until the context is done.
func (p *play) pages(ctx context.Context, of parts, std streams) error {
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", p.Web)
	if err != nil {
		return fmt.Errorf("--web: %w: name a free port of this machine, as in 127.0.0.1:8081", err)
	}
	pages, err := web.New(ctx, of.bot, of.log)
	if err != nil {
		return errors.Join(err, at.Close())
	}
	address := "http://" + at.Addr().String() + "/"
	fmt.Fprintf(std.out, "Play at %s (Ctrl-C ends)\n", address)
	desktop := runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	if desktop && isTerminal(std.out) {
		browser.Stdout, browser.Stderr = std.err, std.err
		if err := browser.OpenURL(address); err != nil {
			of.log.WarnContext(ctx, "the browser can't be opened: open the address yourself", "err", err)
		}
	}
	err = of.run(ctx, nil, (&site{pages, at}).serve)
	return ended(ctx, of.log, err)
}
