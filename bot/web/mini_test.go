package web

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// around is a page that acts like Telegram's web app around a Mini App.
const around = `<!doctype html><style>* { margin: 0 } iframe { border: 0; width: 100vw; height: 100vh; display: block }</style>
<script>
window.log = [];
window.tell = (eventType, eventData) => frames[0].postMessage(JSON.stringify({ eventType, eventData }), location.origin);
addEventListener("message", ({ data }) => {
  const { eventType, eventData } = JSON.parse(data);
  log.push(eventType + " " + JSON.stringify(eventData));
  if (eventType === "web_app_check_home_screen") tell("home_screen_checked", { status: "missed" });
  if (eventType === "web_app_request_content_safe_area") tell("content_safe_area_changed", { top: 46 });
});
</script>
<iframe src="/in#{launch}"></iframe>`

// inApp opens the Mini App as ann does, from a link to game 1.
func (w *town) inApp(t *testing.T, b *chromium, version string) *tab {
	t.Helper()
	launch := url.Values{
		"tgWebAppData": {"ann&start_param=g1"}, "tgWebAppVersion": {version},
		"tgWebAppThemeParams": {`{"bg_color":"#17212b","secondary_bg_color":"#232e3c","text_color":"#f5f5f5"}`},
	}
	p := b.framed(t, w.url+"/telegram?launch="+url.QueryEscape(launch.Encode()))
	p.until(p.doc + `.querySelector(".board") && ` + p.doc + `.documentElement.classList.contains("live")`)
	p.until(`log.some((e) => e.startsWith("web_app_ready"))`)
	return p
}

// posts waits until the page has sent Telegram an event.
func (p *tab) posts(event string) {
	p.t.Helper()
	p.until(fmt.Sprintf(`log.includes(%q)`, event))
}

func TestAMiniAppIsAtHomeInTelegram(t *testing.T) {
	w := playing(t, "")
	p := w.inApp(t, browser(t), "8.0")
	p.until(p.doc + `.location.pathname === "` + w.site.GamePath(1) + `" && !frames[0].location.hash`)
	for _, event := range []string{
		`web_app_expand {}`, `web_app_setup_back_button {"is_visible":true}`, `web_app_setup_swipe_behavior {"allow_vertical_swipe":false}`,
		`web_app_set_background_color {"color":"#232e3c"}`, `web_app_set_header_color {"color_key":"secondary_bg_color"}`,
	} {
		p.posts(event)
	}
	p.until(`frames[0].getComputedStyle(` + p.doc + `.body).backgroundColor === "rgb(35, 46, 60)"`)
	if eval[bool](p, p.doc+`.querySelector(".home, .speak, header a:not([href='/']):not([href^='/'])") !== null || `+p.doc+`.querySelector("header").offsetHeight !== 46`) {
		t.Error("the head of the site is seen")
	}
	moves := steps(t, "chess", "f2f3 e7e5 g2g4 d8h4")
	p.plays(moves[0], false)
	p.shows(1)
	p.posts(`web_app_trigger_haptic_feedback {"type":"impact","impact_style":"light"}`)
	for _, said := range []string{"ben e5", "ann g4", "ben Qh4"} {
		w.hears(said[:3], "", said[4:])
	}
	p.posts(`web_app_trigger_haptic_feedback {"type":"notification","notification_type":"error"}`) // ann has lost
	share := p.doc + `.querySelector("[data-share]").click()`
	p.do(chromedp.Evaluate[chromedp.Void](share)) // no message can be prepared, so it is a link
	p.until(`log.some((e) => e.startsWith("web_app_open_tg_link") && e.includes("/share/url?"))`)
	w.site.Prepare = func(_ context.Context, account, title, button, address string) (string, error) {
		return strings.Join([]string{account, title, button, address}, "|"), nil
	}
	p.do(chromedp.Evaluate[chromedp.Void](share))
	p.until(fmt.Sprintf(`log.some((e) => e.startsWith("web_app_send_prepared_message") && e.includes(%q))`, w.url+w.site.GamePath(1)))
	p.tap("[data-app=full]")
	p.posts(`web_app_request_fullscreen {}`)
	p.do(chromedp.Evaluate[chromedp.Void](`tell("fullscreen_failed", { error: "ALREADY_FULLSCREEN" })`))
	p.posts(`web_app_exit_fullscreen {}`)
	p.tap("[data-app=keep]")
	p.posts(`web_app_add_to_home_screen {}`)
	p.do(chromedp.Evaluate[chromedp.Void](`tell("home_screen_added", {}); tell("theme_changed", { theme_params: { bg_color: "#ffffff", text_color: "#000000" } })`))
	p.until(p.doc + `.querySelector("[data-app=keep]").hidden && frames[0].getComputedStyle(` + p.doc + `.body).backgroundColor === "rgb(255, 255, 255)"`)
	p.do(chromedp.Evaluate[chromedp.Void](`tell("back_button_pressed", {})`))
	p.until(p.doc + `.location.pathname === "/"`)
	p.posts(`web_app_setup_back_button {"is_visible":false}`)
	p.until(`frames[0].getComputedStyle(` + p.doc + `.body).backgroundColor === "rgb(255, 255, 255)"`)
}

func TestAMiniAppAsksAnOldTelegramForNothingThatItDoesNotKnow(t *testing.T) {
	w := playing(t, "")
	p := w.inApp(t, browser(t), "7.6")
	p.posts(`web_app_request_theme {}`)
	if all := eval[string](p, `log.join("\n")`); eval[bool](p, `log.some((e) => /swipe|safe_area|home_screen/.test(e))`) {
		t.Error(all)
	}
	if eval[bool](p, p.doc+`.querySelector("[data-app=full]").checkVisibility()`) {
		t.Error("a full screen is offered")
	}
}
