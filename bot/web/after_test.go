package web

import (
	"errors"
	"fmt"
	"image/gif"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ended plays a game between the two at a screen to its end, and returns its path.
func (s *served) ended(key string) string {
	s.t.Helper()
	path := s.begun(key)
	for _, g := range finished {
		if g.game == key {
			plays(s.t, s.address(path), g.moves)
		}
	}
	return path
}

// reviewed has a game of a number reviewed, and waits for that.
func (s *served) reviewed(path string, number int) {
	s.t.Helper()
	for range 60 {
		if _, text := visit(s.t, s.address(path), url.Values{"press": {fmt.Sprintf("review %d -", number)}}); strings.Contains(text, `class="curve"`) {
			return
		}
	}
	s.t.Fatal("no review is made")
}

func TestAGameIsKeptElsewhereInEachForm(t *testing.T) {
	s := serve(t)
	path := s.ended("combine")
	matches := func(pattern string) func(string) error {
		return func(file string) error {
			if !regexp.MustCompile(pattern).MatchString(file) {
				return errors.New(file)
			}
			return nil
		}
	}
	for name, good := range map[string]func(string) error{
		"board.png": func(file string) error { _, err := png.Decode(strings.NewReader(file)); return err },
		"game.gif":  func(file string) error { _, err := gif.DecodeAll(strings.NewReader(file)); return err },
		"game.txt":  matches(`^Combine Chess #1: Player 1 \(White\) vs Player 2 \(Black\)\n#1, .*\n.*Player 1.*\n.*4\. Qh5# 1-0(\n|$)`),
		"game.pgn":  matches(`\[White "Player 1"\]\n(?s:.*)\[Result "1-0"\]\n`),
		"board.fen": matches("^rnbqkbnr/p1ppp2p/5p2/1p4pQ/"),
	} {
		address := s.address(path + "/" + name)
		answer, file := nobody(t).asks(address, nil)
		if err := good(file); answer.StatusCode != http.StatusOK || err != nil {
			t.Errorf("%s: %d: %v", name, answer.StatusCode, err)
		}
		if is := answer.Header.Get("Content-Disposition"); !strings.HasPrefix(is, `attachment; filename="chimera-1.`) {
			t.Errorf("%s is %s", name, is)
		}
		if status, _ := visit(t, address, nil, "If-None-Match", answer.Header.Get("ETag")); status != http.StatusNotModified {
			t.Errorf("%s is sent again: %d", name, status)
		}
		for _, other := range []string{"/game/99/", "/game/x/"} {
			finds(t, http.StatusNotFound, s.address(other+name), nil)
		}
	}
	if _, file := visit(t, s.address(path+"/board.fen?ply=0"), nil); !strings.HasPrefix(file, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w") {
		t.Errorf("the first position is %s", file)
	}
	visit(t, s.address("/"), url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}})
	finds(t, http.StatusOK, s.address("/game/2/game.txt"), nil, "Player 1 (White) vs Chimera 1") // others read it
}

func TestPicturesArePaintedForStrangersAFewAtATime(t *testing.T) {
	w := playing(t, "club")
	busy := false
	for range cardBurst + 5 {
		answer, _ := nobody(t).asks(w.url+"/game/1/game.gif", nil)
		if busy = answer.StatusCode == http.StatusServiceUnavailable; busy {
			if answer.Header.Get("Retry-After") == "" || answer.Header.Get("ETag") != "" {
				t.Errorf("headers: %v", answer.Header)
			}
			break
		}
	}
	if !busy {
		t.Error("there is no end to it")
	}
}

func TestAReviewIsACurveThatLeadsToMoves(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.ended("stealth")
	s.reviewed(path, 1)
	p := b.open(t, 1440, s.address(path))
	if boards := eval[int](p, `[...document.querySelectorAll("main svg:has(.pieces)")].filter((e) => e.clientWidth > 200).length`); boards != 1 {
		t.Errorf("there are %d boards", boards)
	}
	p.until(`document.querySelector(".chances").getAttribute("aria-label").match(/^White’s chances: [0-9]+%$/) && document.querySelector("h1").textContent.includes("(Black) won.") && document.querySelector(".score a b")`)
	const at = `[...document.querySelectorAll(".moments a, .others, .try, .score, #act button")].map((e) => e.getBoundingClientRect().y + scrollY + " " + e.clientHeight).join()`
	const shown = `(() => { const [list, r] = [".score", ".score [aria-current]"].map((s) => document.querySelector(s).getBoundingClientRect()); return r.top >= list.top && r.bottom <= list.bottom && r.top > 0 && r.bottom < innerHeight; })()`
	want := eval[string](p, at)
	for n := eval[int](p, `document.querySelectorAll(".moments li").length`); n > 0; n-- {
		p.tap(fmt.Sprintf(".moments li:nth-child(%d) a", n))
		p.until(fmt.Sprintf(`document.querySelector(".moments li:nth-child(%d) [aria-current]") && document.querySelector(".review .told") && Number(document.getElementById("game").dataset.ply) === Number(new URLSearchParams(location.search).get("ply"))`, n))
		if got := eval[string](p, at); got != want {
			t.Errorf("turning point %d moves what is pressed from %s to %s", n, want, got)
		}
		if !eval[bool](p, shown) {
			t.Errorf("the move of turning point %d is not seen in the list", n)
		}
	}
	second := eval[string](p, `document.querySelectorAll(".points a")[1].getAttribute("href")`)
	p.tap(".points a:nth-child(2) .point")
	p.until(fmt.Sprintf(`new URL(%q, location).search === location.search`, second))
	p.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("at").focus()`))
	p.press(kb.Home)
	p.until(`document.getElementById("game").dataset.ply === "0" && document.activeElement.id === "at"`)
	p.press(kb.ArrowRight)
	p.until(`document.getElementById("game").dataset.ply === "1"`)
}

func TestOfEachMarkedMoveIsToldWhatWasBetterAndThatCanBeTried(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.ended("stealth")
	s.reviewed(path, 1)
	_, text := visit(t, s.address(path), nil)
	marked := regexp.MustCompile(`href="\?(ply=\d+)" >([^ ]+) <b title`).FindAllStringSubmatch(text, -1)
	if len(marked) < 5 || strings.Count(text, "??</a>")+strings.Count(text, "??</b></a>") < strings.Count(text, `title="blunder"`) {
		t.Errorf("%d moves are marked, and not all of them in the review: %s", len(marked), text)
	}
	for _, m := range marked {
		finds(t, http.StatusOK, s.address(path+"?"+m[1]), nil, `class="place told"><p><b>`, "would have", "<p>Then: <a href=")
	}
	taken := func(line string) int {
		_, text := visit(t, s.address(path+"?ply=10&plan=11"+line), nil)
		_, bars, _ := strings.Cut(text, `id="bars"`)
		bars, _, _ = strings.Cut(bars, "</g>")
		return strings.Count(bars, "<use")
	}
	if was, is := taken(""), taken("&line=B~Bd7"); is != was+1 {
		t.Errorf("of %d pieces that were taken, %d are seen after another", was, is)
	}
	p := b.open(t, 390, s.address(path), chromedp.EmulateMobile, chromedp.EmulateTouch)
	p.tap(".moments a")
	p.until(`document.querySelector(".review .told")`)
	mistake := eval[string](p, `document.getElementById("game").dataset.ply`)
	p.tap(".try") // another move instead of the mistake
	p.until(`/ was played here\./.test(document.querySelector(".tries .place")?.innerText) && document.querySelector(".tries .told") && document.querySelector("[data-mine]") && !document.getElementById("review")`)
	at := eval[string](p, `document.getElementById("game").dataset.ply`)
	if !eval[bool](p, at+" + 1 === "+mistake) {
		t.Errorf("instead of move %s, others are tried after %s", mistake, at)
	}
	better := eval[[]string](p, `[...document.querySelectorAll(".told p:nth-child(2) a")].map((a) => a.textContent)`)
	p.tap(".told p:nth-child(2) a:nth-of-type(2)")
	tried := func(moves ...string) {
		t.Helper()
		p.until(fmt.Sprintf(`(document.querySelector(".tried b")?.textContent ?? "").trim() === %q && document.querySelector("[data-mine]")`, strings.Join(moves, " ")))
	}
	tried(better[:2]...)
	mine := eval[string](p, `document.getElementById("game").dataset.choices.trim().split("\n").find((c) => /^[a-z]\d[a-z]\d\|\|\|/.test(c))`)
	p.plays(step{from: mine[:2], to: mine[2:4]}, false)
	p.until(`document.querySelectorAll(".tried b a").length === 3`)
	for n := 2; n >= 0; n-- {
		p.tap(`.tries .buttons a:nth-child(2)`)
		tried(better[:n]...)
	}
	p.press(kb.ArrowRight) // what was tried is not lost
	tried(better[:1]...)
	p.press(kb.ArrowLeft)
	tried()
	p.press(kb.ArrowLeft) // it is kept before the move at which it began, too
	p.until(`document.getElementById("game").dataset.ply === String(` + at + ` - 1) && location.search.includes("ahead=")`)
	for n := 1; n <= 2; n++ {
		p.press(kb.ArrowRight)
		p.until(fmt.Sprintf(`document.querySelectorAll(".tried b a").length === %d && document.querySelector(".tried small")`, n))
	}
	p.tap(".tried small a:last-child") // to the end of it, and back to its second move
	p.until(`document.querySelectorAll(".tried b a").length === 4 && !document.querySelector(".tried small a")`)
	p.tap(".tried b a:nth-child(2)")
	p.until(`document.querySelectorAll(".tried b a").length === 2 && document.querySelectorAll(".tried small a").length === 2`)
	p.tap(`.tries .buttons a`)
	p.until(`document.getElementById("review") && document.getElementById("game").dataset.ply === "` + mistake + `"`)
	p.tap(square("e1")) // of a touched piece is shown where it could go
	p.until(`document.querySelector("[aria-selected]")`)
	p.tap(".try")
	p.until(`document.querySelector(".tries .told") && document.querySelector("[data-mine]") && !document.getElementById("review")`)
	const steady = `[...document.querySelectorAll(".tries .buttons > *, .tools > *")].map((e) => e.getBoundingClientRect().y + scrollY).join()`
	want := eval[string](p, steady)
	turn := eval[string](p, `document.querySelector(".place > p b").textContent.split(" ")[0]`)
	other := map[string]string{"White": "e8", "Black": "e1"}[turn]
	p.tap(square(other)) // which is told of, but cannot move
	p.until(`document.querySelector(".place #met")`)
	p.tap(square(eval[string](p, `[...document.querySelectorAll("[data-square]")].find((r) => r.ariaLabel.includes("empty")).dataset.square`)))
	p.until(fmt.Sprintf(`document.querySelector(".place article")?.textContent.trim() === "It's %s's turn here."`, turn))
	p.tap(".place .shut")
	p.tap(".told p:nth-child(2) a")
	p.until(`document.querySelectorAll(".tried small a").length > 1 && document.querySelector("[data-mine]")`)
	p.tap(`.tries [aria-keyshortcuts=ArrowLeft]`)
	p.until(`document.querySelector(".tried small") && !document.querySelector(".tried b a") && document.querySelector("[data-mine]")`)
	p.tap(square(map[string]string{"White": "a1", "Black": "a8"}[turn]))
	p.tap(square(other))
	p.until(`document.querySelector(".place article")?.textContent.includes("can't reach") && !location.search.includes("line=")`)
	if got := eval[string](p, steady); got != want {
		t.Errorf("what is said moves what is pressed from %s to %s", want, got)
	}
	p.tap(".place .shut")
	p.until(`!document.querySelector(".place article") && document.querySelector(".place .told").checkVisibility() && document.querySelectorAll(".tried small a").length > 1`) // what is ahead is kept
	p.tap(`.tries .buttons a`)
	p.until(fmt.Sprintf(`document.getElementById("review") && document.getElementById("game").dataset.ply === %q && document.getElementById("game").dataset.last === "38"`, mistake))
	p.do(chromedp.Navigate(s.address(path))) // after mate, only moves instead of the last can be tried
	p.tap(".try")
	begins := func(ply string) {
		t.Helper()
		p.until(fmt.Sprintf(`document.querySelector(".tries") && document.querySelector("[data-mine]") && document.getElementById("game").dataset.ply === %q`, ply))
	}
	begins("37")
	p.press(kb.ArrowLeft)
	begins("36")
	p.tap(".score [href^='?plan=38&ply=12']")
	begins("12")
	p.tap(".tries [aria-keyshortcuts=ArrowRight]")
	begins("13")
	p.tap(`.tries .buttons a`)
	p.until(`document.getElementById("review") && document.getElementById("game").dataset.ply === "38"`)
}

// TestAReviewIsInWhatIsKeptElsewhere requests a file that was kept before the review was made.
func TestAReviewIsInWhatIsKeptElsewhere(t *testing.T) {
	s := serve(t)
	path := s.ended("chess")
	before, _ := nobody(t).asks(s.address(path+"/game.pgn"), nil)
	s.reviewed(path, 1)
	status, file := visit(t, s.address(path+"/game.pgn"), nil, "If-None-Match", before.Header.Get("ETag"))
	if status != http.StatusOK || !strings.Contains(file, "%eval") {
		t.Errorf("the game with its review is not sent: %d %s", status, file)
	}
}

func TestHintIsDrawnOnTheBoardThatIsThere(t *testing.T) {
	b, s := browser(t), serve(t)
	visit(t, s.address("/"), url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}})
	p := b.open(t, 360, s.address("/game/1"), chromedp.EmulateMobile, chromedp.EmulateTouch)
	before := eval[string](p, `document.querySelector(".board > svg").innerHTML`)
	p.tap(`#act [value^="hint "]`)
	p.until(`document.querySelector("#notes article")`)
	if eval[string](p, `document.querySelector(".board > svg").innerHTML`) == before {
		t.Error("nothing is drawn")
	}
	if n := eval[int](p, `document.querySelectorAll("#notes svg").length`); n != 0 {
		t.Errorf("%d more boards", n)
	}
	wide := b.open(t, 1200, s.address("/game/1"))
	const at = `document.querySelector(".typed").getBoundingClientRect().y`
	steady := eval[float64](wide, at)
	wide.tap(`#act [value^="hint "]`)
	wide.until(`document.querySelector("#notes article")`)
	if is := eval[float64](wide, at); is != steady {
		t.Errorf("what is below the hint has gone from %v to %v", steady, is)
	}
}

func TestTheSameGameBeginsAgainAtOneScreen(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.ended("chess")
	p := b.open(t, 360, s.address(path), chromedp.EmulateMobile, chromedp.EmulateTouch)
	p.tap(`.after [value^="rematch "]`)
	p.until(`location.pathname !== "` + path + `" && document.querySelector("[data-mine]")`)
}

func TestAGameIsSharedByThePhoneOrAsALink(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.ended("chess")
	p := b.open(t, 360, s.address(path), chromedp.EmulateMobile, chromedp.EmulateTouch)
	p.do(chromedp.Evaluate[chromedp.Void](`
		Object.assign(navigator, { share: async (told) => { window.told = told; document.title = "shared"; }, canShare: () => true });
		Object.defineProperty(navigator, "clipboard", { value: { writeText: async (text) => { window.copied = text; } } });
		document.querySelector("[data-share]").hidden = false`))
	finds(t, http.StatusOK, s.address(path)+"?ply=1", nil, `src="`+path+`/board.png?ply=1"`, path+`/board.fen?ply=1"`, "This position, after 1. g4", `data-share="`+path+`?ply=1"`)
	p.tap("[popovertarget=share]")
	p.until(`document.querySelector("#share img").naturalWidth`)
	for _, outside := range []string{"header a", square("d8")} { // that closes it, and does nothing else
		p.tap(outside)
		p.until(`!document.querySelector("#share:popover-open, [aria-selected]") && location.pathname === "` + path + `"`)
		p.tap("[popovertarget=share]")
		p.until(`document.querySelector("#share:popover-open")`)
	}
	p.tap("[data-share]")
	p.until(`document.title === "shared"`)
	if got := eval[string](p, `told.url + " " + told.files[0].type`); got != s.address(path)+" image/png" {
		t.Errorf("shared is %s", got)
	}
	p.tap("[data-copy]")
	p.until(`document.querySelector("[data-copy] small").textContent === "Copied."`)
	if got := eval[string](p, `copied`); got != s.address(path) {
		t.Errorf("copied is %s", got)
	}
	p.tap("[href$='board.png']")
	p.until(`document.querySelector("[href$='board.png'] small").textContent === "Saved."`)
	p.until(`document.querySelector("[href$='board.png'] small").textContent === "Save"`)
	p.tap("[href$='game.gif']")
	p.until(`document.querySelector("[href$='game.gif'] small").textContent === "Saved."`)
	p.tap("[href$='game.txt']")
	p.until(`window.copied?.startsWith("Chess #1")`)
	p.tap("[href$='game.pgn']")
	p.until(`window.copied?.startsWith("[Event ")`)
	eval[bool](p, `(navigator.clipboard.writeText = () => Promise.reject(Error("not allowed")), document.oncopy = () => { window.copied = String(getSelection()); }, true)`)
	p.tap("[href*='board.fen']")
	p.until(`window.copied.split("/").length === 8 && document.querySelector("[href*='board.fen'] small").textContent === "Copied." && !document.getElementById("copied")`)
	eval[bool](p, `(document.execCommand = () => false, true)`)
	p.tap("[href*='board.fen']")
	p.until(`document.activeElement.id === "copied" && getSelection().toString().split("/").length === 8`)
}

func TestMovesAndWhatIsPressedAreBesideTheBoardOfAPhoneOnItsSide(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.begun("chess")
	for i, move := range []string{"e4", "e5", "Nf3", "Nc6", "Bb5"} {
		say(t, s.address(""), []string{"host", "guest"}[i%2], move)
	}
	p := b.open(t, 844, s.address(path))
	for _, size := range [][2]int64{{844, 390}, {720, 450}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Reload())
		p.until(`document.querySelector(".score [aria-current]")`)
		got := eval[string](p, `(() => {
			const seen = [".score", "#said", "#act > .buttons", ".player + .player", ".tools"].map((s) => [s, document.querySelector(s).getBoundingClientRect()]);
			return seen.filter(([, r], i) => r.bottom > innerHeight || i && r.top < seen[i - 1][1].top || !i && r.height > 60 || i > 2 && r.top < seen[2][1].bottom).map(([s, r]) => s + JSON.stringify(r)).join(" ");
		})()`)
		if got != "" {
			t.Errorf("at %v, %s", size, got)
		}
	}
	if below := eval[bool](p, `document.querySelector(".typed input").getBoundingClientRect().bottom > innerHeight`); below {
		t.Error("where a move is typed is out of view")
	}
	p.do(chromedp.Navigate(s.address("/")))
	if y := eval[float64](p, `document.querySelector(".offered a.first").getBoundingClientRect().bottom`); y > 1.5*450 {
		t.Errorf("a game begins only at %v", y)
	}
}

// TestALongAnswerLeavesItsButtonToBePressedAgain tries a phone and a wide screen, where the answer covers other parts.
func TestALongAnswerLeavesItsButtonToBePressedAgain(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 390, s.address(s.begun("brigade")))
	for _, size := range [][2]int64{{390, 844}, {1440, 900}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Reload())
		p.until(`document.querySelector("html.live #game")`)
		p.tap(`.tools [value^="moves "]`)
		p.until(`document.querySelector("#notes .move")`)
		if got := eval[string](p, `(() => {
			const [box, button] = [document.getElementById("notes"), document.querySelector(".tools [aria-current]")].map((e) => e.getBoundingClientRect());
			return box.bottom > button.top || box.height <= document.getElementById("said").clientHeight + 2 ? JSON.stringify([box, button]) : "";
		})()`); got != "" {
			t.Errorf("at %v: %s", size, got)
		}
	}
}

// TestAllOfABoardIsInViewInWindowsOfAnyShape tries phones on their sides, zoom, and narrow screens.
func TestAllOfABoardIsInViewInWindowsOfAnyShape(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 844, s.address(s.begun("combination")))
	for _, size := range [][2]int64{{844, 390}, {720, 450}, {320, 568}, {390, 844}, {1440, 900}, {1920, 1080}} {
		p.do(chromedp.EmulateViewport(size[0], size[1]), chromedp.Reload())
		got := eval[string](p, `(() => {
			const out = (r) => r.top < 0 || r.left < 0 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1;
			const seen = (e) => e.checkVisibility();
			const parts = [...document.querySelectorAll(".touch rect, .player")].filter(seen).map((e) => e.getBoundingClientRect());
			return JSON.stringify(parts.find(out)) ?? "";
		})()`)
		if got != "" {
			t.Errorf("at %v the board is at %s", size, got)
		}
	}
}

// TestWhatIsPressedStaysWhereItIs tries messages of all kinds, on a phone and on a wide screen.
func TestWhatIsPressedStaysWhereItIs(t *testing.T) {
	b, s := browser(t), serve(t)
	for i, size := range [][2]int64{{390, 844}, {1440, 900}} {
		visit(t, s.address("/"), url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}})
		p := b.open(t, size[0], s.address(fmt.Sprintf("/game/%d", i+1)))
		p.do(chromedp.EmulateViewport(size[0], size[1]))
		const at = `[...document.querySelectorAll("#act [value^=hint], #act [value^='resign '], .tools > *, .typed button, #stays input")].map((e) => e.getBoundingClientRect().y + scrollY).join()`
		const seen = `(() => { const r = document.querySelector("#notes:has(article)")?.getBoundingClientRect(); return r?.height && r.top >= document.querySelector(".touch").getBoundingClientRect().top && r.bottom < document.querySelector("#act").getBoundingClientRect().top + 2; })()`
		want := eval[string](p, at)
		steady := func(after string) {
			t.Helper()
			if got := eval[string](p, at); got != want {
				t.Errorf("at %v, %s moves what is pressed from %s to %s", size, after, want, got)
			}
		}
		for _, press := range []string{`#act [value^="hint"]`, `.tools [value^="moves "]`, "#how", `#act [value^="resign "]`} {
			p.tap(press)
			p.until(seen)
			steady(press)
			p.tap(".shut")
			p.until(`!document.querySelector("#notes article") && document.getElementById("said").checkVisibility()`)
		}
		p.tap(`.tools [href*="threats=on"]`)
		p.until(`document.querySelector("#said .threats")`)
		steady("Threats")
		p.tap(`.tools [aria-current]`)
		p.until(`!document.querySelector(".threats")`)
		p.tap(`[popovertarget]`)
		p.until(`document.querySelector("#share:popover-open img").naturalWidth`)
		steady("Share")
		p.press(kb.Escape)
		p.until(`!document.querySelector(":popover-open")`)
		p.tap(square("d2"))
		p.tap(square("e7"))
		p.until(seen)
		steady("a refusal")
		p.tap(`.tools [value^="moves "]`)
		p.until(`document.querySelector("#notes").textContent.includes("legal moves for")`)
		p.tap(`.tools [aria-current]`) // a second press shuts the answer
		p.until(`!document.querySelector("#notes article")`)
		p.plays(step{from: "e2", to: "e4"}, false)
		p.shows(1)
		steady("a move")
	}
}
