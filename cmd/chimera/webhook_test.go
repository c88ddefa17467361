package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/storage/etcd/etcdtest"
)

// bring brings an update to a webhook, and returns with what status that is answered.
func bring(t *testing.T, listen, secret string, update int, text string) int {
	t.Helper()
	body := fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1,"text":%q,"chat":{"id":-7,"type":"group"},`+
		`"from":{"id":%d,"first_name":"p%d"},"entities":[{"type":"bot_command","offset":0,"length":%d}]}}`,
		update, update, text, update%2+1, update%2, len(strings.Fields(text)[0]))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+listen+"/hook", strings.NewReader(body))
	must(t, err)
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0 // nobody listens there yet
	}
	must(t, answer.Body.Close())
	return answer.StatusCode
}

// TestEachProcessTakesWhatTelegramBrings lets one of two bots set the webhook, and brings each update to
// both, now to one of them first and now to the other.
func TestEachProcessTakesWhatTelegramBrings(t *testing.T) {
	t.Parallel()
	data := etcdtest.Start(t, 1, nil).Address("chimera")
	g := fake.NewTelegram(t)
	var addresses []string
	for range 2 {
		listen := freeAddress(t)
		onChats(t, data, nil, g,
			"--telegram-webhook-url", "http://127.0.0.1:1/hook", "--telegram-webhook-listen", listen, "--telegram-webhook-secret", "s3cret")
		until(t, "a webhook at "+listen, func() int { return bring(t, listen, "guess", 1, "/challenge stealth") }, func(status int) bool { return status == http.StatusUnauthorized })
		addresses = append(addresses, listen)
	}
	for i, text := range []string{"/challenge chess white", "/accept", "/move e4", "/move e5", "/move Nf3"} {
		for n := range addresses {
			if status := bring(t, addresses[(i+n)%2], "s3cret", 2+i, text); status != http.StatusOK {
				t.Fatalf("%s is answered with %d", text, status)
			}
		}
	}
	g.Posted("sendPhoto", "Chess #1", "2. Nf3")
	g.Wait("each move once, and one who sets the webhook", func() bool {
		set := 0
		for _, c := range g.Calls {
			if c.Has("Stealth") || c.Has("#2") || c.Has("isn't your turn") || c.Method == "getUpdates" {
				t.Fatalf("there was %v", c)
			}
			if c.Method != "setWebhook" {
				continue
			}
			if set++; set > 1 || !c.Has("secret_token:s3cret", "/hook") {
				t.Fatalf("time %d that it is set: %v", set, c)
			}
		}
		return set == 1
	})
}
