package telegram

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

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
	f.Lock()
	answers := []string{"text:Chimera", "KQkq", "No legal moves from e7"}
	for _, c := range f.Calls[before:] {
		if c.Method == "sendMessage" && len(answers) > 0 && c.Has(answers[0]) {
			answers = answers[1:]
		}
	}
	f.Unlock()
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
	f.Lock()
	f.Refuse = func(c call) *refusal {
		if refusals > 0 && (c.Method == "sendPhoto" || c.Method == "sendDocument") {
			refusals--
			return flooded(0)
		}
		return nil
	}
	f.Unlock()
	for method, text := range map[string]string{"sendPhoto": "rules stealth", "sendDocument": "mydata"} {
		l.Say(1, alice, text)
		l.Wait(text, func() bool { return count(f.Calls, method+" ") > 0 })
	}
	f.Lock()
	defer f.Unlock()
	texts := map[string]int{}
	for _, c := range f.Calls {
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
			f.Lock()
			f.Refuse = func(r call) *refusal {
				switch {
				case r.Method == "editMessageReplyMarkup" && r.Fields["message_id"] == strconv.Itoa(board):
					tries++
					return c.no
				case c.chat == moved && r.Fields["chat_id"] == strconv.Itoa(group):
					return c.no
				}
				return nil
			}
			f.Unlock()
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
	l.Lock()
	defer l.Unlock()
	said := map[string]int{}
	for _, c := range l.Calls {
		if c.Number != 0 && c.Fields["reply_parameters"] != "" {
			said[c.Fields["text"]+c.Fields["caption"]]++
		}
	}
	return said
}

// TestWhatComesAgainIsAnsweredOnce lets Telegram give out again what was answered: while
// the program runs, and when it has begun again.
func TestWhatComesAgainIsAnsweredOnce(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	begins(l, variants.All()[0])
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
	}
}

func TestWhatTelegramBringsAgainIsAnsweredOnce(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{}, func(c *Config) {
		c.WebhookURL, c.WebhookListen, c.WebhookSecret = "https://example.org/hook", "127.0.0.1:0", "s3"
	})
	l.Wait("the webhook", func() bool {
		return count(f.Calls, "setWebhook ") > 0
	})
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
