package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"chimera/bot/limit"
	"chimera/render/diagram"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

func TestEachGameShowsAMoveThatIsSpecialInIt(t *testing.T) {
	at := open(t)
	for _, v := range variants.All() {
		finds(t, http.StatusOK, at+"/shown/"+v.Key+"/move/wood", nil, ` width="500" height="200" `) // only a part of the board
		for _, theme := range diagram.Themes() {
			finds(t, http.StatusOK, fmt.Sprintf("%s/shown/%s/move/%v", at, v.Key, theme), nil, `<svg xmlns="http://www.w3.org/2000/svg"`, "<use ")
		}
		finds(t, http.StatusOK, at+"/", nil, `src="/shown/`+v.Key+`/move/wood"`, `href="/play/`+v.Key+`"`, `href="/learn/`+v.Key+`/1"`, `href="/puzzle/`+v.Key+`"`)
	}
	_, text := visit(t, at+"/", nil)
	today := regexp.MustCompile(`aria-labelledby="today">\s*<picture><source [^>]*><img src="([^"]*)"`).FindStringSubmatch(text)
	if today == nil {
		t.Fatal(text)
	}
	finds(t, http.StatusOK, at+today[1], nil, "<use ")
	for _, path := range []string{"/shown/chess/0/wood", "/shown/chess/99999/wood", "/shown/checkers/move/wood", "/shown/chess/move/glass", "/shown/chess/all/wood", "/play/checkers"} {
		finds(t, http.StatusNotFound, at+path, nil)
	}
}

func TestALevelIsChosenByWhatItPlaysLike(t *testing.T) {
	at := open(t)
	finds(t, http.StatusOK, at+"/play/stealth", nil, "a club player", `value="3" checked`)
	finds(t, http.StatusOK, at+"/", url.Values{"game": {"stealth"}, "against": {"5"}, "color": {"black"}}, "Stealth Bomber Chess #1", "Chimera 5")
}

func TestALanguageIsChosenWithoutScriptsAndStays(t *testing.T) {
	w, ann := signedIn(t)
	for name, b := range map[string]*jarred{"somebody who is signed in": ann, "a stranger": w.browser()} {
		answer, text := b.asks(w.url+"/language", url.Values{"language": {"de"}, "to": {"/rules?from=1"}})
		if answer.URL.Path != "/rules" || !strings.Contains(text, `<html lang="de">`) {
			t.Errorf("%s is led to %v: %s", name, answer.URL, text)
		}
		b.finds(http.StatusOK, w.url+"/", nil, "Schach, aber")
		for _, elsewhere := range []string{"//elsewhere.example", "https://elsewhere.example/", "nonsense", ""} {
			if answer, _ := b.asks(w.url+"/language", url.Values{"language": {"fr"}, "to": {elsewhere}}); answer.URL.String() != w.url+"/" {
				t.Errorf("%s is led by %q to %v", name, elsewhere, answer.URL)
			}
		}
		b.finds(http.StatusNotFound, w.url+"/language", url.Values{"language": {"tlh"}})
		b.finds(http.StatusOK, w.url+"/", nil, `<html lang="fr">`)
	}
	if told := w.hears("ann", "", "settings"); !strings.Contains(told[0].Text.Plain(), "Français") {
		t.Errorf("in the chat: %v", told)
	}
	c := newClub(t)
	screen := w.browser()
	screen.asks(c.at+"/language", url.Values{"language": {"ru"}})
	screen.finds(http.StatusOK, c.at+"/", nil, `<html lang="ru">`)
	screen.finds(http.StatusOK, c.at+"/settings", nil, `value="ru" selected`, `name="name" value="Игрок 1"`)
	screen.finds(http.StatusOK, c.at+"/people/me", nil, "<h1>Игрок 1</h1>")
	for _, path := range []string{"/", "/play/chess", "/rules/chess", "/learn", "/learn/chess/1", "/puzzle/chess"} {
		screen.finds(http.StatusOK, c.at+path, nil, "Шахматы")
	}
	screen.finds(http.StatusOK, c.at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}}, "<title>Шахматы #1")
	for _, path := range []string{"/", "/games", "/archive?result=*"} {
		screen.finds(http.StatusOK, c.at+path, nil, "Шахматы")
	}
	screen.finds(http.StatusOK, c.at+"/games", nil, `<a href="/archive?mine=on">`, `<a href="/lobby">Лобби</a>`)
	screen.finds(http.StatusOK, c.at+"/settings", url.Values{"language": {"fr"}, "name": {" Ada  L. "}}, `<html lang="fr">`, `name="name" value="Ada L."`)
	screen.finds(http.StatusOK, c.at+"/people/me", nil, "<h1>Ada L.</h1>")
	screen.finds(http.StatusOK, c.at+"/settings", url.Values{"name": {"@" + strings.Repeat("x", 5000)}}, `name="name" value="`+strings.Repeat("x", 39)+`…"`)
	_, text := screen.asks(c.at+"/settings", url.Values{"language": {"auto"}, "name": {"\u200b"}}, "Accept-Language", "es")
	says(t, text, `<html lang="es">`, `value="auto" selected`, `name="name" value="Jugador 1"`)
	c = newClub(t)
	screen.asks(c.at+"/language", url.Values{"language": {"ru"}})
	c.shows("/") // another browser has its own choice
	finds(t, http.StatusOK, c.at+"/", nil, `<html lang="en">`)
	screen.asks(c.at+"/settings", url.Values{"language": {"de"}})
	screen.asks(c.at+"/language", url.Values{"language": {"fr"}})
	screen.asks(c.at+"/", url.Values{"game": {"chess"}, "against": {"guest"}, "color": {"white"}})
	for _, as := range []string{"host", "guest"} {
		screen.finds(http.StatusOK, c.at+"/game/1?as="+as, nil, `<html lang="fr">`)
	}
}

func TestACharacterSpeaksUnlessItsOpponentWantsItSilent(t *testing.T) {
	c := newClub(t)
	at := c.at
	visit(t, at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"black"}, "face": {"greta"}})
	c.bot.Thinker.Settle(t.Context(), slog.New(slog.DiscardHandler))
	const said = "Greta 1: “"
	finds(t, http.StatusOK, at+"/game/1", nil, said)
	visit(t, at+"/settings", url.Values{"banter": {"off"}})
	if _, text := visit(t, at+"/game/1", nil); strings.Contains(text, said) {
		t.Error(text)
	}
}

func TestTwoAtOneScreenHaveNamesInTheirGameAloneAndTheBoardTurnsIfTheyWant(t *testing.T) {
	disk := new(kvtest.Disk)
	c := clubOn(t, disk.Open("db"))
	at := c.at
	finds(t, http.StatusOK, at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}}, "You")
	finds(t, http.StatusOK, at+"/play/chess", nil, `name="white" placeholder="Player 1"`, `name="black" placeholder="Player 2"`)
	two := url.Values{"game": {"chess"}, "against": {"guest"}, "white": {"Anna"}, "black": {" Ben  B. "}}
	finds(t, http.StatusOK, at+"/", two, "Anna", "Ben B.", "Anna (White) to move")
	_, text := visit(t, at+"/game/2", url.Values{"text": {"e4"}})
	if strings.Index(text, `data-square="a8"`) > strings.Index(text, `data-square="h1"`) {
		t.Error("the board turns unasked")
	}
	says(t, text, "Ben B. (Black) to move", "!Your move (")
	two.Set("turn", "on")
	two.Set("white", "Eve")
	finds(t, http.StatusOK, at+"/", two, "#3", "Eve")
	if _, text = visit(t, at+"/game/3", url.Values{"text": {"e4"}}); strings.Index(text, `data-square="a8"`) < strings.Index(text, `data-square="h1"`) {
		t.Error("the board does not turn")
	}
	if _, text = visit(t, at+"/game/2", nil); strings.Index(text, `data-square="a8"`) > strings.Index(text, `data-square="h1"`) {
		t.Error("another game's board turns too")
	}
	finds(t, http.StatusOK, at+"/archive", nil, "Player 1", "Chimera 1", "Anna", "Eve")
	finds(t, http.StatusOK, at+"/game/2/game.txt", nil, "Anna (White) vs Ben B. (Black)")
	finds(t, http.StatusOK, at+"/people/me", nil, "<h1>Player 1</h1>", "No game has ended yet. Your first one will stand here.", `href="/settings">Name`)
	finds(t, http.StatusOK, at+"/game/2", url.Values{"press": {"resign 2 1"}})
	finds(t, http.StatusOK, at+"/game/2", url.Values{"press": {"resign-yes 2 -"}}, "Anna (White) won.")
	finds(t, http.StatusOK, at+"/game/2", url.Values{"press": {"rematch 2 -"}}, "#4", "Ben B. (White) to move")
	finds(t, http.StatusOK, at+"/game/4", url.Values{"text": {"e4"}}, "Anna (Black) to move")
	finds(t, http.StatusOK, at+"/game/4", url.Values{"press": {"takeback 4 1"}}, "Ben B. (White) to move")
	finds(t, http.StatusOK, at+"/game/4", url.Values{"press": {"draw 4 0"}})
	finds(t, http.StatusOK, at+"/game/4", url.Values{"press": {"draw-yes 4 -"}}, "A draw.")
	finds(t, http.StatusOK, at+"/game/1", url.Values{"text": {"e4"}})
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"resign 1 1"}})
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"resign-yes 1 -"}}, "You lost.")
	finds(t, http.StatusOK, at+"/game/1/game.txt", nil, "Player 1 (White) vs Chimera 1 (Black)\n#1, ", "\nLevel 1 plays about as well as someone who has just learned the moves.\n1. e4 ")
	finds(t, http.StatusOK, at+"/people/me", nil, "<b>0%</b>", `Chess level 1</th><td class="figure">0</td><td class="figure">0</td><td class="figure">1</td>`, "!vs Guest")
}

func TestOneOfEachGameIsPlayedAgainstTheComputerAtOnceAndWhoPlaysTooManySeesThem(t *testing.T) {
	c := newClub(t)
	games := variants.All()
	if limit.Practices < len(games) {
		t.Fatalf("%d games", limit.Practices)
	}
	for i := range limit.Practices {
		finds(t, http.StatusOK, c.at+"/", url.Values{"game": {games[i%len(games)].Key}, "against": {"1"}, "color": {"white"}}, fmt.Sprintf("#%d", i+1))
		if i == 0 {
			visit(t, c.at+"/game/1", url.Values{"text": {"a3"}})
		}
	}
	finds(t, http.StatusUnprocessableEntity, c.at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}},
		"already have", "Continue", "Chimera 1", `href="`+c.site.GamePath(1)+`"`, `href="/games"`, `<a href="/games"><code>games</code></a>`)
}

func TestWhoNamesTwoPlayersIsNotLedToTheComputer(t *testing.T) {
	b, c := browser(t), newClub(t)
	p := b.open(t, 1440, c.at+"/play/stealth")
	color := func(form string) string {
		return eval[string](p, `getComputedStyle(document.querySelector("`+form+` > .first")).backgroundColor`)
	}
	if color(".begin") != color(".two") || eval[bool](p, `document.querySelector(".begin > .first").textContent === document.querySelector(".two > .first").textContent`) {
		t.Error("the buttons do not say what differs")
	}
	eval[bool](p, `((e) => { e.value = "Ann"; return true; })(document.querySelector("[name=white]"))`)
	if color(".begin") == color(".two") {
		t.Error("the game against the computer is still what is offered first")
	}
	p.tap(".two > .first")
	p.until(`document.getElementById("game")?.innerText.includes("Ann (White) to move")`)
}

func TestALanguageIsSwitchedWhereOneIs(t *testing.T) {
	b, s := browser(t), serve(t)
	for _, width := range []int64{360, 1440} {
		p := b.open(t, width, s.address("/play/chess"), chromedp.EmulateTouch)
		p.tap("form.begin button")
		p.until(`document.getElementById("game") && document.readyState === "complete"`)
		at := eval[string](p, `location.pathname`)
		if tabs := eval[string](p, `getComputedStyle(document.querySelector(".rooms")).display`); (tabs == "none") != (width == 360) {
			t.Errorf("beside a game on a screen of %d, the rooms are %s", width, tabs)
		}
		p.tap(".speak summary")
		y := eval[float64](p, `(scrollTo(0, 60), document.querySelector(".speak [value=de]").click(), scrollY)`)
		p.until(`document.documentElement?.lang === "de" && document.querySelector("header nav")?.textContent.includes("Lernen")`)
		if now := eval[string](p, `location.pathname`); now != at {
			t.Errorf("%s is now %s", at, now)
		}
		p.until(fmt.Sprintf(`scrollY === %v`, y))
	}
}
