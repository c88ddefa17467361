package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"github.com/pkg/browser"

	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/telegram"
	"chimera/bot/web"
)

// site is the pages of people in chats, and where they are listened for.
type site struct {
	*web.Site
	at net.Listener
}

// sites are those that the settings ask for: one or none.
func (s *serve) sites(ctx context.Context, of parts) ([]*site, error) {
	if s.WebURL == "" {
		return nil, nil
	}
	var onTelegram web.Reader
	if token := string(s.TelegramToken); token != "" {
		onTelegram = func(initData string) (message.Account, string, bool) {
			return telegram.SignedIn(token, initData, of.clock.now())
		}
	}
	proxies, err := s.Proxies()
	if err != nil {
		return nil, err
	}
	pages, err := web.Open(of.bot, s.WebURL, onTelegram, proxies, of.log)
	if err != nil {
		return nil, err
	}
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", s.WebListen)
	if err != nil {
		return nil, fmt.Errorf("CHIMERA_WEB_LISTEN: %w", err)
	}
	of.log.InfoContext(ctx, "web: boards can be opened in browsers", "url", s.WebURL, "listen", at.Addr().String())
	return []*site{{pages, at}}, nil
}

// serve answers browsers until the context is done.
func (s *site) serve(ctx context.Context) error { return s.Serve(ctx, s.at) }

// pages lets people play on pages until the context is done.
func (p *play) pages(ctx context.Context, of parts, std streams) error {
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", p.Web)
	if err != nil {
		return fmt.Errorf("--web: %w: choose another port, as in 127.0.0.1:8081", err)
	}
	site, err := web.New(ctx, of.bot, of.log)
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
	err = of.run(ctx, site.Outlets(), func(ctx context.Context, _ *outbox.Outbox) error { return site.Serve(ctx, at) })
	return ended(ctx, of.log, err)
}

// hasDesktop reports whether there is a screen on which a browser could be opened.
func hasDesktop() bool {
	return runtime.GOOS == "darwin" || runtime.GOOS == "windows" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
