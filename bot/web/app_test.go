package web

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/chromedp/chromedp"

	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
)

// TestTheManifestNamesIconsThatAreThere requests the icons as browsers do.
func TestTheManifestNamesIconsThatAreThere(t *testing.T) {
	at := open(t)
	b := nobody(t)
	answer, text := b.asks(at+assetPath+"manifest.webmanifest", nil)
	if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != "application/manifest+json" {
		t.Fatalf("%d: %s", answer.StatusCode, kind)
	}
	var said struct {
		Icons []struct{ Src, Sizes, Type, Purpose string }
	}
	must(t, json.Unmarshal([]byte(text), &said))
	sizes := map[string]bool{}
	for _, icon := range append(said.Icons, struct{ Src, Sizes, Type, Purpose string }{"touch.png", "180x180", "image/png", "touch"}) {
		answer, file := b.asks(at+assetPath+icon.Src, nil)
		if kind := answer.Header.Get("Content-Type"); answer.StatusCode != http.StatusOK || kind != icon.Type {
			t.Errorf("%s: %d, %s", icon.Src, answer.StatusCode, kind)
		}
		if icon.Type != "image/png" {
			continue
		}
		m, err := png.Decode(strings.NewReader(file))
		must(t, err)
		width, height, _ := strings.Cut(icon.Sizes, "x")
		if m.Bounds().Dx() != m.Bounds().Dy() || width != height || len(file) > 40<<10 {
			t.Errorf("%s is %v, in %d bytes", icon.Src, m.Bounds(), len(file))
		}
		sizes[icon.Sizes+icon.Purpose] = true
		if icon.Purpose == "maskable" {
			staysInCircle(t, m)
		}
	}
	for _, want := range []string{"192x192", "512x512", "512x512maskable", "180x180touch"} {
		if !sizes[want] {
			t.Errorf("there is no icon of %s", want)
		}
	}
}

// TestFilesArriveAsTheyAreHoweverABrowserTakesThem requests files packed and plain.
func TestFilesArriveAsTheyAreHoweverABrowserTakesThem(t *testing.T) {
	at := open(t)
	for name, want := range minified() {
		for takes, packing := range map[string]string{"gzip, deflate, br, zstd": "br", "gzip,br": "br", "br;q=0": "", "identity": ""} {
			answer, text := nobody(t).asks(at+assetPath+name, nil, "Accept-Encoding", takes)
			if answer.Header.Get("Content-Encoding") == "br" {
				plain, err := io.ReadAll(brotli.NewReader(strings.NewReader(text)))
				must(t, err)
				text = string(plain)
			}
			if is := answer.Header.Get("Content-Encoding"); is != packing || text != string(want) || answer.Header.Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s for who takes %q is packed by %q and %d bytes long, want %q and %d, %q", name, takes, is, len(text), packing, len(want), answer.Header["Vary"])
			}
		}
	}
}

// staysInCircle checks that an icon has only its background outside the circle that platforms keep.
func staysInCircle(t *testing.T, m image.Image) {
	t.Helper()
	size := m.Bounds().Dx()
	grounds := map[color.Color]int{}
	for y := range size {
		for x := range size {
			dx, dy := float64(x)-float64(size)/2, float64(y)-float64(size)/2
			if r := .4 * float64(size); dx*dx+dy*dy > r*r {
				grounds[m.At(x, y)]++
			}
		}
	}
	if len(grounds) != 2 {
		t.Errorf("there are %d colors at its border", len(grounds))
	}
}

func TestPagesSayWhatMakesThemAnApp(t *testing.T) {
	at := open(t)
	answer, text := nobody(t).asks(at+"/", nil)
	says(t, text, `rel="manifest"`, `rel="apple-touch-icon"`, `<meta name="theme-color" content="#f7f1e6" media="(prefers-color-scheme: light)">`, `content="#191512" media="(prefers-color-scheme: dark)"`)
	policy := answer.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "manifest-src 'self'; worker-src 'self';") || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self';") {
		t.Errorf("the policy is %s", policy)
	}
	worker, text := nobody(t).asks(at+"/worker.js", nil)
	if kind := worker.Header.Get("Content-Type"); worker.StatusCode != http.StatusOK || !strings.HasPrefix(kind, "text/javascript") || worker.Header.Get("Cache-Control") != "no-cache" || !strings.Contains(text, "addEventListener") {
		t.Errorf("the worker: %d %s", worker.StatusCode, kind)
	}
}

const forgets = `"cache", "storage"`

// TestWhatABrowserKeepsGoesWithWhoeverWasSignedIn signs somebody out in each way, and checks what their browser is
// told.
func TestWhatABrowserKeepsGoesWithWhoeverWasSignedIn(t *testing.T) {
	clears := func(a answered) bool { return a.Header.Get("Clear-Site-Data") == forgets }
	for name, leave := range map[string]func(w *town, b *jarred) (answered, string){
		"signing out": func(w *town, b *jarred) (answered, string) { return b.first(w.url+"/out", url.Values{}) },
		"a reset on the page": func(w *town, b *jarred) (answered, string) {
			return b.first(w.url+w.site.GamePath(1), url.Values{"text": {"settings links reset"}})
		},
		"a reset in their chat": func(w *town, b *jarred) (answered, string) {
			w.hears("ann", "", "settings links reset")
			return b.first(w.url+"/", nil)
		},
		"a reset, then a move": func(w *town, b *jarred) (answered, string) {
			w.hears("ann", "", "settings links reset")
			return b.first(w.url+w.site.GamePath(1), url.Values{"text": {"e4"}})
		},
		"becoming somebody else": func(w *town, b *jarred) (answered, string) {
			return b.first(w.url+"/in", url.Values{"link": {word}, "sure": {"yes"}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := playing(t, "")
			b := w.ann()
			before, _ := b.asks(w.url+"/", nil)
			if clears(before) || before.Header.Get(markHeader) == "" {
				t.Errorf("while she is signed in: %v", before.Header)
			}
			if gone, _ := leave(w, b); !clears(gone) || gone.Header.Get(markHeader) != "" {
				t.Errorf("she is gone: %v", gone.Header)
			}
			if next, _ := b.asks(w.url+"/", nil); next.Header.Get(markHeader) == before.Header.Get(markHeader) {
				t.Errorf("afterwards: %v", next.Header)
			}
			b.asks(w.url+"/", nil)
			if next, _ := b.asks(w.url+"/", nil); clears(next) {
				t.Error("the browser is told again and again")
			}
		})
	}
}

// first is the first answer, without following redirects.
func (b *jarred) first(address string, form url.Values) (answered, string) {
	b.t.Helper()
	still := *b.Client
	still.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return (&jarred{Client: &still, t: b.t}).asks(address, form)
}

func TestPagesSayForWhomTheyAreAndNotWho(t *testing.T) {
	w := playing(t, "")
	eve := w.browser()
	w.signsIn(eve, w.url+"/in#"+word)
	marks := map[string]string{}
	for name, b := range map[string]*jarred{"ann": w.ann(), "ann elsewhere": w.ann(), "eve": eve, "a stranger": w.browser()} {
		answer, _ := b.asks(w.url+"/", nil)
		marks[name] = answer.Header.Get(markHeader)
	}
	if marks["ann"] == "" || marks["ann"] != marks["ann elsewhere"] || marks["ann"] == marks["eve"] || marks["eve"] == "" || marks["a stranger"] != "" {
		t.Errorf("%v", marks)
	}
}

// kept waits until the worker has kept a page, and the files of the page that is seen.
func (p *tab) kept(path string) {
	p.t.Helper()
	eval[bool](p, `new Promise(async (done) => {
		const files = [...document.querySelectorAll("[rel=stylesheet], script[src]")].map((of) => of.href ?? of.src);
		for (const of of [location.origin + "`+path+`", ...files]) while (!(await caches.match(of))) await new Promise(requestAnimationFrame);
		done(true);
	})`)
}

// TestPagesOpenWithoutANetworkAndSaySo opens pages for the first time, cuts answers off, stops the server, and opens
// the pages again; then the server comes back.
func TestPagesOpenWithoutANetworkAndSaySo(t *testing.T) {
	b, s := quietBrowser(t).keeping(), serve(t)
	p := b.open(t, 390, s.address("/"))
	p.kept("/")
	p.kept("/learn") // which is not opened
	board := s.begun("knightmare")
	learned := "/learn/stealth/1"
	for _, path := range []string{learned, board} {
		p.do(chromedp.Navigate(s.address(path)))
		p.kept(path)
	}
	p.until(`document.querySelectorAll("[data-mine]").length > 0`)
	p.do(chromedp.MouseClickXY(p.middle(square("e2"))), chromedp.MouseClickXY(p.middle(square("e4"))))
	p.shows(1)
	eval[bool](p, `Object.defineProperty(document, "hidden", { value: true }) && document.dispatchEvent(new Event("visibilitychange"))`)
	eval[bool](p, `new Promise(async (done) => {
		const ask = () => fetch(location.href, { signal: AbortSignal.timeout(2000) }).catch(() => {}); // whoever was slow is asked again
		while (!(await (await caches.match(location.href))?.text())?.includes('data-last="1"')) await ask();
		done(true);
	})`)
	s.cuts.Store(true)
	eval[bool](p, `fetch(location.href).then((answer) => answer.text()).then(() => { throw Error("it is whole"); }, () => true)`)
	s.close()
	s.cuts.Store(false)
	said := `!document.getElementById("line").hidden && document.getElementById("line").textContent.startsWith("No connection. This page is from ")`
	for path, has := range map[string]string{"/": `document.querySelectorAll("main h2, main h3").length > 0`, "/learn": `location.pathname === "/learn"`, learned: `document.querySelector(".kind").textContent.includes("Stealth")`, board: `document.querySelectorAll(".board svg").length > 0`} {
		p.do(chromedp.Navigate(s.address(path)))
		p.until(said + " && " + has + ` && getComputedStyle(document.querySelector("header")).display === "flex"`)
	}
	p.do(chromedp.Navigate(s.address(board)))
	p.shows(1)
	p.do(chromedp.Navigate(s.address("/top"))) // a page that was not seen before
	p.until(said + ` && location.pathname === "/"`)
	p.do(chromedp.Navigate(s.address(board)))
	p.until(said)
	s.open()
	p.until(`document.getElementById("line").hidden`)
}

// TestNothingOfOnePersonIsShownToTheNext signs a second person in at the browser of the first, and cuts the network.
func TestNothingOfOnePersonIsShownToTheNext(t *testing.T) {
	w := playing(t, "")
	b := browser(t).keeping()
	board := w.site.GamePath(1)
	keeps := func() *tab { // her first page and her game
		p := b.open(t, 390, w.link())
		p.until(`location.pathname === "` + board + `"`)
		for _, path := range []string{"/", board} {
			p.do(chromedp.Navigate(w.url + path))
			p.kept(path)
		}
		return p
	}
	forgotten := func(p *tab) {
		eval[bool](p, `new Promise(async (done) => {
			while (await caches.match("`+board+`")) await new Promise(requestAnimationFrame);
			done(true);
		})`)
	}
	p := keeps()
	p.do(chromedp.Navigate(w.url + "/"))
	p.until(`document.readyState === "complete"`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector('form[action="/out"]').requestSubmit()`))
	p.until(`document.readyState === "complete" && !document.querySelector('form[action="/out"]')`)
	forgotten(p)

	p = keeps()
	w.hears("ann", "", "settings links reset") // her cookie is no longer valid
	p.do(chromedp.Navigate(w.url + "/rules"))
	forgotten(p)
}

// weighed counts the bytes on a listener's connections.
type weighed struct {
	net.Listener
	sent *atomic.Int64
}

func (w weighed) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	return weighedConn{c, w.sent}, err
}

type weighedConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c weighedConn) Write(b []byte) (int, error) {
	c.sent.Add(int64(len(b)))
	return c.Conn.Write(b)
}

// weighs serves the site at another address, and counts the bytes that are sent there.
func (c *club) weighs(around func(http.Handler) http.Handler) (address string, sent *atomic.Int64) {
	c.t.Helper()
	at, sent := listen(c.t, "127.0.0.1:0"), new(atomic.Int64)
	c.t.Cleanup(serves(weighed{at, sent}, around(c.site.Handler(at.Addr().String()))))
	return "http://" + at.Addr().String(), sent
}

// TestAGameComesInAFewRequests counts the requests and bytes of a browser that opens a board for the first time, until
// the worker has kept everything: at most 8 requests and 30 KB, headers included, also after many moves and a review.
func TestAGameComesInAFewRequests(t *testing.T) {
	for game, plies := range map[string]int{"combination": 0, "stealth": 90} {
		t.Run(game, func(t *testing.T) { comesInAFewRequests(t, game, plies) })
	}
}

func comesInAFewRequests(t *testing.T, game string, plies int) {
	b, c := browser(t).keeping(), newClub(t)
	visit(t, c.at, url.Values{"game": {game}, "against": {"guest"}, "color": {"white"}})
	pos, err := rules.Find(variants.All(), game).Position("")
	found := storage.Review{Scores: []int{0}}
	random := rand.New(rand.NewPCG(50, 1))
	for ply := range plies {
		must(t, err)
		m, better := pos.Moves()[random.IntN(len(pos.Moves()))], pos.Variant().Coordinate(pos.Moves()[0])
		finds(t, http.StatusOK, c.at+"/game/1", url.Values{"text": {pos.Variant().Coordinate(m)}})
		pos, err = pos.Play(m)
		if found.Scores = append(found.Scores, 600*(ply%6/3)); ply%9 == 3 { // every third move is bad
			found.Moments = append(found.Moments, storage.TurningPoint{Ply: ply, Better: []string{better}})
		}
	}
	if plies > 0 {
		plays(t, c.at+"/game/1", "resign")
		must(t, c.bot.Store.Update(t.Context(), func(tx storage.Writer) error { return tx.Reviews().Set(1, found) }))
	}
	asked := make(chan string, 100)
	address, sent := c.weighs(func(pages http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked <- r.URL.Path
			pages.ServeHTTP(w, r)
		})
	})
	p := b.open(t, 390, address+c.site.GamePath(1))
	p.until(fmt.Sprintf(`Boolean(document.querySelector(".moments li")) === %t`, plies > 0))
	eval[bool](p, `new Promise(async (done) => {
		await navigator.serviceWorker.ready;
		while ((await (await caches.open("files")).keys()).length < 3) await new Promise(requestAnimationFrame);
		done(true);
	})`)
	var all []string
	for len(asked) > 0 {
		all = append(all, <-asked)
	}
	t.Logf("%d bytes in %d requests: %v", sent.Load(), len(all), all)
	if len(all) > 8 || sent.Load() > 30<<10 {
		t.Errorf("a game takes %d bytes in %d requests", sent.Load(), len(all))
	}
}
