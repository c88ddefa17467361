// Package ratelimit sends requests to Discord, within the limits that its answers state.
package ratelimit

import (
	"cmp"
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

// Limiter sends requests, to Discord or a server in its place, within the limits that the answers state. It is safe for
// concurrent use. discordgo v0.29.0 has a limiter too, but that applies a global limit to one route alone, sleeps even
// when the context is done, and cannot read the pages with which Cloudflare refuses.
type Limiter struct {
	to    *url.URL          // empty for Discord's own
	Inner http.RoundTripper // makes the requests
	all   *rate.Limiter     // requests, where they are limited
	bad   *rate.Limiter     // requests that count towards a ban
	tight atomic.Bool       // whether requests are limited at all

	mu     sync.Mutex
	closed map[string]time.Time // until when each route, or one of the groups below, is closed
}

// Groups of routes that can be closed together.
const (
	everything    = "everything"
	allButAnswers = "all but answers to interactions"
)

// Discord takes 50 requests in any second, not counting answers to interactions. Some arrive late, so the limit here is
// PerSecond in ASecond, a little longer.
const (
	PerSecond = 40
	ASecond   = 1100 * time.Millisecond
	atOnce    = 10
)

// Discord bans an address for 10,000 requests in ten minutes that it must refuse; the limits here are far lower.
// Answers to interactions go on for longer: people wait for them, and they are hardly ever refused.
const (
	badWindow  = 10 * time.Minute
	badMost    = 1000
	badAnswers = 2000
)

// New makes a Limiter of requests to the given server in place of Discord, or to Discord if it is empty.
func New(to *url.URL) *Limiter {
	l := &Limiter{
		to: to, Inner: adapter.Transport(), closed: map[string]time.Time{},
		all: rate.NewLimiter(rate.Every(ASecond/PerSecond), atOnce), bad: rate.NewLimiter(rate.Every(badWindow/badMost), badMost),
	}
	l.tight.Store(to.Host == "")
	return l
}

// Limited reports whether requests are limited: always by Discord, by another server once an answer has said so. A
// proxy that keeps the limits itself says nothing.
func (l *Limiter) Limited() bool { return l.tight.Load() }

// turn is how long a request must wait for its turn. If too many wait already it gets none.
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

// RoundTrip makes a request. A short wait happens here; instead of a longer one it returns a [*outbox.Later].
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
	if l.to.Host != "" {
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

// wait says how long a request must wait, nil if not at all.
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

// learn notes the limits that an answer states. If the answer is only a refusal that asks to wait, it returns for how
// long.
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
	page := strings.Contains(header.Get("Content-Type"), "text/") // from a proxy in front of Discord
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
		return l.close(everything, cmp.Or(after, time.Minute))
	case said.Global || global:
		return l.close(allButAnswers, after)
	}
	const least = 100 * time.Millisecond
	return l.close(route, max(after, least))
}

// close closes a route, or a group of routes, for a while, and returns how long requests have to wait.
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

// later is how long a request has to wait for a closed route or group.
func later(what string, after time.Duration) *outbox.Later {
	if what == everything || what == allButAnswers {
		return &outbox.Later{After: after, Everywhere: true, Err: errors.New("limit of " + what)}
	}
	return &outbox.Later{After: after, Err: errors.New("limit of one route")}
}

// seconds reads a time from an answer, capped at an hour: then Discord can be asked again.
func seconds(text string) time.Duration {
	n, err := strconv.ParseFloat(text, 64)
	const most = 60 * 60
	if err != nil || n < 0 {
		return 0
	}
	return time.Duration(min(n, most) * float64(time.Second))
}

// RouteOf names the requests that share a limit: those of one kind about one channel or server.
func RouteOf(method, path string) string {
	path, _, _ = strings.Cut(path, "?")
	_, path, _ = strings.Cut(path, "/api/")
	words := strings.Split(path, "/")[1:] // without the version
	for i, w := range words {
		if i > 1 && strings.Trim(w, "0123456789") == "" { // not the first number: that of the channel, server, webhook or interaction
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
