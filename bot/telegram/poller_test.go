package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/storage/kv/kvtest"
)

// line is a line to Telegram on which answers are given by hand.
type line struct {
	asked   chan url.Values // what is asked for
	answers chan answered
}

// answered is an answer, or why there is none.
type answered struct {
	status int
	body   string
	err    error
}

// RoundTrip implements [http.RoundTripper].
func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	l.asked <- form
	var a answered
	select {
	case a = <-l.answers:
	case <-r.Context().Done():
		a.err = r.Context().Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	return &http.Response{StatusCode: a.status, Status: http.StatusText(a.status), Body: io.NopCloser(strings.NewReader(a.body)), Header: http.Header{}}, nil
}

// polling runs a poller whose answers are given by hand, and which gives updates to receive. It ends with
// the test.
func polling(t *testing.T, receive func(*models.Update, func())) (p *poller, l line) {
	l = line{make(chan url.Values, 1), make(chan answered)}
	p = &poller{client: &http.Client{Transport: l}, address: "http://127.0.0.1/bot1:secret/getUpdates", log: slog.New(slog.DiscardHandler), joined: func() {}}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- p.run(ctx, receive) }()
	t.Cleanup(func() {
		end()
		<-ended
	})
	return p, l
}

func TestNothingIsConfirmedBeforeItWasHandled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		taken := make(chan func(), 3)
		_, l := polling(t, func(_ *models.Update, done func()) { taken <- done })
		if from := (<-l.asked).Get("offset"); from != "0" {
			t.Errorf("at first it asks for what comes from %s on", from)
		}
		l.answers <- answered{http.StatusOK, `{"ok":true,"result":[{"update_id":7},{"update_id":8,"message":{"forward_origin":{"type":"new"}}},{"update_id":9}]}`, nil}
		for range 3 {
			done := <-taken
			synctest.Wait()
			if len(l.asked) > 0 {
				t.Fatal("more was asked for while updates were not handled")
			}
			done()
		}
		if from := (<-l.asked).Get("offset"); from != "10" {
			t.Errorf("then it asks for what comes from %s on", from)
		}
	})
}

func TestNumbersOfUpdatesMayFallAfterAWeek(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, l := polling(t, func(_ *models.Update, done func()) { done() })
		asked := func(after time.Duration, answer, want string) {
			t.Helper()
			if from := (<-l.asked).Get("offset"); from != want {
				t.Errorf("it asks for what comes from %s on, want %s", from, want)
			}
			time.Sleep(after)
			l.answers <- answered{http.StatusOK, `{"ok":true,"result":[` + answer + `]}`, nil}
		}
		asked(0, `{"update_id":99}`, "0")
		asked(quiet/2, "", "100")
		asked(quiet, "", "100")
		asked(0, `{"update_id":7}`, "0")
		asked(0, "", "8")
	})
}

// TestWhoWasThereFirstKeepsTheToken lets others ask for updates too, for a while.
func TestWhoWasThereFirstKeepsTheToken(t *testing.T) {
	const step = 5 * time.Second
	for name, c := range map[string]struct {
		alone, contested, calm time.Duration // before others ask, for how long they do, and between two times
		lost                   bool
	}{
		"somebody asks once":                         {0, 0, 0, false},
		"the program before ends in time":            {0, contest - step, 0, false},
		"a second program gives way":                 {0, contest, 0, true},
		"the first one stays for longer":             {2 * contest, 2*contest - step, 0, false},
		"but not for ever":                           {2 * contest, 2 * contest, 0, true},
		"somebody asks now and then, and is let ask": {0, 10 * contest, calm + step, false},
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
			r := rivals{begun: now}
			lost := false
			now = now.Add(c.alone)
			for until := now.Add(c.contested); !now.After(until); now = now.Add(max(step, c.calm)) {
				lost, _ = r.meet(now)
			}
			if lost != c.lost {
				t.Errorf("the token is lost: %v, want %v", lost, c.lost)
			}
		})
	}
}

// TestTheBotKnowsWhetherTelegramGivesUpdatesOut asks for updates again and again.
func TestTheBotKnowsWhetherTelegramGivesUpdatesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		joined := 0
		p, l := polling(t, nil)
		a := &Adapter{poller: p}
		p.joined = func() { joined++ }
		long := fmt.Sprint(pollTimeout.Seconds())
		for _, c := range []struct {
			step   string
			waits  string // how long Telegram may wait for something new
			hears  answered
			want   string
			joined int
		}{
			{"when nothing is new", long, answered{status: http.StatusOK}, "", 0},
			{"when it is refused", long, answered{status: http.StatusBadGateway}, "telegram: it has answered Bad Gateway", 0},
			{"when somebody else asks", "0", answered{status: http.StatusConflict}, "telegram: another program asks for this bot's updates", 0},
			{"when nobody is there", "0", answered{err: &url.Error{Op: "Post", URL: "http://bot1:secret", Err: errors.New("no route")}}, "telegram: no route", 0},
			{"when nothing is new after all", "0", answered{status: http.StatusOK}, "", 1},
			{"when it is to wait", long, answered{status: http.StatusTooManyRequests}, "telegram: it has answered Too Many Requests", 1},
			{"when that is no answer", "0", answered{status: http.StatusOK, body: `{"ok":false}`}, "telegram: it has answered OK", 1},
			{"when the token is taken back", "0", answered{status: http.StatusUnauthorized}, "telegram: it has answered Unauthorized", 1},
		} {
			if waits := (<-l.asked).Get("timeout"); waits != c.waits {
				t.Errorf("%s: Telegram may wait for %s s, not %s", c.step, waits, c.waits)
			}
			if c.hears.body == "" {
				c.hears.body = `{"ok":true,"result":[]}`
			}
			l.answers <- c.hears
			synctest.Wait()
			got := ""
			if err := a.Connected(); err != nil {
				got = err.Error()
			}
			if got != c.want || joined != c.joined {
				t.Errorf("%s: it says %q and was connected %d times; want %q, %d", c.step, got, joined, c.want, c.joined)
			}
		}
	})
}

// TestABotAsksAgainOnceAnotherHasAskedForUpdates lets somebody else ask while a request of the bot's
// waits, which ends that, as it does where a bot takes over from one that stands still.
func TestABotAsksAgainOnceAnotherHasAskedForUpdates(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "help")
	l.posted("Start a game")
	l.Wait("a request that waits", func() bool { return l.Pending() == 0 })
	answer, err := http.PostForm(l.URL+"/bot"+token+"/getUpdates", nil) // until the bot asks again
	if err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != http.StatusConflict || !strings.Contains(string(said), "terminated by other getUpdates request") {
		t.Errorf("whoever has asked before is answered %s: %s", answer.Status, said)
	}
	l.Lock()
	if l.Conflicts < 2 {
		t.Errorf("%d requests were ended, and not that of the bot and that of the other", l.Conflicts)
	}
	l.Unlock()
	l.Say(1, alice, "version")
	l.posted("text:Chimera")
}
