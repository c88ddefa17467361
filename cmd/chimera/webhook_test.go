package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
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

// TestUpdatesComeByWebhook lets Telegram bring updates to the program, some of them twice.
func TestUpdatesComeByWebhook(t *testing.T) {
	t.Parallel()
	listen := freeAddress(t)
	g := fake.NewTelegram(t)
	program := onChats(t, filepath.Join(t.TempDir(), "hook.db"), nil, g,
		"--telegram-webhook-url", "http://"+listen+"/hook", "--telegram-webhook-listen", listen, "--telegram-webhook-secret", "s3cret")
	g.Wait("the webhook", func() bool {
		return slices.ContainsFunc(g.Calls, func(c fake.Call) bool { return c.Has("setWebhook", "secret_token:s3cret", "/hook") })
	})
	if status := bring(t, listen, "guess", 2, "/challenge stealth"); status != http.StatusUnauthorized {
		t.Errorf("a stranger is answered with %d", status)
	}
	for i, text := range []string{"/challenge chess white", "/accept", "/move e4", "/move e5", "/move Nf3"} {
		for range 2 {
			if status := bring(t, listen, "s3cret", 2+i, text); status != http.StatusOK {
				t.Fatalf("%s is answered with %d", text, status)
			}
		}
	}
	g.Posted("sendPhoto", "Chess #1", "2. Nf3")
	g.Wait("each move once", func() bool {
		for _, c := range g.Calls {
			if c.Has("Stealth") || c.Has("#2") || c.Has("isn't your turn") || c.Method == "getUpdates" {
				t.Fatalf("there was %v", c)
			}
		}
		return true
	})
	program.kill()
}

// TestEachProcessTakesWhatTelegramBrings lets one of two bots set the webhook, and brings updates to
// both in turn.
func TestEachProcessTakesWhatTelegramBrings(t *testing.T) {
	t.Parallel()
	data := etcdtest.Start(t, 1, nil).Address("chimera")
	g := fake.NewTelegram(t)
	var addresses []string
	for range 2 {
		listen := freeAddress(t)
		onChats(t, data, nil, g,
			"--telegram-webhook-url", "http://127.0.0.1:1/hook", "--telegram-webhook-listen", listen, "--telegram-webhook-secret", "s3cret")
		until(t, "a webhook at "+listen, func() int { return bring(t, listen, "guess", 1, "/help") }, func(status int) bool { return status == http.StatusUnauthorized })
		addresses = append(addresses, listen)
	}
	for i, text := range []string{"/challenge chess white", "/accept", "/move e4", "/move e5", "/move Nf3"} {
		if status := bring(t, addresses[i%2], "s3cret", 2+i, text); status != http.StatusOK {
			t.Fatalf("%s is answered with %d", text, status)
		}
	}
	g.Posted("sendPhoto", "Chess #1", "2. Nf3")
	g.Wait("one who sets the webhook", func() bool {
		set := 0
		for _, c := range g.Calls {
			if c.Method == "setWebhook" {
				set++
			}
		}
		if set > 1 {
			t.Fatalf("it was set %d times", set)
		}
		return set == 1
	})
}
