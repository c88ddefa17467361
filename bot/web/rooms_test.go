package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

func TestSettingsAreChosenWithoutScriptsAndKept(t *testing.T) {
	c := newClub(t)
	finds(t, http.StatusOK, c.at+"/settings", nil, `value="wood"`, `name="timezone" value="UTC"`)
	finds(t, http.StatusOK, c.at+"/settings", url.Values{"theme": {"night"}, "timezone": {"Europe/Zurich"}, "coords": {"outside"}, "pieces": {"letters"}, "language": {"de"}}, "Gespeichert.")
	finds(t, http.StatusOK, c.at+"/settings", nil, `value="night" checked`, `src="/shown/combine/move/night?coords=outside&amp;pieces=letters"`, `name="timezone" value="Europe/Zurich"`, `value="outside" selected`, "Einstellungen")
	for _, path := range []string{"/rules", "/rules/stealth", "/learn"} {
		finds(t, http.StatusOK, c.at+path, nil, `/night?pieces=letters" alt=""`, "!/wood")
	}
	finds(t, http.StatusOK, c.at+"/shown/combine/move/night?pieces=letters", nil, ">RN<", "!>a<")
	finds(t, http.StatusOK, c.at+"/shown/combine/move/night?coords=outside&pieces=letters", nil, ">a<")
	finds(t, http.StatusUnprocessableEntity, c.at+"/settings", url.Values{"timezone": {"Atlantis"}}, `value="Atlantis"`, "„Atlantis“")
	finds(t, http.StatusOK, c.at+"/settings", url.Values{"timezone": {"Paris"}}, `name="timezone" value="Europe/Paris"`)
}

func TestTheArchiveFindsGamesByWhatIsAsked(t *testing.T) {
	c := build(t)
	c.ends("club")
	c.hears("ann", "club", "challenge @ben stealth white")
	c.hears("ben", "club", "accept")
	finds(t, http.StatusOK, c.url+"/archive", nil, "<b>ann</b>", "#2", "Chess #1", "0-1")
	for query, want := range map[string][2]string{
		"who=ANN": {"#1", "No game"}, "who=eve": {"No game", "#1"}, "result=0-1": {"#1", "#2"}, "result=*": {"#2", "#1"}, "length=long": {"No game", "<b>ann"},
		"until=2001-01-01": {"No game", "<b>ann"}, "from=2001-01-01": {"<b>ann</b>", "No game"}, "game=stealth": {"#2", "#1"},
		"before=" + c.site.code(ofGames, 2): {"#1", "#2"}, "before=2": {"#2", "No game"},
	} {
		_, text := visit(t, c.url+"/archive?"+query, nil)
		_, text, _ = strings.Cut(text, "<main")
		says(t, text, want[0], "!"+want[1])
	}
	_, text := visit(t, c.url+"/archive?before="+c.site.code(ofGames, 9)+"&who=eve&game=chess&result=0-1&length=short&from=2001-02-03&mine=on", nil)
	answer, form, _ := strings.Cut(text, `<form method="get"`)
	says(t, form, "!No game")
	says(
		t, answer, "No game matches.", ">eve ✕<", ">Chess ✕<", ">Black won ✕<", ">up to 20 moves ✕<", ">From 2001-02-03 ✕<", ">Only my games ✕<",
		`"/archive?from=2001-02-03&amp;game=chess&amp;length=short&amp;mine=on&amp;result=0-1" aria-label="Search again without “eve”"`, `finder" open`,
	)
	finds(t, http.StatusUnprocessableEntity, c.url+"/archive?from=soon", nil, "no date")
}

func TestGamesOfAGroupThatKeepsThemToItselfAreNotSeenFromOutside(t *testing.T) {
	w := build(t)
	w.hears("ann", "club", "challenge @ben chess white")
	w.hears("ben", "club", "accept")
	finds(t, http.StatusOK, w.url+"/archive", nil, "<b>ann</b>")
	finds(t, http.StatusOK, w.url+"/lobby", nil, "<b>ann</b>")
	w.hears("ann", "club", "settings here public off")
	for _, path := range []string{"/archive", "/lobby"} {
		finds(t, http.StatusOK, w.url+path, nil, "!<b>ann</b>")
	}
	finds(t, http.StatusNotFound, w.url+"/game/1", nil)
}

func TestAChallengeThatIsOpenedOnAPageIsTakenThereByAnybody(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann, eve := w.ann(), w.browser()
	w.signsIn(eve, w.url+"/in#"+word)
	mark := regexp.MustCompile(`data-mark="[^"]+"`)
	_, before := eve.asks(w.url+"/lobby", nil)
	ann.finds(http.StatusOK, w.url+"/lobby", url.Values{"game": {"stealth"}, "days": {"3d"}}, `value="call-off 2 -"`)
	if _, after := eve.asks(w.url+"/lobby", nil); mark.FindString(before) == mark.FindString(after) {
		t.Error("windows that are open hear of no news")
	}
	eve.finds(http.StatusOK, w.url+"/lobby", nil, `value="join 2 -"`)
	eve.finds(http.StatusOK, w.url+"/lobby", url.Values{"press": {"join 2 -"}}, `id="game"`)
	finds(t, http.StatusOK, w.url+"/lobby", nil, "!<b>eve</b>")
}

func TestANewChallengeIsSeenInAnotherWindow(t *testing.T) {
	b, w := browser(t), playing(t, "")
	in := func(width int64, link string) *tab {
		p := b.open(t, width, link)
		p.until(`!location.pathname.startsWith("/in")`)
		p.do(chromedp.Navigate(w.url + "/lobby"))
		p.until(`document.getElementById("waiting") && document.documentElement.classList.contains("live")`)
		return p
	}
	ann, eve := in(1440, w.link()), in(360, w.url+"/in#"+word)
	ann.tap(`form[aria-labelledby] button`)
	ann.until(`document.querySelector("#waiting [value^='call-off']")`)
	eve.until(`document.querySelector("#waiting [value^='join']")`)
	eve.tap(`#waiting [value^='join']`)
	eve.until(`document.querySelector("#game")`)
	ann.until(`!document.querySelector("#waiting [value^='call-off']")`)
}

func TestWhoIsAloneAtAComputerIsLedToTwoAtOneScreen(t *testing.T) {
	s := serve(t)
	finds(t, http.StatusOK, s.address("/lobby"), nil, `#two">Two at this screen`, `<a href="/games" aria-current`, ">Being played now<", "!Open a challenge") // which nobody else could take
}

func TestAPieceMadeAgainstTheComputerComesIntoTheBestiary(t *testing.T) {
	b, s := browser(t), serve(t)
	_, text := visit(t, s.address("/"), url.Values{"game": {"combine"}, "against": {"1"}, "color": {"white"}})
	_, id, _ := strings.Cut(text, `data-game="`)
	id, _, _ = strings.Cut(id, `"`)
	p := b.phone(t, s.address("/game/"+id))
	p.fingers(step{from: "a1", to: "b1"})
	p.until(`document.querySelector("main").dataset.ply === "1"`)
	for _, press := range []string{eval[string](p, `document.querySelector("[value^='resign ']").value`), "resign-yes 1 -"} {
		visit(t, s.address("/game/"+id), url.Values{"press": {press}})
	}
	p.until(`/^New in your bestiary\s+rook-knight$/i.test(document.querySelector("a.fresh")?.innerText)`)
	p.tap("a.fresh")
	p.until(`document.querySelector(".beasts .fresh")?.innerText.includes("\n")`) // with its style sheet
	p.until(`document.documentElement.scrollWidth <= 360`)
	if got := eval[string](p, `document.getElementById("of-combine").innerText + ": " + document.querySelector(".beasts .fresh").innerText.split("\n").join(", ")`); got != "Combine Chess 1 of 4: Rook-knight, New, First in #1" {
		t.Errorf("it shows %q", got)
	}
	p.tap(`.beasts .fresh a[href*="/game/"]`)
	p.until(`location.pathname === "/game/` + id + `"`)
	p = b.phone(t, s.address("/people/me"))
	p.tap(`.beasts .fresh a`)
	p.until(`location.pathname === "/rules/combine/RN" && document.querySelector("h1")?.innerText === "Rook-knight"`)
	p.do(chromedp.Navigate(s.address("/rules/stealth/NWF")))
	p.until(`[...document.querySelectorAll(".parts img")].map((i) => i.src.split("/")[5]).join(" ") === "N WF NWF"`)
	p.tap(`main p a`)
	p.until(`document.querySelector("[href='/rules/stealth/NWF']")?.checkVisibility() && document.getElementById("of-stealth").getBoundingClientRect().top > 52`) // unfolded, and its heading is seen
}

func TestASettingIsSavedAtOnceAndPagesAreDarkForWhomWantsThat(t *testing.T) {
	b, c := browser(t), newClub(t)
	p := b.open(t, 1440, c.at+"/settings")
	choose := func(id, how, want string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`((e) => (e.%s, e.dispatchEvent(new Event("change", { bubbles: true }))))(document.getElementById(%q))`, how, id))
		p.until(fmt.Sprintf(`document.getElementById(%q).closest(".choice").querySelector("output")?.textContent.includes(%q)`, id, want))
	}
	choose("set-bars", "checked = false", "Saved.")
	choose("set-timezone", `value = "Atlantis"`, "Atlantis")
	choose("set-timezone", `value = "Paris"`, "Saved.")
	p.until(`document.getElementById("set-timezone").value === "Europe/Paris" && document.getElementById("set-timezone").parentElement.lastChild.textContent === "Saved."`)
	eval[any](p, `document.getElementById("name").select(); window.stays = true`)
	p.press("A", "d", "a", "\r")
	p.until(`window.stays && document.getElementById("name").parentElement.lastChild.textContent === "Saved."`)
	p.tap("[data-own]") // the browser's own time zone
	p.until(`document.getElementById("set-timezone").value === Intl.DateTimeFormat().resolvedOptions().timeZone`)
	p.tap(".themes [value=print]")
	p.until(`document.querySelector(".themes ~ output")?.textContent === "Saved."`)
	choose("look", `value = "dark"`, "Saved.")
	p.until(`getComputedStyle(document.body).backgroundColor === "rgb(25, 21, 18)"`)
	choose("set-pieces", `value = "letters"`, "Saved.")
	choose("set-coords", `value = "outside"`, "Saved.")
	p.until(`[...document.querySelectorAll(".themes img")].every((i) => i.currentSrc.endsWith("?coords=outside&pieces=letters"))`)
	choose("set-coords", `value = "inside"`, "Saved.")
	choose("set-pieces", `value = "figures"`, "Saved.")
	for _, path := range []string{"", "/", "/rules/stealth"} {
		if path != "" {
			p.do(chromedp.Navigate(c.at + path))
		}
		if paper := eval[string](p, `getComputedStyle(document.body).backgroundColor`); paper != "rgb(25, 21, 18)" {
			t.Errorf("%s is %s", path, paper)
		}
	}
	if shown := eval[string](p, `(document.querySelector("picture img") ?? document.body).currentSrc ?? ""`); !strings.HasSuffix(shown, "/print") {
		t.Errorf("a picture is %s", shown)
	}
	finds(t, http.StatusOK, c.at+"/settings", nil, `id="set-bars" name="bars" value="on" aria-describedby="about-bars">`, `value="print" checked`, `name="name" value="Ada"`)
}
