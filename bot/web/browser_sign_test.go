package web

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestABrowserThatOpensALinkIsSignedInAndForgetsIt opens a board as people do, with scripts, and looks
// where the link is left: in no address and in nothing that scripts can read.
func TestABrowserThatOpensALinkIsSignedInAndForgetsIt(t *testing.T) {
	w := playing(t, "")
	for name, link := range map[string]string{"a link": w.link(), "Telegram's word": w.url + "/in?game=1#" + word} {
		p := browser(t).open(t, 900, link)
		_, shown, _ := strings.Cut(link, "#")
		if shown == word { // eve does not play
			p.until(`document.querySelector("article")?.textContent.includes("no game #1")`)
		} else {
			p.until(`location.pathname === "/game/1" && document.querySelectorAll("[data-mine]").length === 10`)
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

// TestABrowserIsToldOfALinkThatIsNotGood opens one.
func TestABrowserIsToldOfALinkThatIsNotGood(t *testing.T) {
	w := build(t)
	p := browser(t).open(t, 400, w.url+"/in?game=1#nonsense")
	p.until(`document.querySelector("article")?.textContent.includes("has ended")`)
	if got := eval[string](p, `location.href`); strings.Contains(got, "nonsense") {
		t.Errorf("it is left in %s", got)
	}
}
