package ratelimit

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"chimera/bot/outbox"
)

func TestALimitIsKeptThatWasReached(t *testing.T) {
	l := New(&url.URL{})
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset-After": {"3.5"}}}
	route := RouteOf("POST", "/api/v9/channels/1/messages")
	if l.learn(route, answer) != nil || len(answer.Header) != 0 {
		t.Error("that was no refusal, and discordgo must hear nothing of it")
	}
	if w := l.wait(route); w == nil || w.Everywhere || w.After < 3*time.Second {
		t.Error(w)
	}
	if w := l.wait(RouteOf("POST", "/api/v9/channels/2/messages")); w != nil {
		t.Error(w)
	}
}

func TestRoutes(t *testing.T) {
	for path, want := range map[string]string{
		"/api/v9/channels/1/messages":                    "GET channels/1/messages",
		"/api/v9/channels/1/messages/22":                 "GET channels/1/messages/…",
		"/api/v9/channels/1/messages/22/threads":         "GET channels/1/messages/…/threads",
		"/api/v9/interactions/3/token/callback":          "GET interactions/3/token/callback",
		"/api/v9/gateway":                                "GET gateway",
		"/api/v9":                                        "GET ",
		"/api/v9/webhooks/3/token/messages/@original":    "GET webhooks/3/token/messages/@original",
		"/api/v9/applications/999/commands":              "GET applications/999/commands",
		"nothing of the kind":                            "GET ",
		"/api/v9/users/@me/channels":                     "GET users/@me/channels",
		"/api/v9/guilds/500":                             "GET guilds/500",
		"/api/v9/channels/1/messages/22/reactions/x/@me": "GET channels/1/messages/…/reactions/x/@me",
	} {
		if got := RouteOf("GET", path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestNothingIsAskedWhenABanIsNear(t *testing.T) {
	l := New(&url.URL{})
	refused := func(status int, header http.Header) {
		_ = l.learn("GET x", &http.Response{StatusCode: status, Header: header, Body: http.NoBody})
	}
	for range badMost - 1 {
		refused(http.StatusForbidden, http.Header{})
	}
	refused(http.StatusTooManyRequests, http.Header{"X-Ratelimit-Scope": {"shared"}, "Content-Type": {"application/json"}, "Retry-After": {"0.001"}})
	delete(l.closed, everything) // the last was no page, but had no body either
	if w := l.wait("GET y"); w != nil {
		t.Fatal(w)
	}
	refused(http.StatusUnauthorized, http.Header{})
	if w := l.wait("GET y"); w == nil || !w.Everywhere || w.After < 9*time.Minute {
		t.Error(w)
	}
	if w := l.wait("POST interactions/1/x/callback"); w != nil {
		t.Errorf("somebody waits for that: %v", w)
	}
	for range badAnswers {
		refused(http.StatusUnauthorized, http.Header{})
	}
	if w := l.wait("POST interactions/1/x/callback"); w == nil {
		t.Error("answers count too")
	}
}

// noCarrier carries no request.
type noCarrier struct{}

func (noCarrier) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.ErrUnsupported
}

// pausing is a context that tells when somebody begins to wait for its end.
type pausing struct {
	context.Context
	begun func()
}

func (p pausing) Done() <-chan struct{} {
	p.begun()
	return p.Context.Done()
}

func TestWhatWaitsForItsTurnKeepsToAGlobalLimitThatComesMeanwhile(t *testing.T) {
	l := New(&url.URL{})
	l.Inner = noCarrier{}
	for range PerSecond {
		_, _ = l.turn("GET x") // there is room for these
	}
	ctx := pausing{t.Context(), sync.OnceFunc(func() { l.close(allButAnswers, time.Minute) })}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://discord.com/api/v9/guilds/1", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	var wait *outbox.Later
	if _, err := l.RoundTrip(r); !errors.As(err, &wait) || !wait.Everywhere { //nolint:bodyclose // there is none
		t.Error(err)
	}
}

func TestATurnIsGivenOnlyWhereItComesSoon(t *testing.T) {
	l := New(&url.URL{})
	given := 0
	for range 1000 {
		wait, no := l.turn("GET x")
		switch {
		case no == nil:
			given++
		case !no.Everywhere || no.After < 4*time.Second:
			t.Fatal(no)
		}
		if wait > 6*time.Second {
			t.Fatal(wait)
		}
	}
	if seconds := 5; given < PerSecond || given > (seconds+1)*PerSecond {
		t.Errorf("%d turns were given", given)
	}
	if _, no := l.turn("POST interactions/1/x/callback"); no != nil {
		t.Error(no)
	}
}

func TestTheGlobalLimitIsNotOneOfAnswers(t *testing.T) {
	l := New(&url.URL{})
	_ = l.learn("POST channels/1/messages", &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"5"}, "X-Ratelimit-Global": {"true"}}, Body: io.NopCloser(strings.NewReader(`{"retry_after":5,"global":true}`))})
	if w := l.wait("GET guilds/1"); w == nil || !w.Everywhere {
		t.Error(w)
	}
	if w := l.wait("POST interactions/1/x/callback"); w != nil {
		t.Error(w)
	}
}
