package web

import (
	"context"
	"embed"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"chimera/bot"
)

const platform = "web"

//go:embed assets
var assets embed.FS

// Site is the pages. It is safe for concurrent use.
type Site struct {
	bot     *bot.Bot
	log     *slog.Logger
	streams *streams
	here    *local
	guides  guides
}

// New makes the pages on which those who sit at one screen play each other or the computer.
// Whoever reaches them plays for all of them.
func New(ctx context.Context, b *bot.Bot, log *slog.Logger) (*Site, error) {
	here, err := sitDown(ctx, b)
	if err != nil {
		return nil, err
	}
	s := &Site{bot: b, log: log, streams: newStreams(), here: here}
	b.Store.OnChange(s.streams.changed)
	return s, nil
}

// Send implements [bot.Outlet]: pages show games as they are, so nothing has to be said.
func (s *Site) Send(context.Context, bot.Delivery) (bot.Receipt, error) { return nil, nil }

// Limits implements [bot.Outlet].
func (s *Site) Limits(bot.Address) []bot.Limit { return nil }

// Outlets are what the site says, by platform.
func (s *Site) Outlets() map[string]bot.Outlet { return map[string]bot.Outlet{platform: s} }

const maxBody = 16 << 10

// Handler answers requests from pages at a host, or at this machine's own names.
func (s *Site) Handler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /assets/", http.FileServerFS(assets))
	mux.HandleFunc("GET /{$}", s.start)
	mux.HandleFunc("POST /{$}", s.begin)
	mux.HandleFunc("GET /game/{id}", s.game)
	mux.HandleFunc("POST /game/{id}", s.act)
	mux.HandleFunc("GET /game/{id}/events", s.events)
	mux.HandleFunc("GET /game/{id}/after/{move}", s.after)
	mux.HandleFunc("GET /game/{id}/board.svg", s.thumbnail)
	mux.HandleFunc("GET /games", s.games)
	mux.HandleFunc("POST /games", s.answer)
	mux.HandleFunc("GET /rules", s.rules)
	mux.HandleFunc("GET /rules/{game}", s.rulesOf)
	mux.HandleFunc("GET /", s.missing)
	own := http.NewCrossOriginProtection().Handler(http.MaxBytesHandler(mux, maxBody))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !known(r.Host, host) { // another name for this machine could be anybody's
			http.Error(w, "This address is not that of these pages.", http.StatusMisdirectedRequest)
			return
		}
		own.ServeHTTP(w, r)
	})
}

// known reports whether a request's host is the one that is listened at, or this machine itself.
func known(asked, host string) bool {
	name, _, err := net.SplitHostPort(asked)
	if err != nil {
		name = asked
	}
	ip := net.ParseIP(name)
	return asked == host || name == "localhost" || ip != nil
}

// Serve answers at a listener until the context is done.
func (s *Site) Serve(ctx context.Context, at net.Listener) error {
	server := &http.Server{
		Handler:           s.Handler(at.Addr().String()),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       20 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(at); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return ctx.Err()
}
