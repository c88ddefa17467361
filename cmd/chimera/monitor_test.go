package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot/fake"
	"chimera/bot/metrics"
	"chimera/config"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// scraped are the samples of a process's metrics, by name and labels as Prometheus reads them.
type scraped map[string]float64

// sum adds up the samples of a metric that have all of some labels, each as in kind="board".
func (s scraped) sum(name string, labels ...string) (total float64) {
	for sample, value := range s {
		metric, rest, _ := strings.Cut(sample, "{")
		fits := metric == name
		for _, l := range labels {
			fits = fits && strings.Contains(rest, l)
		}
		if fits {
			total += value
		}
	}
	return total
}

// look gets a page; while nobody listens, the status is 0 and the text says why.
func look(address string) (status int, text string) {
	answer, err := http.Get(address)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, err.Error()
	}
	return answer.StatusCode, string(body)
}

// readiness is what a process's /readyz says.
func readiness(address string) func() string {
	return func() string {
		status, text := look(address + "/readyz")
		return fmt.Sprint(status, " ", text)
	}
}

func scrape(t *testing.T, address string) scraped {
	t.Helper()
	status, text := look(address + "/metrics")
	if status != http.StatusOK {
		t.Fatalf("metrics: status %d, %s", status, text)
	}
	found := scraped{}
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		name, value, ok := strings.Cut(lines.Text(), " ")
		if i := strings.LastIndex(lines.Text(), "} "); i >= 0 {
			name, value = lines.Text()[:i+1], lines.Text()[i+2:]
		}
		if strings.HasPrefix(name, "#") || !ok {
			continue
		}
		number, err := strconv.ParseFloat(value, 64)
		must(t, err)
		found[name] = number
	}
	return found
}

// until asks again and again, until what is found is right.
func until[T any](t *testing.T, what string, look func() T, right func(T) bool) T {
	t.Helper()
	late := time.Now().Add(30 * time.Second)
	for {
		found := look()
		switch {
		case right(found):
			return found
		case time.Now().After(late):
			t.Fatalf("%s did not happen: %v", what, found)
		}
	}
}

// observed is a bot in both chats, as serve wires it, with what its operators see.
type observed struct {
	parts
	t       *testing.T
	discord *fake.Discord
	chat    *fake.Telegram
	disk    *fillable
	store   *storage.Store
	health  *health
	address string
	done    chan error // closed once it has ended
}

func observe(t *testing.T, c clock, log slog.Handler) *observed {
	t.Helper()
	d, g := fake.NewDiscord(t), fake.NewTelegram(t)
	var memory kvtest.Disk
	o := &observed{t: t, discord: d, chat: g, disk: &fillable{DB: memory.Open("db"), commit: make(chan struct{}, 1)}, done: make(chan error, 1)}
	m := metrics.New("test")
	var err error
	o.store, err = storage.Open(t.Context(), o.disk)
	must(t, err)
	o.store.Observe(m)
	o.parts = newParts(o.store, slog.New(log), c, 1, m)
	chats := &serve{Chats: config.Chats{
		DiscordToken: fake.DiscordToken, DiscordAPIURL: d.URL, TelegramToken: fake.Token, TelegramAPIURL: g.URL,
	}}
	all, err := chats.supervisors(o.parts)
	must(t, err)
	o.health = &health{}
	server := httptest.NewServer(watched(m, o.health))
	o.address = server.URL
	o.says("503 the database is being opened\n")
	o.health.at.Store(&work{all, &trial{write: o.bot.Maintenance.Probe}, o.roles})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		o.done <- o.work(ctx, all, nil)
		close(o.done)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-o.done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		server.Close()
	})
	return o
}

// says waits until /readyz says something.
func (o *observed) says(words string) {
	o.t.Helper()
	said := until(o.t, "/readyz with "+words, readiness(o.address), func(said string) bool { return strings.Contains(said, words) })
	if strings.Count(said, "\n") != 1 {
		o.t.Errorf("it says %q", said)
	}
}

// tryAgain lets the next question find out anew whether anything can be kept.
func (o *observed) tryAgain() {
	o.health.at.Load().storage.mu.Lock()
	defer o.health.at.Load().storage.mu.Unlock()
	o.health.at.Load().storage.begun = time.Time{}
}

func TestEachMetricMovesWhenItsThingHappens(t *testing.T) {
	t.Parallel()
	o := observe(t, wall(), slog.DiscardHandler)
	o.discord.Ready() // a shard that is not taken yet counts as another process's
	o.says("200 ok\n")
	before := scrape(t, o.address)
	if n := before.sum("chimera_connects_total"); n != 2 {
		t.Errorf("platforms were reached %v times", n)
	}
	alice := fake.Users()[0]
	limited := false
	o.chat.Look(func(c fake.Call) *fake.Refusal {
		if limited || c.Method != "sendPhoto" {
			return nil
		}
		limited = true
		return &fake.Refusal{Status: http.StatusTooManyRequests, Body: `{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 1","parameters":{"retry_after":1}}`}
	})
	offer, _ := begun(o.discord, o.chat, "chess")
	o.chat.Posted("sendPhoto", "chat_id:2", "alice</b> (White) to move")
	o.discord.Posted("/messages", "Chess #1", "Move")
	o.discord.Slash(offer.ID, alice, "move", "move=e5")
	o.discord.Slash(offer.ID, alice, "move", "move=e4")
	o.chat.Posted("sendPhoto", "chat_id:2", "1. e4")
	o.discord.Posted("/messages", "1. e4")
	o.chat.Say(bob.ID, bob, "Nc6")
	o.discord.Posted("/messages", "1… Nc6")
	o.discord.Slash(fake.Channel, alice, "top")
	o.discord.Drop()

	after := until(t, "a change of every metric", func() scraped { return scrape(t, o.address) }, func(now scraped) bool {
		return now.sum("chimera_outbox_waiting") == 0 && now.sum("chimera_connects_total", `platform="discord"`) == 2 && now.sum("chimera_connected") == 2 &&
			now.sum("chimera_announcement_seconds_count", `kind="board"`) >= 5
	})
	for _, c := range []struct {
		least  float64
		name   string
		labels []string
	}{
		{4, "chimera_messages_total", []string{`platform="discord"`, `kind="text"`}},
		{2, "chimera_messages_total", []string{`platform="telegram"`, `kind="text"`}},
		{2, "chimera_moves_total", []string{`game="chess"`, `by="person"`}},
		{1, "chimera_refusals_total", []string{`reason="cannot_reach"`}},
		{4, "chimera_answer_seconds_count", []string{`platform="discord"`}},
		{2, "chimera_answer_seconds_count", []string{`platform="telegram"`}},
		{3, "chimera_announcement_seconds_count", []string{`platform="discord"`, `kind="board"`}},
		{1, "chimera_announcement_seconds_count", []string{`platform="discord"`, `kind="line"`}},
		{2, "chimera_announcement_seconds_count", []string{`platform="telegram"`, `kind="board"`}},
		{2, "chimera_render_seconds_count", []string{`kind="board"`}},
		{1, "chimera_requests_total", []string{`platform="telegram"`, `code="429"`}},
		{1, "chimera_requests_total", []string{`platform="discord"`, `code="200"`}},
		{10, "chimera_commit_seconds_count", nil},
		{.001, "process_cpu_seconds_total", nil},
		{1, "go_goroutines", nil},
		{1, "chimera_build_info", []string{`version="test"`}},
	} {
		rise := after.sum(c.name, c.labels...)
		if strings.HasPrefix(c.name, "chimera_") && c.name != "chimera_build_info" {
			rise -= before.sum(c.name, c.labels...)
		}
		if rise < c.least {
			t.Errorf("%s %v rose by %v; want %v at least", c.name, c.labels, rise, c.least)
		}
	}
	if n := after.sum("chimera_conflicts_total") + after.sum("chimera_unsaved_total") + after.sum("chimera_failures_total"); n != 0 {
		t.Errorf("there are %v conflicts and failures", n)
	}
	o.disk.full.Store(true)
	o.chat.Say(bob.ID, bob, "/challenge @alice stealth")
	o.chat.Posted("chat_id:2", "I can't save anything right now")
	now := scrape(t, o.address)
	if now.sum("chimera_failures_total", `platform="telegram"`) != 1 || now.sum("chimera_unsaved_total") == 0 {
		t.Errorf("of what could not be saved is counted %v, and %v of its transactions", now.sum("chimera_failures_total"), now.sum("chimera_unsaved_total"))
	}
}

func TestReadyIsWhoIsInAllChatsAndCanKeepSomething(t *testing.T) {
	t.Parallel()
	o := observe(t, wall(), slog.DiscardHandler)
	o.discord.Ready() // a shard that is not taken yet counts as another process's
	o.says("200 ok\n")

	o.disk.full.Store(true)
	if said := readiness(o.address)(); !strings.HasPrefix(said, "200 ") {
		t.Errorf("it writes whenever it is asked, and says %s", said)
	}
	o.tryAgain()
	if said := readiness(o.address)(); said != "503 storage: it cannot be saved: commit: no space left on device\n" {
		t.Errorf("it says %s", said)
	}
	if status, said := look(o.address + "/healthz"); status != http.StatusOK || said != "ok\n" {
		t.Errorf("alive is %d, %s", status, said)
	}
	o.disk.full.Store(false)
	o.tryAgain()
	o.says("200 ok\n")

	o.chat.Lock()
	away := true
	o.chat.Refuse = func(c fake.Call) *fake.Refusal {
		if !away || c.Method != "getUpdates" { // with which the bot may still begin
			return nil
		}
		return &fake.Refusal{Status: http.StatusBadGateway, Body: "<html>"}
	}
	o.chat.Restart(5000) // the request that waits for news ends
	o.chat.Unlock()
	o.says("503 telegram: it has answered 502 Bad Gateway\n")
	o.chat.Lock()
	away = false
	o.chat.Unlock()
	o.says("200 ok\n")
}

func TestSomethingIsWrittenNowAndThenHoweverOftenOneAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var writes atomic.Int64
		var fault error
		probe := &trial{write: func(context.Context) error { writes.Add(1); return fault }}
		for range 100 {
			must(t, probe.check())
		}
		if writes.Load() != 1 {
			t.Errorf("it has written %d times", writes.Load())
		}
		fault = syscall.ENOSPC
		time.Sleep(trialEvery - time.Nanosecond)
		if err := probe.check(); err != nil || writes.Load() != 1 {
			t.Errorf("%v after %d writes", err, writes.Load())
		}
		time.Sleep(time.Nanosecond)
		for range 2 {
			if err := probe.check(); !errors.Is(err, syscall.ENOSPC) || writes.Load() != 2 {
				t.Errorf("%v after %d writes", err, writes.Load())
			}
		}
	})
}

func TestADiskThatHangsIsWaitedForOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		written := make(chan error)
		var writes atomic.Int64
		probe := &trial{write: func(context.Context) error { writes.Add(1); return <-written }}
		begun := time.Now()
		for i, want := range []string{"for 2s", "for 2s", "for 1m2s"} {
			if i == 2 {
				time.Sleep(time.Minute)
			}
			if err := probe.check(); err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if took := time.Since(begun); took != time.Minute+trialWithin || writes.Load() != 1 {
			t.Errorf("it took %v and %d writes", took, writes.Load())
		}
		written <- nil
		synctest.Wait()
		close(written)
		if err := probe.check(); err != nil || writes.Load() != 2 {
			t.Errorf("%v after %d writes", err, writes.Load())
		}
	})
}

// TestServeListensWhereItIsTold starts the program as operators do.
func TestServeListensWhereItIsTold(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
	must(t, err)
	g := fake.NewTelegram(t)
	data := filepath.Join(t.TempDir(), "a.db")
	taken := onChats(t, data, nil, g, "--metrics-listen", address)
	if status, _ := taken.end(); status != failed || !strings.Contains(taken.errs.String(), "chimera: CHIMERA_METRICS_LISTEN: listen tcp "+address) {
		t.Errorf("where somebody else listens it ends with %d: %s", status, taken.errs.String())
	}
	must(t, free.Close())
	program := onChats(t, data, nil, g, "--metrics-listen", address)
	g.Wait("commands", func() bool { return len(g.Calls) > 3 })
	now := scrape(t, "http://"+address)
	if now.sum("chimera_members") != 1 || now.sum("chimera_connected", `platform="telegram"`) != 1 {
		t.Errorf("it shows %v", now)
	}
	if status, text := look("http://" + address + "/readyz"); status != http.StatusOK {
		t.Errorf("ready: %d, %s", status, text)
	}
	if status, _ := look("http://" + address + "/"); status != http.StatusNotFound {
		t.Errorf("elsewhere: %d", status)
	}
	program.kill()
	prints(t, badInput, anything, `.*CHIMERA_METRICS_LISTEN is no host:port.*\n`, "serve", "--telegram-token", "1:a", "--metrics-listen", "9090")
}

// told is the last port that freeAddress has told. Systems give connections none below 32768 of themselves.
var told struct {
	sync.Mutex
	port int
}

// freeAddress is one at which nobody listens, and another each time.
func freeAddress(t testing.TB) string {
	t.Helper()
	told.Lock()
	defer told.Unlock()
	const first, many = 20000, 12000
	told.port = cmp.Or(told.port, first+rand.IntN(many))
	for range many {
		told.port = first + (told.port-first+1)%many
		free, err := new(net.ListenConfig).Listen(t.Context(), "tcp", fmt.Sprint("127.0.0.1:", told.port))
		if err == nil {
			must(t, free.Close())
			return fmt.Sprint("127.0.0.1:", told.port)
		}
	}
	t.Fatal("no port is free")
	return ""
}
