package web

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"chimera/bot/message"
	"chimera/storage"
)

// inChannel is a Discord that confirms everyone with a code to be in instance i-1, where game 1 is shown.
type inChannel struct{}

func (inChannel) Application(context.Context) string { return "999" }

func (inChannel) SignIn(_ context.Context, code, instance, _ string) (message.Account, storage.GameID, bool) {
	_, name, ok := strings.Cut(code, " of ")
	return chatter(name), 1, ok && instance == "i-1"
}

// parent is a page that acts like Discord's around a frame. It gives out codes for the person in its address.
const parent = `<!doctype html><style>* { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; display: block }</style>
<script>
const who = new URLSearchParams(location.search).get("who");
window.log = [];
const people = ["ann", "ben"].map((name) => ({ id: name, username: name }));
addEventListener("message", ({ source, data: [op, said] }) => {
  const answer = (to) => source.postMessage([1, to], "*");
  if (op === 0) return answer({ cmd: "DISPATCH", evt: "READY", nonce: null, data: { v: 1, config: {}, about: said.client_id + said.frame_id } });
  log.push(said.cmd);
  const { cmd, nonce, args } = said;
  if (cmd === "AUTHORIZE" && who === "") return answer({ cmd, nonce, evt: "ERROR", data: { code: 4000, message: "no" } });
  const data = { AUTHORIZE: { code: "code " + nonce + " of " + (who ?? "ben") }, GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: { participants: people } }[cmd] ?? {};
  answer({ cmd, nonce, evt: null, data });
});
</script>
<iframe src="/?frame_id=f&instance_id={instance}&platform=desktop&channel_id=1"></iframe>`

// framing lets the test's own page show pages in a frame, as otherwise only Discord may.
func framing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/parent":
			_, _ = fmt.Fprint(w, strings.ReplaceAll(parent, "{instance}", r.FormValue("instance")))
			return
		case "/telegram":
			_, _ = fmt.Fprint(w, strings.ReplaceAll(around, "{launch}", r.FormValue("launch")))
			return
		}
		next.ServeHTTP(ancestry{w}, r)
	})
}

// ancestry lets pages of the same origin show an answer in a frame if Discord may.
type ancestry struct{ http.ResponseWriter }

func (a ancestry) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a ancestry) WriteHeader(status int) {
	const policy = "Content-Security-Policy"
	h := a.Header()
	for _, f := range []frame{inDiscord, inTelegram} {
		h.Set(policy, strings.Replace(h.Get(policy), ancestors[f], ancestors[f]+" 'self'", 1))
	}
	a.ResponseWriter.WriteHeader(status)
}

// joins opens the Activity as a person in Discord does.
func (w *town) joins(t *testing.T, b *chromium, who string) *tab {
	t.Helper()
	return b.framed(t, w.url+"/parent?instance=i-1&who="+url.QueryEscape(who))
}

// framed opens a page that shows another in a frame.
func (b *chromium) framed(t *testing.T, address string) *tab {
	t.Helper()
	p := b.tab(t, "frames[0].document")
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateTouch), chromedp.Navigate(address))
	return p
}

// reload reloads the page in the frame, and waits until it is live.
func (p *tab) reload() { p.leads(`location.reload()`) }

// leads leads the frame to a page by a script, and waits until that is live.
func (p *tab) leads(script string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](p.doc + `.before = true; frames[0].` + script))
	p.until(`!` + p.doc + `.before && ` + p.doc + `.documentElement?.classList.contains("live")`)
}

func TestTwoPlayInDiscordsFrameAndAThirdWatches(t *testing.T) {
	w := playing(t, "group")
	b := browser(t)
	ann, ben, eve := w.joins(t, b, "ann"), w.joins(t, b, "ben"), w.joins(t, b, "eve")
	for _, p := range []*tab{ann, ben, eve} {
		p.until(p.doc + `.querySelector("#here")?.textContent.includes("ann and ben")`)
		p.until(p.doc + `.querySelector(".board")`)
	}
	moves := steps(t, "chess", "f2f3 e7e5 g2g4 d8h4")
	for i, m := range moves {
		mover := []*tab{ann, ben}[i%2]
		mover.plays(m, false)
		mover.shows(i + 1)
		mover.reload()
		for _, p := range []*tab{ann, ben, eve} {
			p.shows(i + 1)
		}
	}
	eve.until(eve.doc + `.querySelector("[data-over]")`)
	eve.do(chromedp.Evaluate[chromedp.Void](`frames[0].location = "/puzzle/chess"`))
	eve.until(eve.doc + `.querySelector(".study[data-choices]")`)
	if met, err := w.bot.Users.Met(t.Context(), chatter("eve").Address); met || err != nil {
		t.Errorf("eve is stored, who has only watched and looked at a puzzle: %v", err)
	}
	eve.leads(`location = "/play/chess"`)
	eve.do(chromedp.Evaluate[chromedp.Void](eve.doc + `.querySelector("form[action='/'] button").click()`))
	eve.until(eve.doc + `.querySelector("[data-mine]")`)
	if met, err := w.bot.Users.Met(t.Context(), chatter("eve").Address); !met || err != nil {
		t.Errorf("eve is not stored, who plays: %v", err)
	}
}

func TestAGameInDiscordsFrameGoesOnAfterACutAndARestart(t *testing.T) {
	w := playing(t, "group")
	b := browser(t)
	ann, ben, eve := w.joins(t, b, "ann"), w.joins(t, b, "ben"), w.joins(t, b, "eve")
	all := []*tab{ann, ben, eve}
	for _, p := range all {
		p.shows(0)
	}
	moves := steps(t, "chess", "f2f3 e7e5 g2g4 d8h4")
	for i, m := range moves {
		mover := []*tab{ann, ben}[i%2]
		if i%2 == 1 {
			mover.reload()
		}
		w.close()
		if i%2 == 0 {
			mover.plays(m, false) // while the server is down
		}
		for _, p := range all {
			p.until(p.doc + `.querySelector("#line")?.checkVisibility()`)
		}
		w.open()
		for _, p := range all {
			p.until(p.doc + `.querySelector("#line")?.checkVisibility() === false`)
		}
		if i%2 == 1 {
			mover.plays(m, false)
		}
		mover.shows(i + 1)
		for _, p := range all {
			p.shows(i + 1)
		}
	}
	for _, p := range all {
		p.until(p.doc + `.querySelector("[data-over]")`)
		p.reload()
		p.shows(len(moves))
	}
}

func TestNoFrameHasWhatAxeFindsInaccessible(t *testing.T) {
	source := axe(t)
	b, w := browser(t), playing(t, "group")
	unguarded := calls(cdppage.SetBypassCSP, cdppage.SetBypassCSPParams{Enabled: true}) // axe is from elsewhere
	pages := []string{w.site.GamePath(1), "/", "/puzzle"}                               // one of each layout
	for where, p := range map[string]*tab{"Discord": w.joins(t, b, "ann"), "Telegram": w.inApp(t, b, "8.0")} {
		p.until(p.doc + `.querySelector(".board")`)
		p.do(unguarded)
		for _, at := range pages {
			p.leads(fmt.Sprintf(`location = %q`, at))
			p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`frames[0].eval(%s)`, quoted(source))))
			p.isAccessible("frames[0]", at+" in "+where)
		}
	}
	p := b.framed(t, w.url+"/parent?instance=i-1&who=")
	p.do(unguarded, chromedp.Reload())
	p.until(p.doc + `.querySelector("#sign button")`)
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`frames[0].eval(%s)`, quoted(source))))
	p.isAccessible("frames[0]", "signing in")
}

func TestAFrameKeepsBoardsAndLinksWithinAPhonesSafeArea(t *testing.T) {
	b, w := browser(t), playing(t, "group")
	for where, p := range map[string]*tab{"Discord": w.joins(t, b, "ann"), "Telegram": w.inApp(t, b, "8.0")} {
		p.until(p.doc + `.querySelector(".board") && ` + p.doc + `.documentElement.classList.contains("live")`)
		for _, at := range []string{w.site.GamePath(1), "/"} {
			p.leads(fmt.Sprintf(`location = %q`, at))
			for size, insets := range map[[2]int64]string{{390, 844}: "{top: 60, right: 0, bottom: 34, left: 0}", {844, 390}: "{top: 0, right: 50, bottom: 21, left: 50}"} {
				p.do(chromedp.EmulateViewport(size[0], size[1], chromedp.EmulateTouch))
				told := `for (const [side, n] of Object.entries(` + insets + `)) ` + p.doc + `.documentElement.style.setProperty("--discord-safe-area-inset-" + side, n + "px")`
				if where == "Telegram" {
					told = `tell("content_safe_area_changed", { top: 0 }); tell("safe_area_changed", ` + insets + `)`
				}
				p.do(chromedp.Evaluate[chromedp.Void](told))
				p.until(fmt.Sprintf(`frames[0].innerWidth === %d && parseFloat(frames[0].getComputedStyle(%s.body).paddingLeft) === %s.left`, size[0], p.doc, insets))
				if below := eval[string](p, `((safe) => [...`+p.doc+`.querySelectorAll("body > header :is(a, summary), div.board")]
					.map((of) => [of.outerHTML.slice(0, 80), of.getBoundingClientRect()])
					.filter(([, at]) => at.width && (at.top < safe.top || at.left < safe.left || at.right > innerWidth - safe.right + 1 || at.bottom > innerHeight - safe.bottom))
					.map(([of, at]) => of + JSON.stringify(at)).join("\n"))(`+insets+`)`); below != "" {
					t.Errorf("%s in %s, %v:\n%s", at, where, size, below)
				}
			}
		}
	}
}

// quoted is a text as a string in a script.
func quoted(text string) string {
	said, _ := json.Marshal(text) // this cannot fail
	return string(said)
}

func TestWhomDiscordDoesNotConfirmIsToldAndMayTryAgain(t *testing.T) {
	w := playing(t, "group")
	b := browser(t)
	p := w.joins(t, b, "ann")
	p.until(p.doc + `.querySelector(".board")`)
	for address, says := range map[string]string{"/parent?instance=i-2&who=ann": "didn't confirm", "/parent?instance=i-1&who=": "Sign in"} {
		p := w.joins(t, b, "ann")
		p.do(chromedp.Navigate(w.url + address))
		p.until(p.doc + `.body?.textContent.includes("` + says + `")`)
		p.until(p.doc + `.querySelector("#sign button")`)
	}
}

func TestPagesInFramesAreForTheirPlatformsAlone(t *testing.T) {
	w := playing(t, "")
	const nobodyElse = "frame-ancestors https://discord.com https://*.discord.com https://*.discordsays.com"
	sign := func(b *jarred, proof string) answered {
		answer, _ := b.asks(w.url+"/in?frame_id=f&instance_id=i-1", url.Values{"link": {proof}})
		return answer
	}
	b := w.browser()
	for code, status := range map[string]int{"forged": http.StatusForbidden, "code of ann": http.StatusOK} {
		if answer := sign(b, url.Values{"discord_code": {code}, "instance": {"i-1"}}.Encode()); answer.StatusCode != status {
			t.Errorf("%s: %d, want %d", code, answer.StatusCode, status)
		}
	}
	for address, policy := range map[string]string{"/game/1": nobodyElse, "/?frame_id=f": nobodyElse} {
		answer, text := b.asks(w.url+address, nil)
		if got := strings.TrimSuffix(answer.Header.Get("Content-Security-Policy"), " 'self'"); !strings.HasSuffix(got, policy) {
			t.Errorf("%s: %s: %s", address, got, text)
		}
	}
	for _, b := range []*jarred{w.ann(), nobody(t)} {
		answer, _ := b.asks(w.url+"/", nil)
		if got := answer.Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, "frame-ancestors 'none'") {
			t.Errorf("a window: %s", got)
		}
	}
	if secret := w.site.pass(chatter("eve")); !strings.Contains(secret, ".") {
		t.Error(secret)
	} else if _, ok := w.site.unmet(secret + "A"); ok {
		t.Error("a forged pass is believed")
	}
}

func TestAPassEndsOnceTheBotHasMetWhoHoldsIt(t *testing.T) {
	w := build(t)
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
	r.AddCookie(w.site.auth.signed(w.site.pass(chatter("eve")), inDiscord))
	if g, err := w.site.identify(r); err != nil || !g.unmet || !g.known {
		t.Errorf("before: %+v, %v", g, err)
	}
	_, err := w.bot.Users.Meet(t.Context(), chatter("eve").Address, "eve")
	must(t, err)
	if g, err := w.site.identify(r); err != nil || g.known || !g.ended {
		t.Errorf("after: %+v, %v", g, err)
	}
}

func TestCookiesOfFramesAndOfWindowsAreKeptApart(t *testing.T) {
	browser(t)
	w := playing(t, "group")
	w.url = "https://chess.example"
	site, err := Open(t.Context(), w.bot, w.url, func(string) (message.Account, string, bool) { return chatter("eve"), rand.Text(), true }, inChannel{}, nil, slog.New(slog.DiscardHandler))
	must(t, err)
	pages := site.Handler("chess.example")
	watched := make(chan *http.Request, 100)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(to http.ResponseWriter, r *http.Request) {
		switch r.Host {
		case "discord.com":
			_, _ = fmt.Fprint(to, strings.NewReplacer("{instance}", "i-1", `src="`, `src="`+w.url).Replace(parent))
		case "web.telegram.org":
			_, _ = fmt.Fprint(to, strings.NewReplacer("{launch}", "tgWebAppData=eve%26start_param%3Dg1&tgWebAppVersion=9", `src="`, `src="`+w.url).Replace(around))
		default:
			if strings.HasSuffix(r.URL.Path, "/events") {
				watched <- r
			}
			pages.ServeHTTP(to, r)
		}
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0) // the browser also sends requests of its own
	server.StartTLS()
	t.Cleanup(func() { _ = server.Config.Close(); server.Close() })
	all, end := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browserPath()),
		chromedp.Flag("host-resolver-rules", "MAP * "+server.Listener.Addr().String()), chromedp.IgnoreCertErrors)...)
	t.Cleanup(end)
	ctx, stop := chromedp.NewContext(all)
	t.Cleanup(stop)
	p := &tab{t, ctx, "document"}
	must(t, chromedp.Do(ctx))
	opens := []struct{ address, name, who string }{
		{"https://discord.com/", "__Host-chimera-discord", "ben"},
		{"https://web.telegram.org/", "__Host-chimera-telegram", "eve"},
		{w.link(), "__Host-chimera", "ann"},
	}
	for range 2 {
		for _, o := range opens {
			p.do(chromedp.Navigate(o.address))
			var cookies []*http.Cookie
			select {
			case r := <-watched:
				cookies = r.Cookies()
			case <-time.After(patience):
				t.Fatalf("%s: no game is seen: %s", o.address, p.text())
			}
			if len(cookies) != 1 || cookies[0].Name != o.name {
				t.Fatalf("%s: there come %v", o.address, cookies)
			}
			who, ok, err := w.bot.Visitor(t.Context(), cookies[0].Value)
			if must(t, err); !ok || who.From.Name != o.who {
				t.Errorf("%s: %v is signed in", o.address, who.From)
			}
		}
		opens[2].address = w.url + "/game/1"
	}
}
