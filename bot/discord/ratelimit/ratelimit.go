// Package ratelimit carries requests to Discord out, and keeps the limits that its answers tell of.
package ratelimit

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
)

// Limiter carries requests out, to another server if there is one, and keeps the limits that
// Discord's answers tell of. It is safe for concurrent use. discordgo v0.29.0 has a limiter
// too, which is told nothing: it keeps a global limit for one route alone, sleeps even when
// the context is done, and cannot read the pages with which Cloudflare refuses.
type Limiter struct {
	to    *url.URL          // nil for Discord's own
	Inner http.RoundTripper // makes the requests
	all   *rate.Limiter     // requests, where they are limited
	bad   *rate.Limiter     // requests that count towards a ban
	tight atomic.Bool       // requests are limited at all

	mu     sync.Mutex
	closed map[string]time.Time // until when nothing more of a route goes through, of all but answers, or of everything
}

// The things that are closed beside routes.
const (
	everything    = "everything"
	allButAnswers = "all but answers to interactions"
)

// Discord takes 50 requests in any second, but for answers to interactions. Some come
// later than others, so here are PerSecond allowed in ASecond, a little longer.
const (
	PerSecond = 40
	ASecond   = 1100 * time.Millisecond
	atOnce    = 10
)

// Discord bans an address that makes 10,000 requests in ten minutes which it must
// refuse; here is stopped long before. Interactions are answered for longer: people wait for that,
// and it is hardly ever refused.
const (
	badWindow  = 10 * time.Minute
	badMost    = 1000
	badAnswers = 2000
)

// New makes a Limiter of requests to a server in the place of Discord, or to Discord for nil.
func New(to *url.URL) *Limiter {
	l := &Limiter{
		to: to, Inner: adapter.Transport(), closed: map[string]time.Time{},
		all: rate.NewLimiter(rate.Every(ASecond/PerSecond), atOnce), bad: rate.NewLimiter(rate.Every(badWindow/badMost), badMost),
	}
	l.tight.Store(to == nil)
	return l
}

// Limited reports whether requests are limited: by Discord always, by a server in its
// place from when it has said so. A proxy that keeps the limits itself says nothing.
func (l *Limiter) Limited() bool { return l.tight.Load() }

// turn is how long a request must wait for its turn. Where many wait already it gets none.
func (l *Limiter) turn(route string) (time.Duration, *outbox.Later) {
	if IsInteraction(route) || !l.Limited() {
		return 0, nil
	}
	const most = 5 * time.Second
	turn := l.all.Reserve()
	wait := turn.Delay()
	if wait > most {
		turn.Cancel()
		return 0, later(everything, wait)
	}
	return wait, nil
}

// RoundTrip makes a request. If it has to wait, it does so for a short time, and returns a
// [*outbox.Later] instead of waiting longer.
func (l *Limiter) RoundTrip(r *http.Request) (*http.Response, error) {
	const short = 6 * time.Second
	route := RouteOf(r.Method, r.URL.Path)
	wait := l.wait(route)
	if wait != nil && !wait.Everywhere && wait.After <= short {
		if err := adapter.Pause(r.Context(), wait.After+time.Millisecond); err != nil {
			return nil, err
		}
		wait = l.wait(route)
	}
	if wait != nil {
		return nil, wait
	}
	turn, wait := l.turn(route)
	if wait != nil {
		return nil, wait
	}
	if err := adapter.Pause(r.Context(), turn); err != nil {
		return nil, err
	}
	if wait = l.wait(route); wait != nil { // which may have come in the meantime
		return nil, wait
	}
	if l.to != nil {
		there := *r.URL
		there.Scheme, there.Host = l.to.Scheme, l.to.Host
		r = r.WithContext(r.Context()) // a copy: the caller keeps theirs
		r.URL, r.Host = &there, l.to.Host
	}
	answer, err := l.Inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if wait := l.learn(route, answer); wait != nil {
		_ = answer.Body.Close() // it was read
		return nil, wait
	}
	return answer, nil
}

// wait says how long a request must wait, nil if it need not.
func (l *Limiter) wait(route string) *outbox.Later {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, what := range []string{everything, allButAnswers, route} {
		if after := time.Until(l.closed[what]); after > 0 && (what != allButAnswers || !IsInteraction(route)) {
			return later(what, after)
		}
	}
	return nil
}

// learn notes what an answer says about limits, and returns how long to wait if that is
// all it says.
func (l *Limiter) learn(route string, answer *http.Response) *outbox.Later {
	header, tooMany := answer.Header, answer.StatusCode == http.StatusTooManyRequests
	scope := header.Get("X-RateLimit-Scope")
	if s := answer.StatusCode; s == http.StatusUnauthorized || s == http.StatusForbidden || tooMany && scope != "shared" {
		l.bad.Reserve()
		if left := l.bad.Tokens(); left < 1-badAnswers {
			l.close(everything, badWindow)
		} else if left < 1 {
			l.close(allButAnswers, badWindow)
		}
	}
	if tooMany || header.Get("X-RateLimit-Limit") != "" {
		l.tight.Store(true)
	}
	if header.Get("X-RateLimit-Remaining") == "0" {
		l.close(route, seconds(header.Get("X-RateLimit-Reset-After")))
	}
	global := header.Get("X-RateLimit-Global") != "" || scope == "global"
	maps.DeleteFunc(header, func(name string, _ []string) bool { // the library would sleep on them
		return strings.HasPrefix(strings.ToLower(name), "x-ratelimit-")
	})
	page := strings.Contains(header.Get("Content-Type"), "text/") // not Discord's, but of what stands before it
	if !tooMany && (answer.StatusCode != http.StatusForbidden || !page) {
		return nil
	}
	const most = 64 << 10
	var said struct {
		After  json.RawMessage `json:"retry_after"`
		Global bool
	}
	plain := json.NewDecoder(io.LimitReader(answer.Body, most)).Decode(&said) != nil
	after := max(seconds(header.Get("Retry-After")), seconds(string(said.After)))
	switch {
	case plain || page:
		if after == 0 {
			after = time.Minute
		}
		return l.close(everything, after)
	case said.Global || global:
		return l.close(allButAnswers, after)
	}
	const least = 100 * time.Millisecond
	return l.close(route, max(after, least))
}

// close lets no more of a route through for a while, or of more, and returns how long a request has to wait.
func (l *Limiter) close(what string, after time.Duration) *outbox.Later {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	const many = 1000
	if len(l.closed) > many {
		maps.DeleteFunc(l.closed, func(_ string, until time.Time) bool { return !until.After(now) })
	}
	if until := now.Add(after); until.After(l.closed[what]) {
		l.closed[what] = until
	}
	return later(what, after)
}

// later is how long a request has to wait for a route or more that is closed.
func later(what string, after time.Duration) *outbox.Later {
	if what == everything || what == allButAnswers {
		return &outbox.Later{After: after, Everywhere: true, Err: errors.New("limit of " + what)}
	}
	return &outbox.Later{After: after, Err: errors.New("limit of one route")}
}

// seconds is a time that Discord names, at most an hour: then it can be asked again.
func seconds(text string) time.Duration {
	n, err := strconv.ParseFloat(text, 64)
	const most = 60 * 60
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n, most) * float64(time.Second))
}

// RouteOf is what shares a limit: requests of one kind about one channel or server.
func RouteOf(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	_, path, _ = strings.Cut(path, "/api/")
	words := strings.Split(path, "/")[1:] // without the version
	for i, w := range words {
		major := i == 1 // the channel, server, webhook or interaction
		if !major && i > 0 && strings.Trim(w, "0123456789") == "" {
			words[i] = "…"
		}
	}
	return method + " " + strings.Join(words, "/")
}

// IsInteraction reports whether a route is one to which the global limit does not apply.
func IsInteraction(route string) bool {
	_, path, _ := strings.Cut(route, " ")
	return strings.HasPrefix(path, "interactions/") || strings.HasPrefix(path, "webhooks/")
}
