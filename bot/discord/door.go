package discord

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"chimera/bot"
)

// door is the way out for requests. It sends them to another server if there is one,
// and keeps the limits that Discord's answers tell of.
type door struct {
	to    *url.URL // nil for Discord's own
	inner http.RoundTripper

	mu        sync.Mutex
	tight     bool                 // requests are limited at all
	tightened func()               // called once, from when they are
	passed    [perSecond]time.Time // when the last ones went through, in a ring
	oldest    int                  // of these
	shut      time.Time            // until when nothing at all goes through
	rest      time.Time            // until when nothing but answers to interactions does
	routes    map[string]time.Time // until when nothing more of a route does
	bad       []time.Time          // requests that count towards a ban, the oldest first
}

func newDoor(to *url.URL) *door {
	inner := http.DefaultTransport.(*http.Transport).Clone()
	const plenty = 64
	inner.MaxIdleConnsPerHost = plenty
	return &door{to: to, inner: inner, tight: to == nil, routes: map[string]time.Time{}}
}

// Discord takes 50 requests in any second, but for answers to interactions. Some come
// later than others, so here are fewer allowed, in a little longer.
const (
	perSecond = 40
	aSecond   = 1100 * time.Millisecond
)

// limited reports whether requests are limited: by Discord always, by a server in its
// place from when it has said so. A proxy that keeps the limits itself says nothing.
func (d *door) limited() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.tight
}

// tighten limits requests from now on.
func (d *door) tighten() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.tight && d.tightened != nil {
		d.tightened()
	}
	d.tight = true
}

// turn is how long a request must wait for its turn, so that there are no more than
// perSecond in aSecond. Where many wait already it gets none.
func (d *door) turn(route string) (time.Duration, *held) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if isInteraction(route) {
		return 0, nil
	}
	now := time.Now()
	at := now
	if d.tight {
		at = latest(now, d.passed[d.oldest].Add(aSecond))
	}
	const most = 5 * time.Second
	if wait := at.Sub(now); wait > most {
		return 0, &held{wait, true, "too many requests wait"}
	}
	d.passed[d.oldest] = at
	d.oldest = (d.oldest + 1) % perSecond
	return at.Sub(now), nil
}

// idle reports whether few requests have gone through of late.
func (d *door) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	const few = perSecond / 2
	return !d.tight || time.Since(d.passed[(d.oldest+perSecond-few)%perSecond]) > time.Second
}

// held is a request that must wait.
type held struct {
	after      time.Duration
	everywhere bool
	why        string
}

func (h *held) Error() string { return fmt.Sprintf("%s: wait %v", h.why, h.after) }

// Discord bans an address that makes 10,000 requests in ten minutes which it must
// refuse; here is stopped long before.
const (
	badWindow = 10 * time.Minute
	badMost   = 1000
)

// RoundTrip makes a request, if it need not wait.
func (d *door) RoundTrip(r *http.Request) (*http.Response, error) {
	route := routeOf(r.Method, r.URL.Path)
	if wait := d.wait(route); wait != nil {
		return nil, wait
	}
	turn, wait := d.turn(route)
	if wait == nil {
		if err := bot.Pause(r.Context(), turn); err != nil {
			return nil, err
		}
		wait = d.wait(route) // which may have come in the meantime
	}
	if wait != nil {
		return nil, wait
	}
	r = r.Clone(r.Context())
	if d.to != nil {
		r.URL.Scheme, r.URL.Host, r.Host = d.to.Scheme, d.to.Host, d.to.Host
	}
	answer, err := d.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if wait := d.learn(route, answer); wait != nil {
		_ = answer.Body.Close() // it was read
		return nil, wait
	}
	return answer, nil
}

// wait says how long a request must wait, nil if it need not.
func (d *door) wait(route string) *held {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if d.shut.After(now) {
		return &held{d.shut.Sub(now), true, "too many requests were refused"}
	}
	if d.rest.After(now) && !isInteraction(route) {
		return &held{d.rest.Sub(now), true, "global limit"}
	}
	if until := d.routes[route]; until.After(now) {
		return &held{until.Sub(now), false, "limit of this channel"}
	}
	return nil
}

// maxBody is how much of a refusal is read.
const maxBody = 64 << 10

// learn notes what an answer says about limits, and returns how long to wait if that is
// all it says.
func (d *door) learn(route string, answer *http.Response) *held {
	header := answer.Header
	shared := header.Get("X-RateLimit-Scope") == "shared"
	if s := answer.StatusCode; s == http.StatusUnauthorized || s == http.StatusForbidden || s == http.StatusTooManyRequests && !shared {
		d.count(time.Now())
	}
	if answer.StatusCode == http.StatusTooManyRequests || header.Get("X-RateLimit-Limit") != "" {
		d.tighten()
	}
	if header.Get("X-RateLimit-Remaining") == "0" {
		d.close(route, seconds(header.Get("X-RateLimit-Reset-After")))
	}
	defer func() {
		for name := range header {
			if strings.HasPrefix(strings.ToLower(name), "x-ratelimit-") {
				header.Del(name) // the library sleeps on them
			}
		}
	}()
	page := strings.Contains(header.Get("Content-Type"), "text/") // not Discord's, but of what stands before it
	switch {
	case answer.StatusCode == http.StatusTooManyRequests:
	case answer.StatusCode == http.StatusForbidden && page:
	default:
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxBody))
	answer.Body = struct {
		io.Reader
		io.Closer
	}{bytes.NewReader(body), answer.Body}
	var said struct {
		After  json.RawMessage `json:"retry_after"`
		Global bool
	}
	plain := json.Unmarshal(body, &said) != nil
	after := max(seconds(header.Get("Retry-After")), seconds(string(said.After)))
	switch {
	case plain || page:
		const banned = time.Minute
		return d.stop(max(after, banned), after)
	case said.Global || header.Get("X-RateLimit-Global") != "" || header.Get("X-RateLimit-Scope") == "global":
		return d.pause(after)
	}
	const least = 100 * time.Millisecond
	after = max(after, least)
	d.close(route, after)
	return &held{after, false, "429"}
}

// stop lets nothing through for a while: as long as was said, else for the usual time.
func (d *door) stop(usual, said time.Duration) *held {
	if said > 0 {
		usual = said
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.shut = latest(d.shut, time.Now().Add(usual))
	return &held{usual, true, "refused before Discord"}
}

// pause lets nothing but answers to interactions through for a while.
func (d *door) pause(after time.Duration) *held {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rest = latest(d.rest, time.Now().Add(after))
	return &held{after, true, "429, global"}
}

// close lets no more of a route through for a while.
func (d *door) close(route string, after time.Duration) {
	if after <= 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	const many = 1000
	if len(d.routes) > many {
		maps.DeleteFunc(d.routes, func(_ string, until time.Time) bool { return !until.After(now) })
	}
	d.routes[route] = latest(d.routes[route], now.Add(after))
}

// count notes a request that counts towards a ban, and lets nothing through any more
// when there are too many.
func (d *door) count(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.bad) > 0 && now.Sub(d.bad[0]) > badWindow {
		d.bad = d.bad[1:]
	}
	if d.bad = append(d.bad, now); len(d.bad) >= badMost {
		d.shut = latest(d.shut, d.bad[0].Add(badWindow))
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
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

// routeOf is what shares a limit: requests of one kind about one channel or server.
func routeOf(method, path string) string {
	_, path, _ = strings.Cut(path, "/api/")
	words := strings.Split(path, "/")
	if len(words) > 0 {
		words = words[1:] // the version
	}
	for i, w := range words {
		major := i == 1 // the channel, server, webhook or interaction
		if !major && i > 0 && strings.Trim(w, "0123456789") == "" {
			words[i] = "…"
		}
	}
	return method + " " + strings.Join(words, "/")
}

// isInteraction reports whether a route is one to which the global limit does not apply.
func isInteraction(route string) bool {
	_, path, _ := strings.Cut(route, " ")
	return strings.HasPrefix(path, "interactions/") || strings.HasPrefix(path, "webhooks/")
}
