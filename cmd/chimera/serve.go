package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord"
	"chimera/bot/metrics"
	"chimera/bot/outbox"
	"chimera/bot/telegram"
	"chimera/bot/web"
	botwords "chimera/bot/words"
	"chimera/config"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
)

type serve struct {
	config.Config  `embed:""`
	config.Chats   `embed:""`
	config.Monitor `embed:""`
	Think          int `env:"CHIMERA_THINK" default:"1" placeholder:"CORES" help:"How many processor cores the computer may think with."`
}

// platform connects the bot to a platform.
type platform interface {
	bot.Outlet
	// Run serves the platform until the context is done or it cannot go on; after an [*outbox.Never] it must not be called
	// again.
	Run(ctx context.Context, post *outbox.Outbox) error
	// Connected returns why the platform is not connected now, nil if it is.
	Connected() error
}

// parts are the parts of a bot.
type parts struct {
	bot   *bot.Bot
	log   *slog.Logger
	clock clock
	cores int // that think about moves
	roles *election
}

// newParts makes them over a store. Metrics are kept unless m is nil.
func newParts(store *storage.Store, log *slog.Logger, at clock, cores int, m *metrics.Metrics) parts {
	service := bot.NewServices(store, variants.All(), at.now, coin)
	service.Count(m)
	return parts{bot.New(service, log, about()), log, at, cores, &election{roles: service.Roles(), log: log}}
}

// clock is the wall clock; tests set it.
type clock struct {
	now   func() time.Time
	sleep func(context.Context, time.Duration) error
}

// wall is the machine's clock.
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

// serve is Run with valid settings.
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
	// The computer keeps processors busy while it thinks. People's moves must not wait for that.
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
	h.at.Store(&work{chats, &trial{write: p.bot.Maintenance.Probe}, p.roles})
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
	serving := []func(context.Context, *outbox.Outbox) error{func(ctx context.Context, post *outbox.Outbox) error {
		faults := make([]error, len(chats))
		var running sync.WaitGroup
		for i, chat := range chats {
			running.Go(func() { faults[i] = chat.keep(ctx, post, p.log) })
		}
		running.Wait()
		return errors.Join(faults...)
	}}
	if pages != nil {
		serving = append(serving, pages.serve)
	}
	return p.run(ctx, outlets, serving...)
}

// run serves people, with the outbox, the computer and the clock, and ends when one of these does. Work for one
// process only waits until this one has the role.
func (p parts) run(ctx context.Context, outlets map[string]bot.Outlet, serving ...func(context.Context, *outbox.Outbox) error) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	post := bot.NewOutbox(p.bot, p.clock.now, p.log, outlets)
	p.bot.Metrics.Outbox(post.Waiting)
	p.bot.Metrics.Seasons(func() int {
		n, _ := p.bot.Seasons.Running(ctx) // errors are reported elsewhere
		return n
	})
	post.StandBy(func(ctx context.Context, platform string) (bool, error) { return p.roles.take(ctx, chatRole+platform) })
	p.bot.Thinker.StandBy(func(ctx context.Context) error { _, err := p.roles.take(ctx, thinkRole); return err })
	p.bot.Maintenance.StandBy(func(ctx context.Context) error { _, err := p.roles.take(ctx, clockRole); return err })
	var running sync.WaitGroup
	for _, serve := range serving {
		running.Go(func() { end(serve(ctx, post)) })
	}
	running.Go(func() { end(post.Run(ctx)) })
	running.Go(func() { end(p.bot.Thinker.Run(ctx, p.log, p.cores)) })
	running.Go(func() { end(p.bot.Maintenance.Run(ctx, p.log, p.clock.sleep)) })
	running.Wait()
	return context.Cause(ctx)
}

// supervisors returns one for each platform whose token is set.
func (s *serve) supervisors(p parts) (all []*supervisor, _ error) {
	builds := map[string]func() (platform, error){}
	if s.DiscordToken != "" {
		builds[discord.Platform] = func() (platform, error) { return s.discord(p) }
	}
	if s.TelegramToken != "" {
		builds[telegram.Platform] = func() (platform, error) { return s.telegram(p) }
	}
	for _, platform := range slices.Sorted(maps.Keys(builds)) {
		chat := &supervisor{platform: platform, build: builds[platform], away: func(why error) { p.bot.Away(platform, why != nil) }}
		if err := chat.start(); err != nil {
			return nil, err
		}
		p.bot.Metrics.Platform(platform, func() bool { return chat.Connected() == nil })
		all = append(all, chat)
	}
	return all, nil
}

// discord is the bot on Discord.
func (s *serve) discord(p parts) (*discord.Adapter, error) {
	secret := string(s.DiscordClientSecret)
	return discord.New(discord.Config{Token: string(s.DiscordToken), APIURL: s.DiscordAPIURL, ClientSecret: secret}, p.bot, p.log)
}

// telegram is the bot on Telegram.
func (s *serve) telegram(p parts) (*telegram.Adapter, error) {
	return telegram.New(telegram.Config{
		Token: string(s.TelegramToken), APIURL: s.TelegramAPIURL,
		WebhookURL: s.TelegramWebhookURL, WebhookListen: s.TelegramWebhookListen, WebhookSecret: string(s.TelegramWebhookSecret),
	}, p.bot, p.log)
}

// site is the web pages, and the listener for browsers.
type site struct {
	*web.Site
	at net.Listener
}

// site returns the pages if the settings want them, or nil.
func (s *serve) site(ctx context.Context, of parts) (*site, error) {
	if s.WebURL == "" {
		return nil, nil
	}
	var onTelegram web.Reader
	var prepare func(ctx context.Context, account, title, button, address string) (string, error)
	if token := string(s.TelegramToken); token != "" {
		asks, err := s.telegram(of) // only used for questions; it never runs
		if err != nil {
			return nil, err
		}
		onTelegram, prepare = telegram.SignedInBy(token, of.clock.now), asks.Prepare
	}
	var onDiscord web.Activity
	if s.DiscordToken != "" && s.DiscordClientSecret != "" {
		asks, err := s.discord(of) // likewise
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
	pages.Prepare = prepare
	at, err := new(net.ListenConfig).Listen(ctx, "tcp", s.WebListen)
	if err != nil {
		return nil, fmt.Errorf("CHIMERA_WEB_LISTEN: %w", err)
	}
	of.log.InfoContext(ctx, "web: boards can be opened in browsers", "url", s.WebURL, "listen", at.Addr().String())
	return &site{pages, at}, nil
}

// serve answers browsers until the context is done.
func (s *site) serve(ctx context.Context, _ *outbox.Outbox) error { return s.Serve(ctx, s.at) }

// coin tosses a coin for colors.
func coin() bool { return rand.IntN(2) == 1 }

// How long to wait before an adapter that has ended is started again: twice as long each time, unless
// it had run for longer than that.
const (
	againFirst = time.Minute
	againMost  = 16 * time.Minute
)

// supervisor keeps the bot on a platform: it restarts the adapter after it has ended, unless that was for good.
// Meanwhile messages wait.
type supervisor struct {
	platform string
	build    func() (platform, error)
	away     func(why error) // called with the reason when it has ended, and with nil when it is back
	now      atomic.Pointer[attempt]
}

// attempt is a run of an adapter, under way or ended.
type attempt struct {
	platform
	why  error     // why it is not running, nil if it is
	next time.Time // when the next one starts, zero if never
}

var _ bot.Outlet = (*supervisor)(nil)

// Send implements [bot.Outlet].
func (s *supervisor) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	now := s.now.Load()
	if now.why == nil {
		return now.Send(ctx, d)
	}
	return nil, &outbox.Later{After: botwords.Either(now.next.IsZero(), againMost, time.Until(now.next)), Everywhere: true, Err: now.why}
}

// Limits implements [bot.Outlet].
func (s *supervisor) Limits(place storage.Address) []outbox.Limit { return s.now.Load().Limits(place) }

// keep runs the adapter until the context is done or it has ended for good. The error says why.
func (s *supervisor) keep(ctx context.Context, post *outbox.Outbox, log *slog.Logger) error {
	wait := againFirst
	for {
		begun := time.Now()
		err := s.now.Load().Run(ctx, post)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, kv.ErrLost) {
			return err // the process ends
		}
		if never, ok := errors.AsType[*outbox.Never](err); ok {
			log.ErrorContext(ctx, s.platform+": stopped for good", "err", never.Err)
			s.stop(never.Err, time.Time{})
			return never.Err
		}
		err = cmp.Or(err, errors.New(s.platform+": the adapter has ended"))
		if time.Since(begun) > againMost {
			wait = againFirst
		}
		log.ErrorContext(ctx, s.platform+": stopped", "err", err, "again in", wait)
		s.stop(err, time.Now().Add(wait))
		if err := adapter.Pause(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, againMost)
		if err := s.start(); err != nil {
			return err
		}
	}
}

// start makes the adapter.
func (s *supervisor) start() error {
	chat, err := s.build()
	if err != nil {
		return err
	}
	s.now.Store(&attempt{platform: chat})
	s.away(nil)
	return nil
}

// stop records that the adapter has ended, and when it will be restarted.
func (s *supervisor) stop(why error, next time.Time) {
	s.now.Store(&attempt{s.now.Load().platform, why, next})
	s.away(why)
}

// Connected returns why the platform is not connected now, nil if it is.
func (s *supervisor) Connected() error {
	now := s.now.Load()
	return cmp.Or(now.why, now.Connected())
}

// String describes the state for operators.
func (s *supervisor) String() string {
	switch now := s.now.Load(); {
	case now.why == nil:
		if err := now.Connected(); err != nil {
			return fmt.Sprintf("connecting: %v", err)
		}
		return "on"
	case now.next.IsZero():
		return fmt.Sprintf("stopped for good: %v", now.why)
	default:
		return fmt.Sprintf("stopped: %v; tried again at %s", now.why, now.next.UTC().Format(time.DateTime+" MST"))
	}
}

// Roles that only one process has at a time. Adapters may have others.
const (
	chatRole  = "chat/" // and a platform: to send the messages waiting there
	clockRole = "clock" // to handle deadlines
	thinkRole = "think" // to play for the computer
)

// unsaid is how long to wait for a role before logging that another process has it.
const unsaid = time.Second / 2

// election takes each role that no other process has. It is safe for concurrent use.
type election struct {
	roles  storage.Roles
	log    *slog.Logger
	others sync.Map // the roles for which this process waits
}

// take waits until the process has a role, which it keeps until it ends. after reports whether it had to wait for
// another process.
func (e *election) take(ctx context.Context, role string) (after bool, err error) {
	soon, cancel := context.WithTimeout(ctx, unsaid)
	defer cancel()
	if _, err = e.roles.Hold(soon, role); err == nil || soon.Err() == nil || ctx.Err() != nil {
		return false, err
	}
	e.others.Store(role, true)
	defer e.others.Delete(role)
	e.log.InfoContext(ctx, "standing by: another process has a role, and this one takes it over when that ends", "role", role)
	if _, err = e.roles.Hold(ctx, role); err == nil {
		e.log.InfoContext(ctx, "taken over", "role", role)
	}
	return true, err
}

// String names the roles held by other processes, for operators; "" if there are none.
func (e *election) String() string {
	var others []string
	for role := range e.others.Range {
		others = append(others, role.(string))
	}
	if len(others) == 0 {
		return ""
	}
	slices.Sort(others)
	return "another process has " + strings.Join(others, ", ")
}

// monitor serves metrics and health at an address until end is called; "" is no address.
func monitor(ctx context.Context, address string, m *metrics.Metrics, h *health, log *slog.Logger) (end func(), err error) {
	if address == "" {
		return func() {}, nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("CHIMERA_METRICS_LISTEN: %w: set another host:port", err)
	}
	log.InfoContext(ctx, "metrics can be had", "at", listener.Addr().String())
	server := &http.Server{Handler: watched(m, h), WriteTimeout: patience, IdleTimeout: 2 * patience, MaxHeaderBytes: 16 << 10}
	return serveHTTP(ctx, listener, server, log, "metrics can be had no longer"), nil
}

// watched are the pages of metrics and health.
func watched(m *metrics.Metrics, h *health) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { plainly(w, "", nil) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		others, fault := h.ready()
		plainly(w, others, fault)
	})
	return mux
}

// plainly answers in one line: that all is well, with more, or what is wrong.
func plainly(w http.ResponseWriter, more string, fault error) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	said := "ok"
	if more != "" {
		said += ": " + more
	}
	if fault != nil {
		said = legible(fault.Error())
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	_, _ = io.WriteString(w, said+"\n") // the client may be gone
}

// health reports whether the bot can do its work: all platforms are connected, and the database can be written.
type health struct{ at atomic.Pointer[work] }

// work is what health checks, once the database is open.
type work struct {
	chats   []*supervisor
	storage *trial
	roles   *election
}

// ready says which roles other processes have, "" for none, and what the bot cannot do now, nil if it can do everything.
func (h *health) ready() (others string, fault error) {
	at := h.at.Load()
	if at == nil {
		return "", errors.New("the database is being opened")
	}
	var faults []string
	for _, chat := range at.chats {
		if err := chat.Connected(); err != nil {
			faults = append(faults, chat.platform+": "+strings.TrimPrefix(outbox.Fault(err), chat.platform+": "))
		}
	}
	if err := at.storage.check(); err != nil {
		faults = append(faults, "storage: "+strings.TrimPrefix(outbox.Fault(err), "storage: "))
	}
	if len(faults) > 0 {
		fault = errors.New(strings.Join(faults, "; "))
	}
	return at.roles.String(), fault
}

const (
	trialEvery  = 5 * time.Second // at most, however often somebody asks
	trialWithin = 2 * time.Second // a write must have succeeded within this time
)

// trial checks whether the database can be written, by writing something small.
type trial struct {
	write func(context.Context) error

	mu    sync.Mutex
	begun time.Time       // the last write
	lasts context.Context // done when it has ended; nil before the first
	err   error           // of that write, once it has ended
}

// check says why nothing can be written, nil if the last write succeeded and is recent. It waits briefly for a write
// under way: a hanging disk never answers.
func (t *trial) check() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lasts == nil || t.lasts.Err() != nil && time.Since(t.begun) >= trialEvery {
		lasts, end := context.WithCancel(context.Background())
		t.begun, t.lasts = time.Now(), lasts
		go func() {
			defer end()
			t.err = t.write(context.Background())
		}()
	}
	select {
	case <-t.lasts.Done():
	case <-time.After(trialWithin - time.Since(t.begun)):
	}
	if t.lasts.Err() == nil {
		return fmt.Errorf("storage: nothing could be written for %v", time.Since(t.begun).Round(time.Second))
	}
	return t.err
}
