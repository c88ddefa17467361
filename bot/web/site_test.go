package web

import (
	"bufio"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/rules/phrase/phrasetest"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// open is a site on a new database.
func open(t testing.TB) *httptest.Server {
	t.Helper()
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	services := bot.NewServices(store, variants.All(), time.Now, func() bool { return true })
	site, err := New(t.Context(), bot.New(services, log, "test"), log)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler("test"))
	t.Cleanup(func() {
		server.CloseClientConnections() // streams end
		server.Close()
	})
	return server
}

// visit asks for a page, or posts a form where there is one, and is its status and text.
func visit(t testing.TB, address string, form url.Values, headers ...string) (int, string) {
	t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func begins(t *testing.T, at string) {
	t.Helper()
	status, text := visit(t, at, url.Values{"game": {"chess"}, "against": {"guest"}, "color": {"white"}})
	if status != http.StatusOK || !strings.Contains(text, `data-game="1"`) {
		t.Fatalf("%d: %s", status, text)
	}
}

func TestWordsAreTheSameInEachLanguage(t *testing.T) { phrasetest.Same(t, book) }

func TestAGameIsPlayedWithoutScripts(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	for i, move := range []string{"f3", "e5", "g4", "Qh4"} {
		_, text := visit(t, at+"/game/1", url.Values{"text": {move}})
		if want := `aria-current="true">`; !strings.Contains(text, move) || !strings.Contains(text, want) {
			t.Errorf("after move %d: %s", i+1, text)
		}
	}
	if _, text := visit(t, at+"/game/1", nil); !strings.Contains(text, "checkmate") || !strings.Contains(text, "Rematch") {
		t.Errorf("in the end: %s", text)
	}
}

func TestAMoveThatIsSentTwiceIsPlayedOnce(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	for range 2 {
		visit(t, at+"/game/1", url.Values{"press": {"play 1 0 e2e4"}, "key": {"one"}, "as": {"host"}})
	}
	if _, text := visit(t, at+"/game/1", nil); !strings.Contains(text, `data-last="1"`) || strings.Contains(text, "<article>") {
		t.Error(text)
	}
}

func TestWhatCannotBeDoneIsSaidOnThePage(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	for _, c := range []struct {
		path string
		form url.Values
		want string
	}{
		{"/game/1", url.Values{"text": {"e5"}}, "e5"},
		{"/game/1", url.Values{"press": {"play 1 0 e7e5"}}, "<article>"},
		{"/game/1", url.Values{"press": {"nonsense"}}, "<article>"},
		{"/game/77", nil, "#77"},
		{"/", url.Values{"game": {"checkers"}, "against": {"3"}}, "checkers"},
	} {
		if _, text := visit(t, at+c.path, c.form); !strings.Contains(text, c.want) || !strings.Contains(text, "<article>") {
			t.Errorf("%s %v: no %q in %s", c.path, c.form, c.want, text)
		}
	}
}

func TestOtherSitesCanDoNothing(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	move := url.Values{"text": {"e4"}}
	if status, _ := visit(t, at+"/game/1", move, "Origin", "https://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("a form of another site is answered %d", status)
	}
	if status, _ := visit(t, at+"/game/1", nil, "Host", "elsewhere.example"); status != http.StatusMisdirectedRequest {
		t.Errorf("another name is answered %d", status)
	}
	if _, text := visit(t, at+"/game/1", nil); !strings.Contains(text, `data-last="0"`) {
		t.Error("a move was played")
	}
}

func TestAStreamTellsOfEachChangeAndFirstHowThingsStand(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	listen := func() (read func() string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/game/1/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		lines := bufio.NewScanner(answer.Body)
		return func() string {
			for lines.Scan() {
				if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
					return data
				}
			}
			return "nothing"
		}
	}
	first := listen()
	before := first()
	visit(t, at+"/game/1", url.Values{"text": {"e4"}})
	after := first()
	if before == after {
		t.Errorf("revision %s is followed by %s", before, after)
	}
	if got := listen()(); got != after {
		t.Errorf("who comes back hears of %s, want %s", got, after)
	}
}
