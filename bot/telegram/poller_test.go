package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/rules/variants"
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
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = p.run(ctx, receive) // that it was ended
	}()
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
	kvtest.Must(t, err)
	said, err := io.ReadAll(answer.Body)
	kvtest.Must(t, errors.Join(err, answer.Body.Close()))
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

// TestAnswersThatWaitOutliveTheProgram ends it while a group wants to hear nothing.
func TestAnswersThatWaitOutliveTheProgram(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	board := begins(l, variants.All()[0])
	refuses(f, flooded(endless), fmt.Sprintf("chat_id:%d ", group))
	l.Say(group, alice, "/version")
	l.Say(group, alice, "/fen")
	l.Say(group, bob, "/moves e7")
	l.Press(group, alice, board, "board 1 -")
	l.Wait("all to be confirmed", func() bool { return f.Pending() == 0 })
	l.stopped()
	f.Lock()
	f.Refuse = nil
	before := len(f.Calls)
	f.Unlock()
	again := live(t, f, disk)
	again.Wait("the board", func() bool {
		return slices.ContainsFunc(f.Calls[before:], func(c call) bool { return c.Has("sendPhoto", "to move by") })
	})
	answers := []string{"text:Chimera", "KQkq", "No legal moves from e7"}
	for _, c := range again.calls(before) {
		if c.Method == "sendMessage" && len(answers) > 0 && c.Has(answers[0]) {
			answers = answers[1:]
		}
	}
	if len(answers) > 0 {
		t.Errorf("it was not answered in order: %v", answers)
	}
	again.stopped()
	last := live(t, f, disk)
	if kept, err := last.chat.state.Names(t.Context(), inbox); err != nil || len(kept) > 0 {
		t.Errorf("still kept are %v, %v", kept, err)
	}
}

func TestWhatWasSaidOfAnAnswerIsNotSaidAgain(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	refusals := 2
	f.Look(func(c call) *refusal {
		if refusals > 0 && (c.Method == "sendPhoto" || c.Method == "sendDocument") {
			refusals--
			return flooded(0)
		}
		return nil
	})
	for method, text := range map[string]string{"sendPhoto": "rules stealth", "sendDocument": "mydata"} {
		l.Say(1, alice, text)
		l.requested(method + " ")
	}
	texts := map[string]int{}
	for _, c := range l.calls(0) {
		if c.Method == "sendMessage" {
			texts[c.Fields["text"]]++
		}
	}
	for text, n := range texts {
		if n > 1 {
			t.Errorf("said %d times: %s", n, text)
		}
	}
}

func TestAPickerThatCannotReplaceTheButtonsComesInItsOwnMessage(t *testing.T) {
	const moved = -777
	for name, c := range map[string]struct {
		no   *refusal
		chat int64
	}{
		"flooded": {flooded(30 * time.Second), group},
		"moved":   {refused(400, "Bad Request: group chat was upgraded to a supergroup chat", `"migrate_to_chat_id":-777`), moved},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			l := live(t, f, &kvtest.Disk{})
			l.Say(2, bob, "hello")
			l.posted("Hello!")
			l.Say(group, alice, "/challenge @bob chess white")
			l.Say(group, bob, "/accept")
			board := l.posted("sendPhoto", "to move by")
			tries := 0
			f.Look(func(r call) *refusal {
				switch {
				case r.Method == "editMessageReplyMarkup" && r.Fields["message_id"] == strconv.Itoa(board):
					tries++
					return c.no
				case c.chat == moved && r.Fields["chat_id"] == strconv.Itoa(group):
					return c.no
				}
				return nil
			})
			l.Press(group, alice, board, "pick 1 0 - - 0")
			l.posted("sendMessage", "Which piece", fmt.Sprint("chat_id:", c.chat))
			f.Lock()
			defer f.Unlock()
			if tries != 1 {
				t.Errorf("tried %d times", tries)
			}
		})
	}
}

// answers are the texts that people were answered with, by how often.
func (l *life) answers() map[string]int {
	said := map[string]int{}
	for _, c := range l.calls(0) {
		if c.Number != 0 && c.Fields["reply_parameters"] != "" {
			said[c.Fields["text"]+c.Fields["caption"]]++
		}
	}
	return said
}

// TestWhatComesAgainIsAnsweredOnce lets Telegram give out again what was played and answered: while
// the program runs, and when it has begun again.
func TestWhatComesAgainIsAnsweredOnce(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Say(group, alice, "e4", replyTo(begins(l, variants.All()[0])))
	l.posted("sendPhoto", "1. e4")
	for _, text := range []string{"/help", "/status", "/move e5", "/moves e2", "/board"} {
		l.Say(group, alice, text)
	}
	l.Say(group, alice, "/version")
	l.posted("text:Chimera", "chat_id:-500")
	l.Wait("all to be confirmed", func() bool { return l.Pending() == 0 })
	for _, again := range []string{"while it runs", "when it has begun again"} {
		if again != "while it runs" {
			l.stopped()
		}
		f.Lock()
		f.Again()
		f.Unlock()
		if again != "while it runs" {
			l = live(t, f, disk)
		}
		l.Say(1, alice, "/version")
		l.posted("text:Chimera", "chat_id:1")
		l.Wait("all to be confirmed", func() bool { return l.Pending() == 0 })
		for text, n := range l.answers() {
			if n > 1 && text != "Chimera" {
				t.Errorf("%s: said %d times: %s", again, n, text)
			}
		}
		told := slices.DeleteFunc(l.calls(0), func(c call) bool { return c.Fields["reply_parameters"] != "" })
		if n := count(told, "sendPhoto", "1. e4"); n != 1 {
			t.Errorf("%s: a move was told %d times", again, n)
		}
	}
}

func TestWhatTelegramBringsAgainIsAnsweredOnce(t *testing.T) {
	l := hooked(t)
	update := func(n int, text string) string {
		return fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":1,"type":"private"},"from":{"id":1,"first_name":"alice"}}}`, n, n, text)
	}
	for i, text := range []string{"help", "status", "e4"} {
		for range 3 {
			if status := l.brings("s3", update(7+i, text)); status != http.StatusOK {
				t.Errorf("%s is answered with %d", text, status)
			}
		}
	}
	for text, n := range l.answers() {
		if n > 1 {
			t.Errorf("said %d times: %s", n, text)
		}
	}
}
