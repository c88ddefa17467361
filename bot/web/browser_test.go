package web

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// patience is how long a test waits for something on a page.
const patience = time.Minute

// chromium is a browser without a window.
type chromium struct {
	ctx   context.Context
	keeps bool // even in short runs, pages begin the worker that keeps them: a fifth of the browser's work
}

// keeping is the browser with that worker.
func (b chromium) keeping() *chromium {
	b.keeps = true
	return &b
}

// shared is the one browser of all tests; its context is nil if there is none.
var shared struct {
	sync.Once
	chromium
	err error
	end func()
}

func TestMain(m *testing.M) {
	kvtest.MoreAtOnce()
	shared.end = func() {}
	code := m.Run()
	shared.end()
	os.Exit(code)
}

// browser is a Chromium; it skips the test if there is none. From here on, the test runs in parallel with others, since
// it mostly waits.
func browser(t *testing.T) *chromium {
	t.Helper()
	b := quietBrowser(t)
	t.Parallel()
	return b
}

// quietBrowser is a Chromium for a test that runs alone.
func quietBrowser(t *testing.T) *chromium {
	t.Helper()
	shared.Do(func() {
		path := browserPath()
		if path == "" {
			return
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("accept-lang", "en"))
		ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, stop := chromedp.NewContext(ctx)
		shared.ctx, shared.end = ctx, func() { stop(); end() }
		shared.err = chromedp.Do(ctx)
	})
	switch {
	case shared.ctx == nil:
		t.Skip("no Chromium is installed, in which pages would be looked at")
	case shared.err != nil:
		t.Fatalf("Chromium does not start: %v", shared.err)
	}
	return &shared.chromium
}

// browserPath is the path of a Chromium, "" if there is none. The headless shell takes half the time; its full path is
// used, since Debian's script on the path would leave it running.
func browserPath() string {
	for _, name := range []string{"/usr/lib/chromium/chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a page of a browser that shares nothing with other tabs.
type tab struct {
	t   *testing.T
	ctx context.Context
	doc string // a script's expression for its document
}

// open opens a page in a window of a width.
func (b *chromium) open(t *testing.T, width int64, address string, screen ...chromedp.EmulateViewportOption) *tab {
	t.Helper()
	p := b.tab(t, "document")
	if testing.Short() && !b.keeps {
		p.do(calls(cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: "delete Navigator.prototype.serviceWorker"}))
	}
	p.do(chromedp.EmulateViewport(width, 900, screen...), preferring("prefers-reduced-motion", "reduce"), chromedp.Navigate(address))
	p.until(`document.documentElement.classList.contains("live")`)
	return p
}

// tab is an empty tab, for a page whose document is that of an expression.
func (b *chromium) tab(t *testing.T, doc string) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	must(t, chromedp.Do(ctx)) // the tab lives as long as this context, not as that of do
	p := &tab{t, ctx, doc}
	p.do(calls(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	return p
}

// calls calls a method of the browser's.
func calls[P, R any](method cdp.Command[P, R], with P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, method, with)
		return err
	})
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%v\n%s", err, p.text())
	}
}

// text is all visible text of the page.
func (p *tab) text() string {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string](p.doc+`.location.href + "\n" + `+p.doc+`.body.innerText`))
	return text
}

// eval is the result of a script on the page.
func eval[T any](p *tab, script string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	found, err := chromedp.Run(ctx, chromedp.Evaluate[T](script, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v\n%s", script, err, p.text())
	}
	return found
}

// until waits until a script is true on the page. It runs the script after each change, once the page is complete.
func (p *tab) until(script string) {
	p.t.Helper()
	wait := fmt.Sprintf(`new Promise((done) => {
		const seen = new MutationObserver(look);
		function look() {
			if (document.readyState === "loading" || !(%s)) return;
			seen.disconnect();
			clearInterval(again);
			done(true);
		}
		seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
		document.addEventListener("DOMContentLoaded", look);
		const again = setInterval(look, 50); // what is in a frame changes unseen
		look();
	})`, script)
	deadline := time.Now().Add(patience)
	for {
		ctx, cancel := context.WithDeadline(p.ctx, deadline)
		_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](wait, chromedp.EvalAwaitPromise))
		cancel()
		switch {
		case err == nil:
			return
		case time.Now().After(deadline) || !strings.Contains(err.Error(), "context") && !strings.Contains(err.Error(), "navigated"): // a page that is left ends its script
			p.t.Fatalf("not so in time: %s: %v\n%s", script, err, p.text())
		}
	}
}

// middle scrolls an element into view, and returns its middle.
func (p *tab) middle(selector string) (x, y float64) {
	p.t.Helper()
	at := eval[[]float64](p, fmt.Sprintf(`(() => {
		const e = %s.querySelector(%q);
		e.scrollIntoView({ block: "nearest" });
		const box = e.getBoundingClientRect();
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`, p.doc, selector))
	return at[0], at[1]
}

// tap clicks on an element as soon as it exists.
func (p *tab) tap(selector string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`%s.querySelector(%q)?.checkVisibility()`, p.doc, selector))
	p.do(chromedp.MouseClickXY(p.middle(selector)))
}

func square(name string) string { return fmt.Sprintf("[data-square=%q]", name) }

// drag drags the piece on a square to another.
func (p *tab) drag(from, to string) {
	p.t.Helper()
	p.middle(square(from)) // this scrolls both into view
	toX, toY := p.middle(square(to))
	x, y := p.middle(square(from))
	p.do(
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, x, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, (x+toX)/2, (y+toY)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, toX, toY, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, toX, toY, chromedp.ButtonLeft),
	)
}

// finger puts a finger down, moves it over points, and lifts it.
func (p *tab) finger(points ...[2]float64) {
	p.t.Helper()
	send := func(what input.DispatchTouchEventType, at ...*input.TouchPoint) {
		p.do(calls(input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: what, TouchPoints: append([]*input.TouchPoint{}, at...)}))
	}
	what := input.DispatchTouchEventTypeTouchStart
	for _, at := range points {
		send(what, &input.TouchPoint{X: at[0], Y: at[1]})
		what = input.DispatchTouchEventTypeTouchMove
	}
	send(input.DispatchTouchEventTypeTouchEnd)
}

// shows waits for the position after a number of moves.
func (p *tab) shows(ply int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`%s.querySelector("main")?.dataset.last === "%d" && %[1]s.querySelector("main").dataset.ply === "%[2]d"`, p.doc, ply))
}

// served is a site that can be closed and opened again at the same address, with the same database.
type served struct {
	t     *testing.T
	disk  *kvtest.Disk
	host  string
	cuts  atomic.Bool // cuts off each answer in its middle
	close func()
}

func serve(t *testing.T) *served {
	t.Helper()
	s := &served{t: t, disk: new(kvtest.Disk), host: "127.0.0.1:0"}
	s.open()
	t.Cleanup(func() { s.close() })
	return s
}

func (s *served) open() {
	s.t.Helper()
	log := slog.New(slog.NewTextHandler(s.t.Output(), nil))
	b := newBot(s.t, s.disk.Open("db"), time.Now, log)
	site, err := New(s.t.Context(), b, log)
	must(s.t, err)
	at := listen(s.t, s.host)
	s.host = at.Addr().String()
	pages := site.Handler(s.host)
	end := serves(at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.cuts.Load() {
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("<html "))
			return
		}
		pages.ServeHTTP(w, r)
	}))
	s.close = func() {
		end()
		_ = b.Store.Close()
	}
}

// listen listens at a host and port.
func listen(t testing.TB, host string) net.Listener {
	t.Helper()
	at, err := new(net.ListenConfig).Listen(t.Context(), "tcp", host)
	must(t, err)
	return at
}

// serves serves pages until end is called.
func serves(at net.Listener, pages http.Handler) (end func()) {
	server := httptest.NewUnstartedServer(pages)
	_ = server.Listener.Close()
	server.Listener = at
	server.Start()
	return func() {
		_ = server.Config.Close() // ends streams, and those that browsers reopen meanwhile
		server.Close()
	}
}

func (s *served) address(path string) string { return "http://" + s.host + path }

// axe is the source of axe-core, whose path is in the environment.
func axe(t *testing.T) string {
	t.Helper()
	file := os.Getenv("CHIMERA_TEST_AXE")
	if file == "" {
		t.Skip("CHIMERA_TEST_AXE names no axe.min.js, by which pages would be examined")
	}
	source, err := os.ReadFile(file)
	must(t, err)
	return string(source)
}

// isAccessible fails the test for what axe finds inaccessible on a page, which must have loaded axe.
func (p *tab) isAccessible(of, where string) {
	p.t.Helper()
	for width, scheme := range map[int64]string{360: "dark", 1200: "light"} {
		p.do(chromedp.EmulateViewport(width, 900))
		p.prefers(scheme)
		found := eval[string](p, of+`.axe.run({ resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" +
			v.nodes.map((n) => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")).join("\n"))`)
		if found != "" {
			p.t.Errorf("%s at %d:\n%s", where, width, found)
		}
	}
}

// likeOthers removes the pieces of a game after the first six, since all are described in the same way.
const likeOthers = `document.querySelectorAll(".cards > :nth-child(n + 7)").forEach((e) => e.remove())`

func TestNoPageHasWhatAxeFindsInaccessible(t *testing.T) {
	source := axe(t)
	b, s, w := browser(t), serve(t), build(t)
	game, over := s.begun("combination"), s.ended("stealth")
	s.reviewed(over, 2)
	visit(t, s.address(game), url.Values{"text": {"Ke3"}})
	pages := []string{
		"/", "/play/stealth", "/learn", "/learn/stealth/2", "/puzzle", "/puzzle/stealth", "/daily", game, game + "?ply=0", game + "?as=guest&plan=on",
		game + "?how=e3", over + "?ply=10&plan=on", game + "?threats=on&zones=on", over, over + "?ply=10", "/games", "/archive?who=zz&result=0-1", "/lobby", "/settings", "/top", "/top?game=stealth&period=computer", "/people/me", "/rules/stealth/QQN", "/rules", "/nowhere",
	}
	for _, v := range variants.All() {
		if !testing.Short() || v.Key == "stealth" || v.Key == "combination" { // those of the others have nothing else
			pages = append(pages, "/rules/"+v.Key)
		}
	}
	p := b.open(t, 360, s.address("/"))
	for _, at := range append(pages, w.url+"/", w.url+signPath) {
		if strings.HasPrefix(at, "/") {
			at = s.address(at)
		}
		p.do(chromedp.Navigate(at), chromedp.Evaluate[chromedp.Void](source), chromedp.Evaluate[chromedp.Void](likeOthers))
		p.isAccessible("window", at)
	}
}

// prefers sets whether the browser prefers light or dark pages.
func (p *tab) prefers(scheme string) {
	p.t.Helper()
	p.do(preferring("prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"))
}

// preferring sets media features such as system preferences: names and values.
func preferring(what ...string) chromedp.Action[chromedp.Void] {
	var features []*emulation.MediaFeature
	for chosen := range slices.Chunk(what, 2) {
		features = append(features, &emulation.MediaFeature{Name: chosen[0], Value: chosen[1]})
	}
	return calls(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
}

func TestInTheDarkBoardsAreOfWalnutUnlessAThemeIsChosen(t *testing.T) {
	const wood, walnut = "rgb(237, 224, 200)", "rgb(183, 160, 131)"
	s := serve(t)
	game := s.begun("combine")
	p := browser(t).open(t, 360, s.address(game))
	light := `getComputedStyle(document.querySelector(".board [fill='#ede0c8']")).fill`
	inPicture := `(async () => { // of the light square in the upper left corner
		const img = new Image(), canvas = document.createElement("canvas");
		img.src = location.pathname + "/board.svg?revision=" + Math.random();
		await img.decode();
		const on = canvas.getContext("2d");
		on.drawImage(img, 0, 0);
		return "rgb(" + on.getImageData(4, 4, 1, 1).data.slice(0, 3).join(", ") + ")";
	})()`
	see := func(when, want string) {
		t.Helper()
		for _, where := range []string{light, inPicture} {
			if got := eval[string](p, where); got != want {
				t.Errorf("%s, light squares are %s, want %s: %s", when, got, want, where)
			}
		}
	}
	see("in the light", wood)
	p.prefers("dark")
	see("in the dark", walnut)
	visit(t, s.address(game), url.Values{"text": {"settings theme wood"}})
	p.do(chromedp.Reload())
	see("when wood is chosen", wood)
}

// TestABrowserThatOpensALinkIsSignedInAndForgetsIt opens a board with scripts, and checks that the link is left in no
// address and in nothing that scripts can read.
func TestABrowserThatOpensALinkIsSignedInAndForgetsIt(t *testing.T) {
	b, w := browser(t), playing(t, "")
	for name, link := range map[string]string{"a link": w.link(), "Telegram's word": w.url + "/in?game=1#" + word} {
		p := b.open(t, 900, link)
		_, shown, _ := strings.Cut(link, "#")
		if shown == word { // eve does not play
			p.until(`document.querySelector("article")?.textContent.includes("no game #1")`)
		} else {
			p.until(`location.pathname === "` + w.site.GamePath(1) + `" && document.querySelectorAll("[data-mine]").length === 10`)
			p.do(chromedp.Reload())
			p.until(`document.querySelectorAll("[data-mine]").length === 10`)
		}
		left := eval[string](p, `[location.href, document.referrer, document.cookie, JSON.stringify({...localStorage, ...sessionStorage}), document.documentElement.outerHTML,
			...performance.getEntriesByType("resource").map((e) => e.name), ...performance.getEntriesByType("navigation").map((e) => e.name)].join("\n")`)
		if strings.Contains(left, shown) {
			t.Errorf("%s is left in %s", name, left)
		}
	}
}

func TestABrowserIsToldOfALinkThatIsNotGood(t *testing.T) {
	w := build(t)
	p := browser(t).open(t, 400, w.url+"/in?game=1#nonsense")
	p.until(`document.querySelector("article")?.textContent.includes("has ended")`)
	if got := eval[string](p, `location.href`); strings.Contains(got, "nonsense") {
		t.Errorf("it is left in %s", got)
	}
}
