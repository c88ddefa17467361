package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"sync"

	"github.com/pkg/browser"

	"chimera/bot"
	"chimera/bot/web"
)

// pages lets people play on pages until the context is done.
func (p *play) pages(ctx context.Context, of parts, std streams) error {
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", p.Web)
	if err != nil {
		return fmt.Errorf("--web: %w: choose another port, as in 127.0.0.1:8081", err)
	}
	site, err := web.New(ctx, of.bot, of.services, of.log)
	if err != nil {
		return errors.Join(err, at.Close())
	}
	address := "http://" + at.Addr().String() + "/"
	if _, err := fmt.Fprintf(std.out, "Play at %s (Ctrl-C ends)\n", address); err != nil {
		return errors.Join(err, at.Close())
	}
	if hasDesktop() && isTerminal(std.out) {
		browser.Stdout, browser.Stderr = std.err, std.err
		if err := browser.OpenURL(address); err != nil {
			of.log.WarnContext(ctx, "the browser can't be opened: open the address yourself", "err", err)
		}
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	post := bot.NewOutbox(of.bot, of.clock.now, of.log, site.Outlets())
	var running sync.WaitGroup
	running.Go(func() { end(site.Serve(ctx, at)) })
	running.Go(func() { end(post.Run(ctx)) })
	running.Go(func() { end(of.services.Thinker.Run(ctx, of.log, of.cores)) })
	running.Go(func() { end(of.services.Upkeep.Run(ctx, of.log, of.clock.sleep)) })
	running.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	of.log.InfoContext(ctx, "ended", "cause", context.Cause(ctx))
	return nil
}

// hasDesktop reports whether there is a screen on which a browser could be opened.
func hasDesktop() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
