package telegram

import (
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

// quietly is Telegram for an adapter that is fuzzed: it lets everything be said, and counts
// nothing.
type quietly struct{}

func (quietly) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
	}
	body := `{"ok":true,"result":true}`
	switch method := r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]; {
	case method == "getChatMember":
		body = `{"ok":true,"result":{"status":"administrator","user":{"id":1,"first_name":"x"}}}`
	case strings.HasPrefix(method, "send") && method != "sendChatAction", method == "editMessageReplyMarkup":
		body = `{"ok":true,"result":{"message_id":9,"date":1,"chat":{"id":1,"type":"private"}}}`
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// FuzzUpdates lets Telegram bring anything as an update. Nothing panics, nor in the log.
func FuzzUpdates(f *testing.F) {
	for _, seed := range []string{
		`{"update_id":1,"message":{"message_id":1,"date":1,"text":"/help@ChimeraBot","chat":{"id":-5,"type":"supergroup"},"from":{"id":1,"first_name":"alice"},"entities":[{"type":"bot_command","offset":0,"length":16}]}}`,
		`{"update_id":2,"message":{"message_id":2,"date":1,"text":"e4","chat":{"id":1,"type":"private"},"from":{"id":1,"first_name":"alice"},"reply_to_message":{"message_id":1,"date":1,"chat":{"id":1},"from":{"id":999,"is_bot":true}}}}`,
		`{"update_id":3,"callback_query":{"id":"q","from":{"id":1,"first_name":"alice"},"data":"pick 1 0 - - 0","message":{"message_id":3,"date":1,"chat":{"id":-5,"type":"supergroup"}}}}`,
		`{"update_id":4,"callback_query":{"id":"q","from":{"id":1,"first_name":"alice"},"data":"press/x","message":{"message_id":3,"date":0,"chat":{"id":-5,"type":"supergroup"}}}}`,
		`{"update_id":5,"callback_query":{"id":"q","from":{"id":1,"first_name":"alice"},"inline_message_id":"x","data":"more 1 -"}}`,
		`{"update_id":6,"my_chat_member":{"chat":{"id":-5,"type":"group"},"from":{"id":3,"first_name":"c"},"date":1,"old_chat_member":{"status":"member","user":{"id":999}},"new_chat_member":{"status":"kicked","user":{"id":999}}}}`,
		`{"update_id":7,"message":{"message_id":4,"date":1,"migrate_to_chat_id":-9,"chat":{"id":-5,"type":"group"},"from":{"id":1,"first_name":"alice"}}}`,
		`{"update_id":8,"message":{"message_id":4,"date":1,"text":"/settings here days 5","sender_chat":{"id":-5,"type":"group","title":"x"},"chat":{"id":-5,"type":"group"},"from":{"id":9,"is_bot":true,"first_name":"Group"},"entities":[{"type":"bot_command","offset":0,"length":9}]}}`,
		`{"update_id":9,"message":{"text":"/challenge 🙂 chess","chat":{"id":-5,"type":"group"},"from":{"id":1},"entities":[{"type":"bot_command","offset":0,"length":10},{"type":"text_mention","offset":11,"length":2,"user":{"id":2}},{"type":"mention","offset":9223372036854775807,"length":9223372036854775807}]}}`,
		`{"update_id":-1,"message":null}`, `{"update_id":1e3}`, `{"message":{"from":null}}`, `null`, `[]`, `{"update_id":10,"message":{"message_id":1,"forward_origin":{"type":"new"}}}`,
	} {
		f.Add([]byte(seed))
	}
	var log fake.Log
	logger := slog.New(slog.NewTextHandler(&log, nil))
	_, core := fake.NewBot(f, new(kvtest.Disk).Open("db"), time.Now, logger)
	chat, err := New(Config{Token: token, WebhookSecret: "s3"}, core, logger)
	if err != nil {
		f.Fatal(err)
	}
	chat.poller.client.Transport = quietly{} // which the library's client shares
	chat.me.ID, chat.me.Username = 999, "ChimeraBot"
	chat.post = bot.NewOutbox(core, time.Now, logger, map[string]bot.Outlet{Platform: loose{chat}})
	chat.running, chat.talking = f.Context(), f.Context()
	f.Fuzz(func(t *testing.T, update []byte) {
		l := &life{t: t, chat: chat}
		if status := l.brings("s3", string(update)); status != http.StatusOK && status != http.StatusBadRequest && status != http.StatusServiceUnavailable {
			t.Errorf("it is answered with %d", status)
		}
		if strings.Contains(log.String(), "panic") {
			t.Errorf("there was a panic: %s", log.String())
		}
		log.Reset()
	})
}
