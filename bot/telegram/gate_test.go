package telegram

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"chimera/storage/kv/kvtest"
)

// answeringAll is an HTTP client's transport that has one answer, and counts who asks.
type answeringAll struct {
	body  string
	asked chan struct{}
}

func (a *answeringAll) RoundTrip(*http.Request) (*http.Response, error) {
	a.asked <- struct{}{}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func TestNothingIsConfirmedBeforeItWasHandled(t *testing.T) {
	telegram := &answeringAll{`{"ok":true,"result":[{"update_id":1},{"update_id":2}]}`, make(chan struct{}, 1)}
	g := newGate(&http.Client{Transport: telegram}, time.Now)
	ask := func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/bot1:x/getUpdates", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := g.Do(r)
		if err == nil {
			err = answer.Body.Close()
		}
		return err
	}
	if err := ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-telegram.asked
	for range 2 {
		ended, end := context.WithCancel(t.Context())
		end()
		if err := ask(ended); err == nil {
			t.Fatal("more was asked for while updates were not handled")
		}
		if len(telegram.asked) > 0 {
			t.Fatal("Telegram was asked")
		}
		g.done()
	}
	if err := ask(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(telegram.asked) != 1 {
		t.Error("Telegram was not asked again")
	}
}

func TestNumbersOfUpdatesMayFallAfterAWeek(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "help")
	l.posted("this list")
	l.Wait("it to be confirmed", func() bool { return l.Pending() == 0 })
	now := time.Now().Add(quiet + time.Hour)
	g := l.chat.gate
	g.mu.Lock()
	g.now = func() time.Time { return now }
	g.mu.Unlock()
	l.Lock()
	l.Restart(7)
	l.Unlock()
	l.Say(1, alice, "version")
	l.posted("text:Chimera")
}
