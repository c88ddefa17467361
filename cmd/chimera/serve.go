package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"runtime"
	"slices"
	"sync"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord"
	"chimera/bot/metrics"
	"chimera/bot/outbox"
	"chimera/bot/telegram"
	"chimera/bot/web"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
)

type serve struct {
	config.Config  `embed:""`
	config.Chats   `embed:""`
	config.Monitor `embed:""`
	Think          int `env:"CHIMERA_THINK" default:"1" placeholder:"CORES" help:"How many processor cores the computer may think with."`
}

// platform is the bot in a chat.
type platform interface {
	bot.Outlet
	// Run serves the chat until the context is done or it cannot go on: never again if the error is
	// an [*outbox.Never].
	Run(ctx context.Context, post *outbox.Outbox) error
	// Connected returns why the platform is not connected now, nil if it is.
	Connected() error
}

// parts are what a bot consists of.
type parts struct {
	bot      *bot.Bot
	services bot.Services
	store    *storage.Store
	log      *slog.Logger
	clock    clock
	cores    int // that think about moves
	roles    *election
}

// newParts makes them over a store. Metrics are kept unless m is nil.
func newParts(store *storage.Store, log *slog.Logger, at clock, cores int, m *metrics.Metrics) parts {
	service := bot.NewServices(store, variants.All(), at.now, coin)
	service.Count(m)
	return parts{bot.New(service, log, about()), service, store, log, at, cores, newElection(service.Roles(), log)}
}

// clock is the wall clock; tests set it wrong.
type clock struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// wall is the clock of the machine.
func wall() clock { return clock{time.Now, adapter.Pause} }

// Run serves every platform whose token is set.
func (s *serve) Run(ctx context.Context, std streams, at clock) error {
	if err := cmp.Or(s.Load(), s.Check()); err != nil {
		return err
	}
	if s.Think < 1 {
		return errors.New("CHIMERA_THINK is how many cores the computer may think with: 1 or more")
	}
	if err := s.serve(ctx, std, at); err != nil {
		return failure{err}
	}
	return nil
}

// serve is Run of settings that are in order.
func (s *serve) serve(ctx context.Context, std streams, at clock) (err error) {
	log := slog.New(slog.NewTextHandler(std.err, nil))
	var m *metrics.Metrics
	if s.MetricsListen != "" {
		m = metrics.New(about())
	}
	h := &health{}
	end, err := monitor(ctx, s.MetricsListen, m, h, log)
	if err != nil {
		return err
	}
	defer end()
	ctx, store, err := take(ctx, s.Data, log, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	p := newParts(store, log, at, s.Think, m)
	// The computer keeps a processor busy while it thinks. People's moves must not wait for that.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + s.Think)
	chats, err := s.supervisors(p)
	if err != nil {
		return err
	}
	pages, err := s.site(ctx, p)
	if err != nil {
		return err
	}
	stopHearing := hearOperators(ctx, holder{store: store, data: s.Data, now: at.now, chats: chats, site: pages}, log)
	defer func() { err = errors.Join(err, stopHearing()) }()
	h.at.Store(&work{chats, &trial{write: p.services.Maintenance.Probe}, p.roles})
	return ended(ctx, log, p.work(ctx, chats, pages))
}

// work runs the platforms, the site if there is one, the outbox and the clock. It ends with the context,
// with the site, the outbox or the clock, or when all platforms have ended for good.
func (p parts) work(ctx context.Context, chats []*supervisor, pages *site) error {
	outlets := map[string]bot.Outlet{}
	for _, chat := range chats {
		outlets[chat.platform] = chat
	}
	if len(chats) == 1 {
		p.bot.Only(chats[0].platform)
	}
	var beside []func(context.Context) error
	if pages != nil {
		maps.Copy(outlets, pages.Outlets())
		beside = append(beside, pages.serve)
	}
	return p.run(ctx, outlets, func(ctx context.Context, post *outbox.Outbox) error {
		faults := make([]error, len(chats))
		var running sync.WaitGroup
		for i, chat := range chats {
			running.Go(func() { faults[i] = chat.keep(ctx, post, p.log) })
		}
		running.Wait()
		return errors.Join(faults...)
	}, beside...)
}

// run runs chats with the outbox, the computer, the clock and anything else beside them, and ends when one
// of these does. What only one process may do waits until this one has the role.
func (p parts) run(ctx context.Context, outlets map[string]bot.Outlet, chats func(context.Context, *outbox.Outbox) error, beside ...func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	post := bot.NewOutbox(p.bot, p.clock.now, p.log, outlets)
	p.services.Metrics.Outbox(post.Waiting)
	post.StandBy(func(ctx context.Context, platform string) (bool, error) { return p.roles.take(ctx, chatRole+platform) })
	p.services.Thinker.StandBy(func(ctx context.Context) error { _, err := p.roles.take(ctx, thinkRole); return err })
	p.services.Maintenance.StandBy(func(ctx context.Context) error { _, err := p.roles.take(ctx, clockRole); return err })
	var running sync.WaitGroup
	running.Go(func() { end(chats(ctx, post)) })
	running.Go(func() { end(post.Run(ctx)) })
	running.Go(func() { end(p.services.Thinker.Run(ctx, p.log, p.cores)) })
	running.Go(func() { end(p.services.Maintenance.Run(ctx, p.log, p.clock.sleep)) })
	for _, more := range beside {
		running.Go(func() { end(more(ctx)) })
	}
	running.Wait()
	return context.Cause(ctx)
}

// supervisors returns one for each platform whose token is set.
func (s *serve) supervisors(p parts) ([]*supervisor, error) {
	builds := map[string]func() (platform, error){}
	if s.DiscordToken != "" {
		builds[discord.Platform] = func() (platform, error) { return s.discord(p) }
	}
	if s.TelegramToken != "" {
		builds[telegram.Platform] = func() (platform, error) {
			return telegram.New(telegram.Config{
				Token: string(s.TelegramToken), APIURL: s.TelegramAPIURL,
				WebhookURL: s.TelegramWebhookURL, WebhookListen: s.TelegramWebhookListen, WebhookSecret: string(s.TelegramWebhookSecret),
			}, p.bot, p.log)
		}
	}
	var all []*supervisor
	for _, platform := range slices.Sorted(maps.Keys(builds)) {
		chat := &supervisor{platform: platform, build: builds[platform], away: func(why error) { p.bot.Away(platform, why != nil) }}
		if err := chat.start(); err != nil {
			return nil, err
		}
		p.services.Metrics.Platform(platform, func() bool { return chat.Connected() == nil })
		all = append(all, chat)
	}
	return all, nil
}

// discord is the bot on Discord.
func (s *serve) discord(p parts) (*discord.Adapter, error) {
	secret := string(s.DiscordClientSecret)
	return discord.New(discord.Config{Token: string(s.DiscordToken), APIURL: s.DiscordAPIURL, ClientSecret: secret}, p.bot, p.log)
}

// site is the pages for people from chats, and the address at which the bot listens for browsers.
type site struct {
	*web.Site
	at net.Listener
}

// site returns the pages if the settings ask for them, or nil.
func (s *serve) site(ctx context.Context, of parts) (*site, error) {
	if s.WebURL == "" {
		return nil, nil
	}
	var onTelegram web.Reader
	if token := string(s.TelegramToken); token != "" {
		onTelegram = telegram.SignedInBy(token, of.clock.now)
	}
	var onDiscord web.Activity
	if s.DiscordToken != "" && s.DiscordClientSecret != "" {
		asks, err := s.discord(of) // it is asked, and never runs
		if err != nil {
			return nil, err
		}
		onDiscord = asks
	}
	proxies, err := s.Proxies()
	if err != nil {
		return nil, err
	}
	pages, err := web.Open(ctx, of.bot, s.WebURL, onTelegram, onDiscord, proxies, of.log)
	if err != nil {
		return nil, err
	}
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", s.WebListen)
	if err != nil {
		return nil, fmt.Errorf("CHIMERA_WEB_LISTEN: %w", err)
	}
	of.log.InfoContext(ctx, "web: boards can be opened in browsers", "url", s.WebURL, "listen", at.Addr().String())
	return &site{pages, at}, nil
}

// serve answers browsers until the context is done.
func (s *site) serve(ctx context.Context) error { return s.Serve(ctx, s.at) }

// coin is tossed for colours.
func coin() bool {
	var b [1]byte
	_, _ = rand.Read(b[:]) // never fails
	return b[0]&1 == 1
}
