package web

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"chimera/bot/message"
	"chimera/storage"
)

// league is a town with a chess league, in the middle of a season with ann, ben and others.
func league(t *testing.T, others ...string) *town {
	t.Helper()
	w := build(t)
	w.hears("ann", "club", "settings here league chess 2w 4")
	for _, name := range append([]string{"ann", "ben"}, others...) {
		w.hears(name, "", "hello")
		w.hears(name, "club", "league join")
	}
	w.passes(9)
	return w
}

// passes moves the clock on by days, and does the leagues' work.
func (w *town) passes(days int) {
	w.t.Helper()
	for range 4 * days {
		w.past.Add(int64(6 * time.Hour))
		must(w.t, w.bot.Seasons.Work(w.t.Context()))
	}
}

// between is the game in progress of two people in the league.
func (w *town) between(one, other string) storage.GameID {
	w.t.Helper()
	agenda, err := w.bot.Agenda(w.t.Context(), message.Incoming{From: chatter(one), Place: storage.Address{Platform: "telegram", ID: "chat of " + one}, Private: true})
	must(w.t, err)
	for _, line := range append(agenda.Mine, agenda.Theirs...) {
		if line.Item.Opponent == other {
			return line.Game
		}
	}
	w.t.Fatalf("%s does not play %s", one, other)
	return 0
}

func TestADivisionIsShownToWhoIsInTheLeague(t *testing.T) {
	w := league(t, "eve", "dan")
	ann, stranger := w.ann(), nobody(t)
	at := "/league/" + w.site.ServerCode(1)
	ann.finds(http.StatusOK, w.url+"/league", nil, `href="`+at+`/chess"`, "Chess league")
	for _, path := range []string{"", "/chess", "/chess/events"} {
		stranger.finds(http.StatusNotFound, w.url+at+path, nil)
	}
	for _, path := range []string{"/league/1/chess", "/league/" + w.site.ServerCode(2) + "/chess", at + "/stealth", at + "/chess?season=2", at + "/chess?division=2"} {
		ann.finds(http.StatusNotFound, w.url+path, nil)
	}
	stranger.finds(http.StatusOK, w.url+"/league", nil, "signed in")
	stranger.finds(http.StatusForbidden, w.url+"/people/me", nil, "signed in")
	game := w.between("ann", "ben")
	mark := regexp.MustCompile(`data-mark="[^"]+"`)
	_, before := ann.asks(w.url+at+"/chess", nil)
	if n := strings.Count(before, `">·</a>`); n != 6 || strings.Count(before, w.site.GamePath(game)+`"`) < 3 {
		t.Errorf("%d of ann's three games are linked, each twice: %s", n, before)
	}
	sound(t, before)
	w.hears("ben", "", fmt.Sprintf("#%d resign", game))
	w.hears("ben", "", fmt.Sprintf("#%d resign", game))
	_, after := ann.asks(w.url+at+"/chess", nil)
	if mark.FindString(before) == mark.FindString(after) {
		t.Error("windows that are open hear of no result")
	}
	if line := textWithin(element(sound(t, after), "tbody")); !strings.HasPrefix(line, "1 ann You 1 ╲ 1 · · 2 ben 0 0 ╲") {
		t.Errorf("the table is %q", line)
	}
	ann.finds(http.StatusOK, w.url+w.site.GamePath(game), nil, "League, division 1")
	ann.finds(http.StatusOK, w.url+w.site.GamePath(game)+"/division", nil, "Season 1 ends")
	w.passes(14)
	w.passes(9)
	ann.finds(http.StatusOK, w.url+at+"/chess", nil, "Season 2", "season=1&amp;division=1")
	ann.finds(http.StatusOK, w.url+at+"/chess?season=1&division=1", nil, "Season 1")
}

func TestALadderIsShownToWhoHasPlayedThere(t *testing.T) {
	w := build(t)
	w.hears("ben", "club", "ladder join stealth")
	w.hears("ann", "club", "ladder join stealth")
	w.plays("club")
	ann := w.ann()
	ann.finds(http.StatusOK, w.url+"/league", nil, "A league is played for weeks")
	w.moves("club", "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 resign")
	w.hears("ann", "club", "resign")
	_, text := ann.asks(w.url+"/league/"+w.site.ServerCode(1), nil)
	if main := textWithin(element(sound(t, text), "main")); !strings.Contains(main, "Stealth Bomber Chess ladder Telegram, server 1. ben: holder of the belt since") || !strings.HasSuffix(main, "ben ann You") {
		t.Error(main)
	}
	nobody(t).finds(http.StatusNotFound, w.url+"/league/"+w.site.ServerCode(1), nil)
}

func TestADivisionIsSeenOnAPhoneAndChangesInPlace(t *testing.T) {
	w := league(t, "eve", "dan", "bartholomew_the_third_of_saint_petersburg", "fay", "gil", "hal")
	p := browser(t).open(t, 360, w.url+"/in#"+word)
	p.until(`document.querySelector("#games")`)
	p.do(chromedp.Navigate(w.url + "/league/" + w.site.ServerCode(1) + "/chess"))
	p.until(`document.querySelector("#standing .mine")`)
	p.until(`document.documentElement.scrollWidth <= 360`)
	if small := eval[string](p, `[...document.querySelectorAll("main a")].map((a) => a.getBoundingClientRect()).filter((r) => r.height < 24).length + ""`); small != "0" {
		t.Errorf("%s links are too small", small)
	}
	w.hears("eve", "", fmt.Sprintf("#%d resign", w.between("eve", "dan")))
	w.hears("eve", "", fmt.Sprintf("#%d resign", w.between("eve", "dan")))
	p.until(`document.querySelector("#standing .mine .is4")?.innerText === "0"`)
	for _, path := range []string{"/lobby", "/people/me", "/settings"} {
		p.do(chromedp.Navigate(w.url + path))
		p.until(`document.documentElement.classList.contains("live") && document.querySelector("main .card")`)
		if out := eval[string](p, `[...document.querySelectorAll("main .card :is(b, img, label, input:not([type=hidden]))")].filter((e) => {
			const [inner, outer] = [e, e.closest(".card")].map((box) => box.getBoundingClientRect());
			return inner.left < outer.left || inner.right > outer.right || (e.matches(".stats b") && e.scrollWidth > e.clientWidth);
		}).map((e) => e.outerHTML).join("\n")`); out != "" {
			t.Errorf("%s: on no card lies %s", path, out)
		}
	}
	if axe, err := os.ReadFile(os.Getenv("CHIMERA_TEST_AXE")); err == nil {
		for _, path := range []string{"/league/" + w.site.ServerCode(1) + "/chess", "/league"} {
			p.do(chromedp.Navigate(w.url+path), chromedp.Evaluate[chromedp.Void](string(axe)))
			p.isAccessible("window", path)
		}
	}
}
