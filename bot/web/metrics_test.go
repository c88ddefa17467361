package web

import (
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/metrics"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestAnswersAreCountedAndLooksAreNot(t *testing.T) {
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	services := bot.NewServices(store, variants.All(), time.Now, func() bool { return true })
	m := metrics.New("test")
	services.Count(m)
	site, err := New(t.Context(), bot.New(services, log, "test"), log)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler("test"))
	defer server.Close()
	shown := func() string {
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
		return w.Body.String()
	}
	visit(t, server.URL+"/", nil)
	if strings.Contains(shown(), `chimera_answer_seconds_count{platform="web"}`) {
		t.Error("who looks at a page is counted as who is answered")
	}
	visit(t, server.URL+"/", url.Values{"game": {"chess"}, "against": {"computer"}, "level": {"1"}})
	if text := shown(); !strings.Contains(text, `chimera_answer_seconds_count{platform="web"} 1`) || !strings.Contains(text, `chimera_messages_total{kind="text",platform="web"} 1`) {
		t.Errorf("of an answer is shown\n%s", text)
	}
}
