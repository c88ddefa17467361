package web

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"chimera/storage"
	"chimera/storage/bolt"
)

func quantile(all []time.Duration, q float64) float64 {
	slices.Sort(all)
	return float64(all[min(int(q*float64(len(all))), len(all)-1)]) / float64(time.Millisecond)
}

// BenchmarkMoveIsHeard measures a move from its POST to the opponent's event, and for comparison the same move without
// pages, in a database on a disk.
func BenchmarkMoveIsHeard(b *testing.B) {
	db, err := bolt.Open(filepath.Join(b.TempDir(), "db"))
	must(b, err)
	c, game := clubOn(b, db), storage.GameID(0)
	begin := func() {
		visit(b, c.at, url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"white"}})
		game++
	}
	moves := strings.Fields(finished[len(finished)-1].moves)
	var heard, handled []time.Duration
	for b.Loop() {
		begin()
		for ply, move := range moves {
			began := time.Now()
			said := c.site.here.message(httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/", nil), ply%2)
			said.Text, said.ReplyTo = move, game
			_, err := c.bot.Handle(b.Context(), said)
			must(b, err)
			handled = append(handled, time.Since(began))
		}
		begin()
		path := c.at + c.site.GamePath(game)
		next := nobody(b).events(path + "/events")
		next()
		for _, move := range moves {
			answered := make(chan error)
			began := time.Now()
			go func() {
				answer, err := http.PostForm(path, url.Values{"text": {move}})
				if err == nil {
					_, err = io.Copy(io.Discard, answer.Body)
					err = errors.Join(err, answer.Body.Close())
				}
				answered <- err
			}()
			next()
			heard = append(heard, time.Since(began))
			must(b, <-answered)
		}
	}
	b.ReportMetric(quantile(handled, 0.5), "handled-p50-ms")
	b.ReportMetric(quantile(heard, 0.5), "heard-p50-ms")
	b.ReportMetric(quantile(heard, 0.99), "heard-p99-ms")
}

// TestHowSoonPagesAndMovesAreSeen measures when a first visitor on a slow network first sees something, and how long
// after a tap they see their own move.
func TestHowSoonPagesAndMovesAreSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of short runs: it measures, which says something on a quiet machine alone")
	}
	b, s, other := quietBrowser(t), serve(t), serve(t)
	for _, path := range []string{"/", s.begun("combination")} {
		p := b.open(t, 390, other.address("/rules"))
		p.do(calls(network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
			MatchedNetworkConditions: []*network.Conditions{{Latency: 400, DownloadThroughput: 50000, UploadThroughput: 50000}},
		}), chromedp.Navigate(s.address(path)))
		seen := eval[float64](p, `new Promise((done) => new PerformanceObserver((all) => done(all.getEntries().find((e) => e.name === "first-contentful-paint")?.startTime)).observe({ type: "paint", buffered: true }))`)
		if t.Logf("on a slow network, %s is seen after %.0f ms", path, seen); seen == 0 {
			t.Error("it is not seen")
		}
	}
	for _, g := range finished {
		p := b.phone(t, s.address(s.begun(g.game)))
		m := steps(t, g.game, g.moves)
		eval[bool](p, `(addEventListener("pointerup", (e) => requestAnimationFrame(() => setTimeout(() => {
			if (document.querySelector(".sent")) window.took = performance.now() - e.timeStamp;
		})), true), true)`)
		p.fingers(m[0])
		p.shows(1)
		took := eval[float64](p, `window.took ?? 0`)
		if t.Logf("%s: the move is seen %.0f ms after the tap", g.game, took); took == 0 {
			t.Error("it is not seen")
		}
	}
}

// TestWhatChangesWithAMoveIsAtMost4KB plays each game like two browsers that keep what they have drawn. It counts the
// bytes of the answer to each move and of the other's request that follows, headers included.
func TestWhatChangesWithAMoveIsAtMost4KB(t *testing.T) {
	c := newClub(t)
	address, sent := c.weighs(func(pages http.Handler) http.Handler { return pages })
	symbol := regexp.MustCompile(`<symbol id="([^"]*)"`)
	for n, g := range finished {
		visit(t, c.at, url.Values{"game": {g.game}, "against": {"guest"}, "color": {"white"}})
		path := address + c.site.GamePath(storage.GameID(n+1))
		var drawn [2]map[string]bool
		var shape [2]string
		var all []int64
		asks := func(side, ply int, form url.Values) {
			t.Helper()
			has := append([]string{path[len(path)-10:], strconv.Itoa(ply), shape[side]}, slices.Collect(maps.Keys(drawn[side]))...)
			began := sent.Load()
			answer, text := nobody(t).asks(path+"?as="+[]string{"host", "guest"}[side], form, "Accept-Encoding", "br", hasHeader, strings.Join(has, " "))
			plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(text)))
			must(t, err)
			text = string(plain)
			if answer.StatusCode != http.StatusOK || !strings.Contains(text, "<h1>") {
				t.Fatalf("%d: %s", answer.StatusCode, text)
			}
			if _, is, whole := strings.Cut(text, `data-shape="`); whole {
				shape[side], _, _ = strings.Cut(is, `"`)
			}
			for _, s := range symbol.FindAllStringSubmatch(text, -1) {
				drawn[side][s[1]] = true
			}
			all = append(all, sent.Load()-began)
		}
		for side := range drawn {
			drawn[side] = map[string]bool{}
			asks(side, 0, nil)
		}
		all = nil
		for ply, move := range strings.Fields(g.moves) {
			asks(ply%2, ply, url.Values{"text": {move}})
			asks(1-ply%2, ply, nil)
		}
		var sum int64
		for _, n := range all {
			sum += n
		}
		t.Logf("%s: %d on average, at most %d", g.game, sum/int64(len(all)), slices.Max(all))
		if sum/int64(len(all)) > 4<<10 || slices.Max(all) > 4<<10 {
			t.Errorf("in %s, %d bytes are sent on average, and at most %d", g.game, sum/int64(len(all)), slices.Max(all))
		}
	}
}
