package discord

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// transport carries requests to Discord or to another server, lets refusals of every kind
// be read by the library, and stops before Discord bans an address for asking wrongly.
type transport struct {
	base http.RoundTripper
	host *url.URL // nil for Discord's own
	now  func() time.Time

	mu    sync.Mutex
	wrong []time.Time // when requests were refused, of late
	until time.Time   // until when nothing may be asked
}

// Discord bans an address after 10,000 requests that it refused in ten minutes.
const (
	mostWrong = 2000
	wrongIn   = 10 * time.Minute
)

var errStopped = errors.New("discord: no requests for now: too many were refused, or Discord wants none")

// RoundTrip carries a request out.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.mu.Lock()
	stopped := t.now().Before(t.until)
	t.mu.Unlock()
	if stopped {
		return nil, errStopped
	}
	if t.host != nil {
		r = r.Clone(r.Context())
		r.URL.Scheme, r.URL.Host, r.Host = t.host.Scheme, t.host.Host, t.host.Host
	}
	answer, err := t.base.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		t.refused()
	}
	if answer.StatusCode == http.StatusTooManyRequests {
		return t.spell(answer)
	}
	return answer, nil
}

func (t *transport) refused() {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	for len(t.wrong) > 0 && now.Sub(t.wrong[0]) > wrongIn {
		t.wrong = t.wrong[1:]
	}
	if t.wrong = append(t.wrong, now); len(t.wrong) >= mostWrong {
		t.until = now.Add(wrongIn)
	}
}

// spell makes of a page that asks to wait what the library can read, and obeys one that
// is for everything.
func (t *transport) spell(answer *http.Response) (*http.Response, error) {
	defer func() { _ = answer.Body.Close() }()
	const most = 1 << 20
	body, err := io.ReadAll(io.LimitReader(answer.Body, most))
	if err != nil {
		return nil, err
	}
	var said struct {
		RetryAfter float64 `json:"retry_after"`
		Global     bool    `json:"global"`
	}
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") || json.Unmarshal(body, &said) != nil {
		said.Global = true
		if said.RetryAfter, err = strconv.ParseFloat(answer.Header.Get("Retry-After"), 64); err != nil {
			said.RetryAfter = 60
		}
		if body, err = json.Marshal(map[string]any{"message": "too many requests", "retry_after": said.RetryAfter, "global": true}); err != nil {
			return nil, err
		}
	}
	if said.Global {
		t.mu.Lock()
		t.until = t.now().Add(time.Duration(said.RetryAfter * float64(time.Second)))
		t.mu.Unlock()
	}
	answer.Body = io.NopCloser(bytes.NewReader(body))
	return answer, nil
}
