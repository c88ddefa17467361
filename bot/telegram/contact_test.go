package telegram

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// line is a line to Telegram on which answers are given by hand.
type line struct{ answers chan answered }

// answered is the status of an answer, or why there is none.
type answered struct {
	status int
	err    error
}

// RoundTrip implements [http.RoundTripper].
func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{})
	a := <-l.answers
	if a.err != nil {
		return nil, a.err
	}
	body := io.NopCloser(strings.NewReader(`{"ok":true,"result":[]}`))
	return &http.Response{StatusCode: a.status, Status: http.StatusText(a.status), Body: body, Header: http.Header{}}, nil
}

// TestTheBotKnowsWhetherTelegramGivesUpdatesOut asks for updates again and again, each time for
// as long as nothing is new.
func TestTheBotKnowsWhetherTelegramGivesUpdatesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := line{make(chan answered)}
		joined := 0
		a := &Adapter{poller: newPoller(&http.Client{Transport: l}, time.Now, slog.New(slog.DiscardHandler))}
		a.poller.contact.joined = func() { joined++ }
		a.poller.fatal = func(error) {}
		is := func(step, want string, times int) {
			t.Helper()
			synctest.Wait()
			got := ""
			if err := a.Connected(); err != nil {
				got = err.Error()
			}
			if got != want || joined != times {
				t.Errorf("%s: it says %q and was connected %d times; want %q, %d", step, got, joined, want, times)
			}
		}
		asked := make(chan struct{})
		ask := func() {
			go func() {
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/bot1:secret/getUpdates", strings.NewReader(""))
				if err != nil {
					t.Error(err)
				} else if answer, err := a.poller.Do(r); err == nil {
					_ = answer.Body.Close()
				}
				asked <- struct{}{}
			}()
		}
		hears := func(status int, err error) {
			ask()
			l.answers <- answered{status, err}
			<-asked
		}
		is("at first", "telegram: not reached yet", 0)
		a.poller.contact.up()
		is("when it knows who it is", "", 1)
		hears(http.StatusOK, nil)
		is("when nothing is new", "", 1)
		hears(http.StatusBadGateway, nil)
		is("when it is refused", "telegram: it has answered Bad Gateway", 1)
		hears(http.StatusConflict, nil)
		is("when somebody else asks", "telegram: another program asks for this bot's updates", 1)
		hears(0, &url.Error{Op: "Post", URL: "http://bot1:secret", Err: errors.New("no route")})
		is("when nobody is there", "telegram: no route", 1)

		ask()
		is("when nothing was answered yet", "telegram: no route", 1)
		time.Sleep(taken + 1)
		is("when that lasts, since a refusal comes at once", "", 1)
		l.answers <- answered{status: http.StatusOK}
		<-asked
		is("when nothing was new after all", "", 2)
	})
}
