package web

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/outbox"
	"chimera/storage"
)

const platform = "web"

// Site is the pages. It is safe for concurrent use.
type Site struct {
	addresses
	bot       *bot.Bot
	log       *slog.Logger
	streams   streams
	here      *local     // who sits at the one screen; nil where people sign in
	auth      *auth      // who they are; nil at the one screen
	strangers *strangers // there; nil at the one screen
	guides    sync.Map   // pages of rules, by their games and languages: they take long to draw
}

// newSite makes pages that know neither who sits at a screen nor how people sign in.
func newSite(ctx context.Context, b *bot.Bot, log *slog.Logger) (*Site, error) {
	key, err := b.Store.Secret(ctx) // other processes that share the database have the same addresses
	s := &Site{addresses: addresses{key}, bot: b, log: log}
	b.Store.OnChange(s.streams.changed)
	return s, err
}

// New makes the pages of one screen, on which two people play each other or one plays the computer.
// Everybody who reaches the pages plays for both.
func New(ctx context.Context, b *bot.Bot, log *slog.Logger) (*Site, error) {
	s, err := newSite(ctx, b, log)
	if err == nil {
		s.here, err = sitDown(ctx, b)
	}
	return s, err
}

// Open makes the pages for people who are in chats. url is their address on the web, without a slash at its
// end. People sign in with links that the bot gives them, with Telegram's signed data about who opens a
// Mini App, which telegram reads, or with a code of Discord's; these are nil where pages are not shown in a frame
// of theirs. Proxies are believed when they say for whom they ask.
func Open(ctx context.Context, b *bot.Bot, url string, telegram Reader, discord Activity, proxies []netip.Prefix, log *slog.Logger) (*Site, error) {
	s, err := newSite(ctx, b, log)
	if err == nil {
		s.auth, s.strangers = newAuth(url, telegram, discord, proxies), newStrangers()
		b.ServePages(url)
	}
	return s, err
}

// Send implements [bot.Outlet]: pages show games as they are, so nothing has to be said.
func (s *Site) Send(context.Context, bot.Delivery) (outbox.Receipt, error) { return nil, nil }

// Limits implements [bot.Outlet].
func (s *Site) Limits(storage.Address) []outbox.Limit { return nil }

// Outlets are what the site says, by platform.
func (s *Site) Outlets() map[string]bot.Outlet { return map[string]bot.Outlet{platform: s} }

const maxBody = 16 << 10

// Handler answers requests from pages at a host, or at this machine's own names.
func (s *Site) Handler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.answer(s.start))
	mux.HandleFunc("POST /{$}", s.answer(s.forKnown(s.begin)))
	mux.HandleFunc("GET /play/{game}", s.answer(s.forKnown(s.play)))
	mux.HandleFunc("POST /language", s.answer(s.speak))
	mux.HandleFunc("GET /game/{id}", s.answer(s.ofGame(s.game)))
	mux.HandleFunc("POST /game/{id}", s.answer(s.forKnown(s.ofGame(s.act))))
	mux.HandleFunc("GET /game/{id}/after/{move}", s.answer(s.ofGame(s.after)))
	mux.HandleFunc("GET /game/{id}/board.svg", s.answer(s.ofGame(s.thumbnail)))
	mux.HandleFunc("GET /game/{id}/division", s.answer(s.ofGame(s.division)))
	mux.HandleFunc("GET /game/{id}/card.png", s.answer(s.ofGame(s.card)))
	for name := range forms {
		mux.HandleFunc("GET /game/{id}/"+name, s.answer(s.ofGame(s.record(name))))
	}
	mux.HandleFunc("GET /games", s.answer(s.forKnown(plain(s.gamesWith))))
	mux.HandleFunc("POST /games", s.answer(s.forKnown(s.offer(s.gamesWith))))
	mux.HandleFunc("GET "+learnPath, s.answer(plain(s.coursesWith)))
	mux.HandleFunc("GET "+learnPath+"/{game}/{n}", s.answer(s.lesson))
	mux.HandleFunc("GET "+puzzlePath, s.answer(plain(s.coursesWith)))
	mux.HandleFunc("GET "+puzzlePath+"/{game}", s.answer(s.puzzle))
	mux.HandleFunc("GET "+dailyPath, s.answer(s.daily))
	for _, at := range []string{learnPath, learnPath + "/{game}/{n}", puzzlePath, puzzlePath + "/{game}", dailyPath} {
		mux.HandleFunc("POST "+at, s.answer(s.tries))
	}
	mux.HandleFunc("GET /tried/{name}/{move}", s.answer(s.tried))
	mux.HandleFunc("GET /top", s.answer(s.top))
	mux.HandleFunc("GET /top/{server}", s.answer(s.top))
	mux.HandleFunc("GET /league", s.answer(s.leagues))
	mux.HandleFunc("GET /league/{server}", s.answer(s.leagues))
	mux.HandleFunc("GET /league/{server}/{game}", s.answer(s.league))
	mux.HandleFunc("GET /people/{id}", s.answer(s.person))
	mux.HandleFunc("GET /lobby", s.answer(plain(s.lobbyWith)))
	mux.HandleFunc("POST /lobby", s.answer(s.forKnown(s.offer(s.lobbyWith))))
	mux.HandleFunc("GET /archive", s.answer(s.archive))
	mux.HandleFunc("GET /settings", s.answer(s.forKnown(plain(s.settingsWith))))
	mux.HandleFunc("POST /settings", s.answer(s.forKnown(s.choose)))
	mux.HandleFunc("GET /rules", s.answer(s.rules))
	mux.HandleFunc("GET /rules/{game}", s.answer(s.rulesOf))
	mux.HandleFunc("GET /rules/{game}/{piece}", s.answer(s.rulesOf))
	mux.HandleFunc("GET /", s.answer(s.missing))
	all := http.NewServeMux()
	all.HandleFunc("GET /game/{id}/events", s.answer(s.ofGame(s.events))) // each of which is too short to be compressed
	all.HandleFunc("GET /lobby/events", s.answer(s.lobbyEvents))
	all.HandleFunc("GET /league/{server}/{game}/events", s.answer(s.leagueEvents))
	compressed, err := gzhttp.NewWrapper(gzhttp.ZstdCompressionLevel(2)) // 1 makes boards a twentieth larger
	if err != nil {
		panic(err) // there is this level
	}
	all.Handle("/", s.made(compressed(changes(mux))))
	var pages http.Handler = all
	if s.auth != nil {
		mux.HandleFunc("GET "+signPath, s.answer(s.signing))
		mux.HandleFunc("POST "+signPath, s.answer(s.signIn))
		mux.HandleFunc("POST /out", s.answer(s.signOut))
		pages = s.admitted(all)
	}
	assets := http.NewServeMux()
	assets.HandleFunc("/assets/", serveAsset)
	assets.HandleFunc(workerPath, serveAsset)
	assets.HandleFunc("GET /shown/{game}/{what}/{theme}", s.answer(s.shown))
	files := gzhttp.GzipHandler(assets)
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, http.StatusForbidden, "other-site") }))
	own := guard.Handler(http.MaxBytesHandler(pages, maxBody))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "+s.mayFrame(r))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !known(r.Host, host) { // another name for this machine could be anybody's
			s.refuse(w, r, http.StatusMisdirectedRequest, "other-address")
			return
		}
		if strings.HasPrefix(r.URL.Path, "/assets/") || strings.HasPrefix(r.URL.Path, "/shown/") || r.URL.Path == workerPath {
			if r.URL.Path != workerPath {
				h.Set("Content-Security-Policy", "default-src 'none'") // of pages, which they are part of, the longer one counts
			}
			files.ServeHTTP(w, r) // they are everybody's
			return
		}
		if r.Method == http.MethodPost { // somebody does something
			if s.foreign(r) {
				s.refuse(w, r, http.StatusForbidden, "other-site")
				return
			}
			defer s.bot.Metrics.Answer(platform, time.Now())
		}
		own.ServeHTTP(w, r)
	})
}

// foreign reports whether a request comes from another origin, for browsers that do not send Sec-Fetch-Site.
// Go takes origins for the same that differ in their scheme.
func (s *Site) foreign(r *http.Request) bool {
	from := r.Header.Get("Origin")
	return s.auth != nil && from != "" && r.Header.Get("Sec-Fetch-Site") == "" && !strings.EqualFold(from, s.auth.url)
}

// known reports whether a request's host is that of the site, or this machine itself.
func known(asked, host string) bool {
	name, _, err := net.SplitHostPort(asked)
	if err != nil {
		name = asked
	}
	ip := net.ParseIP(name)
	return strings.EqualFold(asked, host) || name == "localhost" || ip != nil
}

// grace is how long requests may take to finish once the context is done.
const grace = time.Second

// Serve answers at a listener until the context is done, and then finishes the requests under way.
func (s *Site) Serve(ctx context.Context, at net.Listener) error {
	host := at.Addr().String()
	if s.auth != nil {
		host = s.auth.host()
	}
	server := &http.Server{
		Handler:           s.Handler(host),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		WriteTimeout:      30 * time.Second, // streams have their own
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	if s.auth != nil {
		server.ConnState = s.auth.connected
	}
	return cmp.Or(adapter.Serve(ctx, server, at, grace), ctx.Err())
}
