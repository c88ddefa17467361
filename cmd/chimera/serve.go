package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"runtime"
	"sync"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/metrics"
	"chimera/bot/outbox"
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
	// Run is in the chat until the context is done, or until it has to end before: for
	// good if the error is a [*bot.Never].
	Run(ctx context.Context, post *outbox.Outbox) error
	// Connected says why it is not in the chat at the moment, nil if it is.
	Connected() error
}

// parts are what platforms are made of.
type parts struct {
	bot      *bot.Bot
	services bot.Services
	store    *storage.Store
	log      *slog.Logger
	clock    clock
	cores    int // that think about moves
	turns    *turns
}

// clock is the wall clock, be it right or wrong.
type clock struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// wall is the clock of the machine.
func wall() clock { return clock{time.Now, adapter.Pause} }

// Run is in every chat whose token is set.
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
	ctx, stop := interruptible(ctx)
	defer stop()
	log := slog.New(slog.NewTextHandler(std.err, nil))
	var m *metrics.Metrics
	if s.MetricsListen != "" {
		m = metrics.New(about())
	}
	h := &health{waits: "the database is being opened"}
	end, err := monitor(ctx, s.MetricsListen, m, h, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	ctx, store, err := take(ctx, s.Data, log, m)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	service := bot.NewServices(store, variants.All(), at.now, coin)
	service.Count(m)
	p := parts{bot.New(service, log, about()), service, store, log, at, s.Think, newTurns(service.Roles(), log)}
	// Whoever thinks keeps a processor busy for as long as that takes: people's moves do not wait.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + s.Think)
	stations, err := s.stations(p)
	if err != nil {
		return err
	}
	sites, err := s.sites(ctx, p)
	if err != nil {
		return err
	}
	deaf := hearken(ctx, holder{store: store, data: s.Data, now: at.now, chats: stations, sites: sites}, log)
	defer func() { err = errors.Join(err, deaf()) }()
	h.begin(stations, &trial{write: service.Upkeep.Probe}, p.turns)
	return ended(ctx, log, work(ctx, p, stations, sites...))
}

// work runs the chats, sites, the outbox and the clock. It ends with the context, with a site, the outbox
// or the clock, or when all chats have ended for good.
func work(ctx context.Context, p parts, stations []*station, sites ...*site) error {
	outlets := map[string]bot.Outlet{}
	for _, s := range stations {
		outlets[s.platform] = s
	}
	if len(stations) == 1 {
		p.bot.Only(stations[0].platform)
	}
	var beside []func(context.Context) error
	for _, s := range sites {
		maps.Copy(outlets, s.Outlets())
		beside = append(beside, s.serve)
	}
	return p.run(ctx, outlets, func(ctx context.Context, post *outbox.Outbox) error {
		faults := make([]error, len(stations))
		var chats sync.WaitGroup
		for i, s := range stations {
			chats.Go(func() { faults[i] = s.keep(ctx, post, p.log) })
		}
		chats.Wait()
		return errors.Join(faults...)
	}, beside...)
}

// run lets chats go on, with the outbox that says what waits, the computer, the clock and what else there is
// beside them; of what only one process may do, that which it has the role for. It ends when one of these does.
func (p parts) run(ctx context.Context, outlets map[string]bot.Outlet, chats func(context.Context, *outbox.Outbox) error, beside ...func(context.Context) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	post := bot.NewOutbox(p.bot, p.clock.now, p.log, outlets)
	p.services.Metrics.Outbox(post.Waiting)
	post.StandBy(func(ctx context.Context, platform string) (bool, error) { return p.turns.take(ctx, chatRole+platform) })
	p.services.Thinker.StandBy(func(ctx context.Context) error { _, err := p.turns.take(ctx, thinkRole); return err })
	p.services.Upkeep.StandBy(func(ctx context.Context) error { _, err := p.turns.take(ctx, clockRole); return err })
	var running sync.WaitGroup
	running.Go(func() { end(chats(ctx, post)) })
	running.Go(func() { end(post.Run(ctx)) })
	running.Go(func() { end(p.services.Thinker.Run(ctx, p.log, p.cores)) })
	running.Go(func() { end(p.services.Upkeep.Run(ctx, p.log, p.clock.sleep)) })
	for _, more := range beside {
		running.Go(func() { end(more(ctx)) })
	}
	running.Wait()
	return context.Cause(ctx)
}
