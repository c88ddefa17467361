// Package web lets people play on web pages, with boards that they can touch.
//
// # Design
//
// A page shows a game as chats do, in HTML: the text of a message, its board as a drawing, its buttons as forms. Over
// the drawing lies another with only the squares, which can be touched, and which screen readers read as a grid. The
// page contains the legal moves and their effects; it computes none. Everything that people do is a POST of a move's
// text or a button's press, which the bot handles like those of any chat. So a page works without scripts, which only
// make it quicker: they send forms and put the answer in place, and fetch the page again when the game has changed.
//
// One function decides who a request is from. At one screen, it is whoever sits there. Elsewhere, people sign in with a
// link that the bot gave only to them, with Telegram's signed data about who opens a Mini App, or in Discord's frame;
// then pages have the same rights as their private chat with the bot. Strangers see what is public: games of servers
// and groups, profiles of people on leaderboards, and the rules. A server's own leaderboard shows who is there, so only
// people who have played there see it. If somebody may not see a thing, the answer is as if it did not exist.
//
// People's moves never wait for strangers: only two answers to strangers are made at a time, and their pages of games
// are kept until the game changes. An answer is complete before it is sent, so a slow reader delays nobody, and costs
// no more than the memory of the answer, for half a minute. Connections, requests and streams are limited, by person
// and by address; strangers' streams are closed to make room for players'.
//
// An ended public game has a picture for other sites to show. Each is painted once, and only a few in a given time, so that
// nobody can keep the bot busy by asking for pictures.
//
// How a game is seen (from which side, after which move, with which marks, with which line of moves to try) is part of
// the page's address. So each choice is a link, and stays when the page is fetched again. Conditional moves are made on
// the same board: each leads to the address of the line with one more move, and the bot's command stores the line.
package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/storage"
)

const platform = user.Pages

// Site is the pages. It is safe for concurrent use.
type Site struct {
	addresses
	bot       *bot.Bot
	log       *slog.Logger
	streams   streams
	here      *local     // the people at the one screen; nil where people sign in
	auth      *auth      // who people are where they sign in; nil at the one screen
	strangers *strangers // limits for strangers; nil at the one screen
	guides    sync.Map   // pages of rules, which take long to draw, by all that they depend on

	// Prepare makes a message on Telegram that one account may pass on, with a button that opens an address, and
	// returns its ID; nil where the pages are no Mini App. It must be set before the first request.
	Prepare func(ctx context.Context, account, title, button, address string) (string, error)
}

// newSite makes a Site that still lacks what New or Open adds.
func newSite(ctx context.Context, b *bot.Bot, log *slog.Logger) (*Site, error) {
	key, err := b.Store.Secret(ctx) // all processes that share the database have the same addresses
	s := &Site{addresses: addresses{key}, bot: b, log: log}
	b.Store.OnChange(s.streams.changed)
	return s, err
}

// New makes pages for one screen, on which two people play each other or one plays the computer. Everybody who can
// reach the pages can play for both.
func New(ctx context.Context, b *bot.Bot, log *slog.Logger) (*Site, error) {
	s, err := newSite(ctx, b, log)
	if err == nil {
		s.here, err = sitDown(ctx, b)
	}
	return s, err
}

// Open makes pages for people who are in chats. url is the pages' web address, without a slash at its end. People sign
// in with links that the bot gives them, with Telegram's signed data about who opens a Mini App, or with a code of
// Discord's; telegram or discord is nil if pages are not shown there. proxies are those whose X-Forwarded-For is
// believed.
func Open(ctx context.Context, b *bot.Bot, url string, telegram Reader, discord Activity, proxies []netip.Prefix, log *slog.Logger) (*Site, error) {
	s, err := newSite(ctx, b, log)
	if err == nil {
		s.strangers = newStrangers()
		s.auth = &auth{
			url: url, telegram: telegram, discord: discord, proxies: proxies, asked: message.Recent[string, *rate.Limiter](askersKept),
			callers: callers{of: map[string]int{}, idle: message.Recent[net.Conn, struct{}](maxCallers)},
		}
		b.ServePages(url)
	}
	return s, err
}

const maxBody = 16 << 10

// Handler answers requests to a host, or to this machine's own names and addresses; it refuses other hosts.
func (s *Site) Handler(host string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.answer(s.start))
	mux.HandleFunc("POST /{$}", s.answer(s.forKnown(s.begin)))
	mux.HandleFunc("GET /play/{game}", s.answer(s.forKnown(s.play)))
	mux.HandleFunc("POST /language", s.answer(s.speak))
	mux.HandleFunc("GET /game/{id}", s.answer(s.ofGame(s.game)))
	mux.HandleFunc("POST /game/{id}", s.answer(s.forKnown(s.ofGame(s.act))))
	mux.HandleFunc("POST /game/{id}/prepared", s.file(s.ofGame(s.prepared)))
	mux.HandleFunc("GET /game/{id}/after/{move}", s.file(s.ofGame(s.after)))
	mux.HandleFunc("GET /game/{id}/board.svg", s.file(s.ofGame(s.thumbnail)))
	mux.HandleFunc("GET /game/{id}/division", s.answer(s.ofGame(s.division)))
	mux.HandleFunc("GET /game/{id}/card.png", s.file(s.ofGame(s.card)))
	for name := range forms {
		mux.HandleFunc("GET /game/{id}/"+name, s.file(s.ofGame(s.record(name))))
	}
	mux.HandleFunc("GET /games", s.answer(s.forKnown(plain(s.gamesWith))))
	mux.HandleFunc("POST /games", s.answer(s.forKnown(s.offer(s.gamesWith))))
	mux.HandleFunc("GET "+learnPath, s.answer(plain(s.coursesWith)))
	mux.HandleFunc("GET "+learnPath+"/{game}/{n}", s.answer(s.lesson))
	mux.HandleFunc("GET "+puzzlePath, s.answer(plain(s.coursesWith)))
	mux.Handle("GET /puzzles", http.RedirectHandler(puzzlePath, http.StatusSeeOther)) // as it may be typed
	mux.HandleFunc("GET "+puzzlePath+"/{game}", s.answer(s.puzzle))
	mux.HandleFunc("GET "+dailyPath, s.answer(s.daily))
	for _, at := range []string{learnPath, learnPath + "/{game}/{n}", puzzlePath, puzzlePath + "/{game}", dailyPath} {
		mux.HandleFunc("POST "+at, s.answer(s.tries))
	}
	mux.HandleFunc("GET /tried/{name}/{move}", s.file(s.tried))
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
	all.HandleFunc("GET /game/{id}/events", s.file(s.ofGame(s.events))) // events are too short to be compressed
	all.HandleFunc("GET /lobby/events", s.file(s.lobbyEvents))
	all.HandleFunc("GET /league/{server}/{game}/events", s.file(s.leagueEvents))
	all.Handle("/", s.made(packs(changes(mux))))
	var pages http.Handler = all
	if s.auth != nil {
		mux.HandleFunc("GET "+signPath, s.answer(plain(s.signingWith)))
		mux.HandleFunc("POST "+signPath, s.answer(s.signIn))
		mux.HandleFunc("POST /out", s.answer(s.signOut))
		pages = s.admitted(all)
	}
	assets := http.NewServeMux()
	assets.HandleFunc("/assets/", serveAsset)
	assets.HandleFunc(workerPath, serveAsset)
	assets.HandleFunc("GET /shown/{game}/{what}/{theme}", s.file(s.shown))
	files := packs(assets)
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.refuse(w, r, http.StatusForbidden, "other-site") }))
	own := guard.Handler(http.MaxBytesHandler(pages, maxBody))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors "+s.mayFrame(r))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if !known(r.Host, host) { // any other name could be an attacker's that leads to this machine
			s.refuse(w, r, http.StatusMisdirectedRequest, "other-address")
			return
		}
		if strings.HasPrefix(r.URL.Path, "/assets/") || strings.HasPrefix(r.URL.Path, "/shown/") || r.URL.Path == workerPath {
			if r.URL.Path != workerPath {
				h.Set("Content-Security-Policy", "default-src 'none'") // it only counts if they are opened by themselves
			}
			files.ServeHTTP(w, r) // they are for everybody
			return
		}
		if r.Method == http.MethodPost { // somebody does something
			from := r.Header.Get("Origin") // some browsers send no Sec-Fetch-Site, and without it Go does not compare schemes
			if s.auth != nil && from != "" && r.Header.Get("Sec-Fetch-Site") == "" && !strings.EqualFold(from, s.auth.url) {
				s.refuse(w, r, http.StatusForbidden, "other-site")
				return
			}
			defer s.bot.Metrics.Answer(platform, time.Now())
		}
		own.ServeHTTP(w, r)
	})
}

// known reports whether a request's host is that of the site, localhost or an IP address.
func known(asked, host string) bool {
	name, _, err := net.SplitHostPort(asked)
	if err != nil {
		name = asked
	}
	return strings.EqualFold(asked, host) || name == "localhost" || net.ParseIP(name) != nil
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

// addresses encrypts the numbers of games, people and servers as ten letters. Without the key, nobody can tell from
// these how many there are, or what the next address is. It is a Feistel cipher of four rounds: in each, a keyed
// hash of one half of the number is added to the other half.
type addresses struct{ key []byte }

const (
	letters = "bcdfghjklmnpqrstvwxyz" // they form no words
	digits  = 5                       // of a half
	half    = 21 * 21 * 21 * 21 * 21
	rounds  = 4
)

// The kinds of things with such addresses.
const (
	ofGames   = "game"
	ofPeople  = "people"
	ofServers = "server"
)

// code encrypts a number for addresses.
func (a addresses) code(kind string, n uint64) string {
	high, low := n/half%half, n%half
	for round := range rounds {
		high, low = low, (high+a.turn(kind, round, low))%half
	}
	var text [2 * digits]byte
	for i := range digits {
		text[i], text[digits+i] = letters[high%uint64(len(letters))], letters[low%uint64(len(letters))]
		high, low = high/uint64(len(letters)), low/uint64(len(letters))
	}
	return string(text[:])
}

// number decrypts a code; false if it has not the form of one.
func (a addresses) number(kind, code string) (n uint64, ok bool) {
	if len(code) != 2*digits {
		return 0, false
	}
	var high, low uint64
	for i := digits - 1; i >= 0; i-- {
		h, l := strings.IndexByte(letters, code[i]), strings.IndexByte(letters, code[digits+i])
		if h < 0 || l < 0 {
			return 0, false
		}
		high, low = high*uint64(len(letters))+uint64(h), low*uint64(len(letters))+uint64(l) //nolint:gosec // they are places in a text
	}
	for round := rounds - 1; round >= 0; round-- {
		high, low = (low+half-a.turn(kind, round, high))%half, high
	}
	return high*half + low, true
}

// turn is what a round adds to a half, given the other half.
func (a addresses) turn(kind string, round int, by uint64) uint64 {
	return binary.BigEndian.Uint64(a.sum(kind, string(rune('0'+round)), strconv.FormatUint(by, 10))) % half
}

// sum is a keyed hash of texts.
func (a addresses) sum(texts ...string) []byte {
	h := hmac.New(sha256.New, a.key)
	_, _ = h.Write([]byte(strings.Join(texts, " "))) // never fails
	return h.Sum(nil)
}

// GamePath is the path of a game's page.
func (a addresses) GamePath(id storage.GameID) string { return "/game/" + a.code(ofGames, uint64(id)) }

// PersonPath is the path of somebody's page.
func (a addresses) PersonPath(id storage.PersonID) string {
	return "/people/" + a.code(ofPeople, uint64(id))
}

// ServerCode is a server's code in addresses.
func (a addresses) ServerCode(id storage.ServerID) string { return a.code(ofServers, uint64(id)) }

// named is the number of a game in an address, as such or as a code; ok is false if there is none. Plain numbers have at
// most 63 bits, as sentences take no larger ones.
func (a addresses) named(r *http.Request) (n uint64, coded, ok bool) {
	if n, ok = a.number(ofGames, r.PathValue("id")); ok {
		return n, true, n != 0
	}
	n, err := strconv.ParseUint(r.PathValue("id"), 10, 63)
	return n, false, err == nil && n != 0
}

// gameHandler answers a request that is about a game.
type gameHandler func(http.ResponseWriter, *http.Request, storage.GameID) error

// ofGame makes a handler of one for addresses of a game. An address with the game's number, as chats write it,
// redirects people who may see the game to that with its code.
func (s *Site) ofGame(handle gameHandler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		n, coded, ok := s.named(r)
		id := storage.GameID(n)
		if !ok {
			return bot.ErrNothing
		}
		if !coded {
			m, _ := s.visitor(r)
			if _, err := s.bot.Revision(r.Context(), m, id); err == nil {
				return leadOn(w, r, s.GamePath(id))
			}
		}
		return handle(w, r, id)
	}
}

// hides reports whether an address has a code of no game, or of one that the visitor may not see: then no answer may
// tell the number.
func (s *Site) hides(r *http.Request, m message.Incoming) bool {
	n, coded, _ := s.named(r)
	_, err := s.bot.Revision(r.Context(), m, storage.GameID(n))
	return coded && event.IsRefused(err, event.NoSuchGame)
}

// leadOn redirects a request with a number in its path to the same path with a code.
func leadOn(w http.ResponseWriter, r *http.Request, path string) error {
	_, rest, _ := strings.Cut(r.URL.Path, r.PathValue("id"))
	w.Header().Set("Cache-Control", "no-store")
	to := *r.URL
	to.Path = path + rest
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return nil
}
