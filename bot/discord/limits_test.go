package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/storage/kv/kvtest"
)

// refuseOnce refuses the first request with these parts.
func (f *fake) refuseOnce(no refusal, parts ...string) {
	f.refuseTimes(1, no, parts...)
}

// refuseTimes refuses so many requests with these parts.
func (f *fake) refuseTimes(times int, no refusal, parts ...string) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = func(c call) *refusal {
		if times > 0 && c.Has(parts...) {
			times--
			return &no
		}
		return nil
	}
}

func TestRefusalsThatPass(t *testing.T) {
	for name, no := range map[string]refusal{
		"429":             *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":false}`),
		"429, global":     *refused(429, map[string]string{"X-RateLimit-Global": "true", "Retry-After": "0.02"}, `{"message":"slow","retry_after":0.02,"global":true}`),
		"429, a page":     *refused(429, map[string]string{"Content-Type": "text/html", "Retry-After": "0.02"}, `<html>1015</html>`),
		"403, a page":     *refused(403, map[string]string{"Content-Type": "text/html", "Retry-After": "0.02"}, `<html>1015</html>`),
		"500":             *refused(500, nil, `{"message":"500","code":0}`),
		"502, a page":     *refused(502, map[string]string{"Content-Type": "text/html"}, `<html>bad gateway</html>`),
		"503":             *refused(503, nil, ``),
		"headers of none": *refused(200, map[string]string{"X-RateLimit-Remaining": "x", "X-RateLimit-Reset-After": "y", "X-RateLimit-Reset": "z"}, `{"id":"77"}`),
	} {
		t.Run(name, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			thread := l.begun()
			l.refuseOnce(no, "POST channels/"+thread+"/messages")
			l.answered(l.Slash(thread, alice, "move", "move=f3"))
			if no.Status != http.StatusOK {
				l.posted("POST channels/"+thread+"/messages", "1. f3")
			}
			l.answered(l.Slash(thread, bob, "move", "move=e5"))
			l.posted("POST channels/"+thread+"/messages", "1… e5")
			if n := l.count("POST channels/"+thread+"/messages", "1. f3"); n > 1 {
				t.Errorf("said %d times", n)
			}
		})
	}
}

func TestAnswersThatAreRefusedAreTriedAgain(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
	l.refuseTimes(2, *refused(500, nil, `{"message":"500","code":0}`), "POST interactions/")
	l.answered(l.Slash(room0, alice, "version"), "Chimera")
	l.refuseOnce(*refused(503, nil, ``), "POST channels/"+room0)
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
}

func TestAnswersAreTriedForAsLongAsDiscordWaits(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
	l.refuseTimes(8, *refused(500, nil, `{"message":"500","code":0}`), "POST interactions/")
	l.answered(l.Slash(room0, alice, "version"), "Chimera")
	l.refuseTimes(8, *refused(503, nil, ``), "POST interactions/")
	option := map[string]any{"name": "command", "type": 3, "value": "tak", "focused": true}
	l.answered(l.Interact(room0, alice, isAutocomplete, map[string]any{"name": "help", "type": 1, "options": []any{option}}), "takeback")
	q := &asked{a: l.chat, i: &interaction{ID: "1", Token: "t"}, at: time.Now().Add(-time.Hour)}
	tries := 0
	l.Lock()
	l.Refuse = func(c call) *refusal {
		tries++
		return refused(500, nil, `{"message":"500","code":0}`)
	}
	l.Unlock()
	q.first(t.Context(), discordgo.InteractionResponseChannelMessageWithSource, nil, payload{})
	l.Lock()
	defer l.Unlock()
	if tries != 1 {
		t.Errorf("what is too late was tried %d times", tries)
	}
}

func TestThePageOfAProxyIsNotInTheLog(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Ready()
	page := "<html>" + strings.Repeat("<p>bad gateway</p>\n", 500)
	l.refuseTimes(1000, *refused(502, map[string]string{"Content-Type": "text/html"}, page), "GET guilds/")
	l.Say(room0, alice, "<@999> settings here days 2")
	l.posted("POST channels/"+room0, "manage")
	if err := l.stop(); err != nil {
		t.Log(err)
	}
	if log := l.log.String(); !strings.Contains(log, "502") || strings.Count(log, "bad gateway") > 30 {
		t.Error(log)
	}
}

func TestALimitIsKeptThatWasReached(t *testing.T) {
	l := newLimiter(nil)
	answer := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"X-Ratelimit-Remaining": {"0"}, "X-Ratelimit-Reset-After": {"3.5"}}}
	route := routeOf("POST", "/api/v9/channels/1/messages")
	if l.learn(route, answer) != nil || len(answer.Header) != 0 {
		t.Error("that was no refusal, and the library shall hear nothing of it")
	}
	if w := l.wait(route); w == nil || w.everywhere || w.after < 3*time.Second {
		t.Error(w)
	}
	if w := l.wait(routeOf("POST", "/api/v9/channels/2/messages")); w != nil {
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
		if got := routeOf("GET", path); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
}

func TestNothingIsAskedWhenABanIsNear(t *testing.T) {
	l := newLimiter(nil)
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
	if w := l.wait("GET y"); w == nil || !w.everywhere || w.after < 9*time.Minute {
		t.Error(w)
	}
	if w := l.wait("POST interactions/1/x/callback"); w == nil {
		t.Error("answers count too")
	}
}

// carrier counts requests.
type carrier struct{ asked int }

func (c *carrier) RoundTrip(*http.Request) (*http.Response, error) {
	c.asked++
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body(`{}`)}, nil
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
	l, c := newLimiter(nil), new(carrier)
	l.inner = c
	for range perSecond {
		_, _ = l.turn("GET x") // there is room for these
	}
	ctx := pausing{t.Context(), sync.OnceFunc(func() { l.close(allButAnswers, time.Minute) })}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://discord.com/api/v9/guilds/1", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	var wait *held
	if _, err := l.RoundTrip(r); !errors.As(err, &wait) || !wait.everywhere || c.asked > 0 { //nolint:bodyclose // there is none
		t.Errorf("%v, and %d were sent", err, c.asked)
	}
}

func TestATurnIsGivenOnlyWhereItComesSoon(t *testing.T) {
	l := newLimiter(nil)
	given := 0
	for range 1000 {
		wait, no := l.turn("GET x")
		switch {
		case no == nil:
			given++
		case !no.everywhere || no.after < 4*time.Second:
			t.Fatal(no)
		}
		if wait > 6*time.Second {
			t.Fatal(wait)
		}
	}
	if seconds := 5; given < perSecond || given > (seconds+1)*perSecond {
		t.Errorf("%d turns were given", given)
	}
	if _, no := l.turn("POST interactions/1/x/callback"); no != nil {
		t.Error(no)
	}
}

func TestTheGlobalLimitIsNotOneOfAnswers(t *testing.T) {
	l := newLimiter(nil)
	_ = l.learn("POST channels/1/messages", &http.Response{StatusCode: http.StatusTooManyRequests, Header: http.Header{"Retry-After": {"5"}, "X-Ratelimit-Global": {"true"}}, Body: body(`{"retry_after":5,"global":true}`)})
	if w := l.wait("GET guilds/1"); w == nil || !w.everywhere {
		t.Error(w)
	}
	if w := l.wait("POST interactions/1/x/callback"); w != nil {
		t.Error(w)
	}
}

type reader struct{ *strings.Reader }

func (reader) Close() error { return nil }

func body(text string) reader { return reader{strings.NewReader(text)} }

func TestWhatTakesLongIsPromised(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.ack = 20 * time.Millisecond })
	l.Ready()
	l.posted("PUT applications")
	hold := make(chan struct{})
	l.Lock()
	l.Hold = hold
	l.Unlock()
	l.Say(room0, alice, "<@999> settings here days 2") // asks who she is, which takes long
	id := l.Slash(room0, alice, "version")
	l.answered(id, `"type": 5`, `"flags": 64`)
	press := l.Press(room0, alice, pressable{Data: "flip 7 0", Message: "1"})
	l.answered(press, `"type": 6`)
	l.Lock()
	l.Hold = nil
	l.Unlock()
	close(hold)
	l.posted("PATCH webhooks/999/token"+id+"/messages/@original", "Chimera")
	l.posted("POST webhooks/999/token"+press, "no game #7", `"flags": 68`)
}

func TestAChannelInWhichOldMessagesCannotBeEditedIsLeftAlone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begun()
	tries := 0
	l.Lock()
	l.Refuse = func(c call) *refusal {
		if c.Has("PATCH channels/" + thread + "/messages/") {
			tries++
			l.Calls = append(l.Calls, c)
			return refused(429, nil, `{"message":"Maximum number of edits to messages older than 1 hour reached","retry_after":0.001,"global":false,"code":30046}`)
		}
		return nil
	}
	l.Unlock()
	for i, move := range []string{"f3", "e5", "g4", "a6", "a3"} {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+move))
		l.posted("PATCH channels/" + thread + "/messages/")
	}
	l.posted("3. a3", "board.png")
	l.Lock()
	defer l.Unlock()
	if tries != 1 {
		t.Errorf("tried %d times", tries)
	}
}
