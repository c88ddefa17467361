package telegram

import (
	"context"
	"errors"
	"io"
	"log/slog"
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
	g := newPoller(&http.Client{Transport: telegram}, time.Now, slog.New(slog.DiscardHandler))
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
	l.posted("Start a game")
	l.Wait("it to be confirmed", func() bool { return l.Pending() == 0 })
	now := time.Now().Add(quiet + time.Hour)
	g := l.chat.poller
	g.mu.Lock()
	g.now = func() time.Time { return now }
	g.mu.Unlock()
	l.Lock()
	l.Restart(7)
	l.Unlock()
	l.Say(1, alice, "version")
	l.posted("text:Chimera")
}

// conflict is what Telegram says while another program asks for updates.
const conflict = `{"ok":false,"error_code":409,"description":"Conflict: terminated by other getUpdates request"}`

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
			g := newPoller(nil, func() time.Time { return now }, slog.New(slog.DiscardHandler))
			var why error
			g.fatal = func(err error) { why = err }
			now = now.Add(c.alone)
			for until := now.Add(c.contested); !now.After(until); now = now.Add(max(step, c.calm)) {
				if _, err := g.look(t.Context(), &http.Response{StatusCode: http.StatusConflict}, []byte(conflict)); !errors.Is(err, errConflict) {
					t.Fatalf("it is answered with %v", err)
				}
			}
			if lost := errors.Is(why, errConflict); lost != c.lost {
				t.Errorf("the token is lost: %v, want %v", lost, c.lost)
			}
		})
	}
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
