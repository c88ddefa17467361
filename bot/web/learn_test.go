package web

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// stepOf is a move as it is made on a board.
func stepOf(pos *rules.Position, m rules.Move) step {
	v, same := pos.Variant(), 0
	goal := func(m rules.Move) rules.Square {
		if m.From == m.To && m.Kills.Len() == 1 { // a shot
			return m.Kills.First()
		}
		return m.To
	}
	for _, other := range pos.Moves() {
		if other.From == m.From && goal(other) == goal(m) {
			same++
		}
	}
	hidden := pos.Board()[goal(m)] == rules.Piece{} && strings.Contains(v.Coordinate(m), "x") // a shot that its square does not tell of
	return step{v.Shape.Name(m.From), v.Shape.Name(goal(m)), v.Coordinate(m), same > 1 || hidden, pos.Effects(m)}
}

// lessonOf is the position of a lesson, from 1, and its right move.
func lessonOf(t *testing.T, game string, n int) (*rules.Position, rules.Move) {
	t.Helper()
	l := rules.Find(variants.All(), game).Course[n-1]
	pos, err := rules.Find(variants.All(), game).Position(l.FEN)
	must(t, err)
	m, err := pos.ParseCoordinate(l.Right[0])
	must(t, err)
	return pos, m
}

// fingers makes a move with a finger.
func (p *tab) fingers(m step) {
	p.t.Helper()
	press := func(at string) {
		p.until(fmt.Sprintf(`document.querySelector(%q)`, at))
		x, y := p.middle(at)
		p.finger([2]float64{x, y})
	}
	press(square(m.from))
	press(square(m.to))
	if m.several {
		p.means(m, press)
	}
}

// phone opens a page on a narrow phone.
func (b *chromium) phone(t *testing.T, address string) *tab {
	t.Helper()
	return b.open(t, 360, address, chromedp.EmulateMobile, chromedp.EmulateTouch)
}

const isSolved = `document.querySelector(".told.right")`

func TestACourseIsLearntWithAFingerAndLeadsToAGame(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/learn/stealth/1"))
	p.do(chromedp.EmulateViewport(360, 640, chromedp.EmulateMobile, chromedp.EmulateTouch))
	all := len(rules.Find(variants.All(), "stealth").Course)
	for n := 1; n <= all; n++ {
		p.until(fmt.Sprintf(`location.pathname === "/learn/stealth/%d" && document.querySelector("[data-mine]")`, n))
		p.until(`document.documentElement.scrollWidth <= 360`)
		pos, m := lessonOf(t, "stealth", n)
		p.fingers(stepOf(pos, m))
		p.until(isSolved + ` && document.querySelector(".told").getBoundingClientRect().bottom < innerHeight - 50`) // above what is pressed
		if n < all {
			p.tap("main a.first")
		}
	}
	p.until(`document.querySelector("main h2").textContent.includes("That was Stealth")`)
	p.tap("main a.first")
	p.until(`document.querySelector("[name=against][value='1']")?.checked`)
	p.tap("form.begin button")
	p.until(`document.getElementById("game")?.dataset.press.startsWith("play ")`)
	finds(t, http.StatusOK, s.address("/learn"), nil, fmt.Sprintf("%d of %[1]d steps", all))
}

func TestARefusalInALessonKeepsWhatIsChosenAndTheHints(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/learn/combine/2"))
	p.tap(".hint")
	p.until(`document.querySelectorAll(".hint .done").length === 1`)
	p.tap(square("e3"))
	p.tap(square("a8"))
	p.until(`document.getElementById("notes").textContent.includes("can't reach a8") && document.querySelector("[aria-selected]")?.dataset.square === "e3" && document.querySelector("[data-to]") && document.querySelectorAll(".hint .done").length === 1`)
	p.tap(".hint")
	p.until(`document.querySelectorAll(".hint .done").length === 2 && !document.querySelector("[aria-selected]")`)
}

func TestAPieceOfTheOtherSideIsToldOfWhereItIsTapped(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/learn/stealth/3"))
	p.until(`document.querySelector("[data-mine]")`)
	p.tap(square("e5"))
	p.until(`document.getElementById("met")?.innerText.includes("can slide along ranks and files")`)
	p.tap(`[data-mine]`)
	p.until(`document.getElementById("met")?.innerText.includes("becomes what it captures")`)
	p = b.open(t, 390, s.address("/learn/combination/1"), chromedp.EmulateMobile, chromedp.EmulateTouch)
	p.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.until(`document.querySelector("[data-mine]")`)
	p.tap(square("d1"))
	p.until(`document.getElementById("met")`)
	if !eval[bool](p, `["top", "bottom"].every((end) => {
		const met = document.getElementById("met").getBoundingClientRect();
		return document.elementFromPoint(met.left + 20, met[end] + (end === "top" ? 10 : -10)).closest("#met");
	})`) {
		t.Error("a part of what is told is not seen, as the board is high")
	}
	p.tap(square("f4"))
	p.until(`document.getElementById("met")?.textContent.includes("It can now also move as a knight (lent by d4).")`)
	p = b.phone(t, s.address(s.begun("combination")))
	for range 2 { // powers change, so what it is lent is told each time
		p.tap(square("d3"))
		p.until(`document.getElementById("met")?.innerText.includes("(lent by ")`)
		p.tap(square("d3"))
		p.until(`!document.getElementById("met")`)
	}
}

func TestTheFirstMoveOnTheFirstPageLeadsIntoItsLesson(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/"))
	pos, m := lessonOf(t, "combine", 1)
	p.until(`document.querySelector("main.front [data-mine]")`)
	p.fingers(stepOf(pos, m))
	p.until(`location.pathname === "/learn/combine/1" && ` + isSolved)
}

// solution is the rest of the solution of a puzzle, whose name tells the turn.
func solution(t *testing.T, name string) []puzzle.Step {
	t.Helper()
	var kind, game string
	var number, turn int
	_, err := fmt.Sscanf(name, "%s %s %d %d", &kind, &game, &number, &turn)
	must(t, err)
	v := rules.Find(variants.All(), game)
	all, err := puzzle.Read(v)
	must(t, err)
	steps, err := all[number].Steps(v)
	must(t, err)
	return steps[2*turn:]
}

const nameOnPage = `document.querySelector("[name=at]").value`

// solves solves the puzzle on a page with a finger.
func (p *tab) solves() {
	p.t.Helper()
	for i, s := range solution(p.t, eval[string](p, nameOnPage)) {
		if i%2 != 0 {
			continue
		}
		if i > 0 {
			p.until(fmt.Sprintf(nameOnPage+`.endsWith(" %d")`, i/2))
		}
		p.fingers(stepOf(s.Before, s.Move))
	}
	p.until(isSolved)
}

func TestFivePuzzlesAndThatOfTheDayAreSolvedWithAFinger(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/puzzle/stealth"))
	seen := map[string]bool{}
	for range 5 {
		p.until(`document.querySelector("[name=at]") && document.querySelector("[data-mine]")`)
		seen[eval[string](p, nameOnPage)] = true
		p.solves()
		p.tap("main button.first")
	}
	if len(seen) != 5 {
		t.Errorf("of five puzzles, %d are different", len(seen))
	}
	p = b.phone(t, s.address("/daily"))
	p.solves()
	eval[bool](p, `(navigator.canShare = () => true, navigator.share = async ({ text }) => { window.told = text }, true)`)
	p.tap("[data-copy]")
	p.until(`window.told?.includes("🟩") && told.endsWith("/daily")`)
	p.until(`document.documentElement.scrollWidth <= 360`)
}

// wrongIn is a wrong move in a puzzle.
func wrongIn(s puzzle.Step) rules.Move {
	for _, m := range s.Before.Moves() {
		if next, err := s.Before.Play(m); err == nil && m.From != s.Move.From && !puzzle.Mates(next) && len(next.Moves()) > 0 {
			return m
		}
	}
	return rules.Move{}
}

func TestAWrongAnswerIsRefutedOnTheBoardThatComesBack(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/chess"))
	first := solution(t, eval[string](p, nameOnPage))[0]
	pieces := `document.querySelector(".board .pieces").innerHTML`
	before := eval[string](p, pieces)
	eval[bool](p, fmt.Sprintf(`(window.wasThen = %s, window.shown = new Set(), new MutationObserver(() => shown.add(%[1]s)).observe(document.body, { subtree: true, childList: true }), true)`, pieces))
	p.plays(stepOf(first.Before, wrongIn(first)), false)
	p.until(`document.querySelector(".told")?.textContent.includes(" answers with ")`)
	p.until(fmt.Sprintf(`[...shown].filter((s) => s !== wasThen).length >= 2 && %s === wasThen`, pieces))
	if after := eval[string](p, pieces); after != before {
		t.Error("the position has not come back")
	}
}

func TestHintsComeInThreeStagesAndTheSolutionIsShown(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/chess"))
	for _, want := range []string{"The piece to move is on the", "Look at", "Play it, "} {
		p.tap("button.hint")
		p.until(fmt.Sprintf(`document.querySelector(".told")?.textContent.includes(%q)`, want))
	}
	p.until(`document.querySelector("[data-mine]") && document.querySelector("#act .first").textContent.startsWith("Play ")`)
	p.do(chromedp.Reload())
	p.tap("#act [value^='puzzle-move ']")
	p.until(`document.querySelector("h1").textContent === "Solution" && document.querySelector("[data-by='1']").disabled`)
	if eval[bool](p, `(({ dataset }) => "back" in dataset || Number(dataset.home) !== document.querySelectorAll("template[data-does]").length - 1)(document.querySelector("main")) || document.querySelector("main [data-mine]") !== null`) {
		t.Error("the board does not stay where the solution ends")
	}
	p.tap("[value^='puzzle-at ']") // again
	p.until(`document.querySelector("[name=at]")`)
	p.solves()
	p = b.open(t, 1440, s.address("/learn/combine/1"))
	y := eval[float64](p, `document.querySelector(".typed").getBoundingClientRect().y`)
	p.tap("[value^='lesson-move ']")
	p.until(`document.querySelector(".told")?.textContent.includes("Play it")`)
	if eval[float64](p, `document.querySelector(".typed").getBoundingClientRect().y`) != y || eval[bool](p, `document.querySelector("template[data-does]") !== null`) {
		t.Error("what is told moves what is below it, or a piece before its move is played")
	}
	pos, m := lessonOf(t, "combine", 1)
	p.plays(stepOf(pos, m), true)
	p.until(isSolved)
	p.tap("[value^='lesson ']") // again
	p.until(`document.querySelector("[data-mine]")`)
}

func TestAHintFollowsTheOneThatAWrongAnswerGives(t *testing.T) {
	b, s := browser(t), serve(t)
	finds(t, http.StatusOK, s.address("/learn"), nil, "To the page")
	finds(t, http.StatusOK, s.address("/archive"), nil, "No game has ended yet.")
	p := b.open(t, 1440, s.address("/learn/combine/1"))
	if below := eval[float64](p, `document.documentElement.scrollHeight - innerHeight`); below > 0 {
		t.Errorf("a lesson is scrolled by %v, with nothing below it", below)
	}
	eval[any](p, `((f) => { f.elements.text.value = "Kf1"; f.requestSubmit(); })(document.querySelector(".typed"))`)
	p.until(`document.querySelector(".told.wrong")?.textContent.includes("Move one of the two onto the other.") && document.querySelectorAll(".hint .done").length === 1`)
	p.tap("button.hint")
	p.until(`document.querySelector(".told")?.textContent.includes("Look at the rook on d1.")`)
}

func TestASolutionIsSteppedThroughWithItsSentences(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/chess"))
	p.until(`/rated \d+, you 1500/.test(document.querySelector(".kind").textContent)`)
	p.tap("#act [popovertarget]") // it asks once
	p.until(`document.querySelector("#costs:popover-open").textContent.includes("counts as a wrong answer")`)
	p.tap("#costs [value^='puzzle-move ']")
	p.until(`/you 14\d\d/.test(document.querySelector(".kind").textContent)`)
	seen := func(n int) {
		t.Helper()
		p.until(fmt.Sprintf(`((frames) => %d === [...document.querySelectorAll(".line a")].findIndex((a) => a.ariaCurrent) + 1 &&
			document.querySelector(".says").textContent === frames[%[1]d].dataset.told)([...document.querySelectorAll("template")])`, n))
	}
	pieces := `document.querySelector(".board .pieces").innerHTML`
	p.until(`document.querySelector(".line")`)
	p.press(kb.Home)
	seen(0)
	before := eval[string](p, pieces)
	p.tap(`[data-by="1"]`)
	seen(1)
	if eval[string](p, pieces) == before {
		t.Error("the board is as before the first move")
	}
	p.press(kb.ArrowLeft)
	seen(0)
	if after := eval[string](p, pieces); after != before {
		t.Error("the board is not as before the first move")
	}
	p.tap(".line a:last-child")
	p.until(`document.querySelector("[data-by='1']").disabled`)
	if text := eval[string](p, `document.querySelector("#act .first").textContent`); text != "Next puzzle" {
		t.Errorf("the first button is %q", text)
	}
	p.tap("[value^='puzzle-at ']") // again
	p.until(`document.querySelector("[name=at]")`)
	p.solves()
	p.until(`document.querySelector("main:not([data-back])")`)
	p.press(kb.Home)
	seen(0)
	p.press(kb.ArrowRight)
	seen(1)
	before = eval[string](p, `document.title`)
	if at := eval[int](p, `(document.body.style.minHeight = "300vh", scrollTo(0, 200), scrollY)`); at == 0 {
		t.Fatal("the page does not scroll")
	}
	p.tap("#act .first")
	p.until(fmt.Sprintf(`document.title !== %q && scrollY === 0`, before)) // the next one begins at its top
}

func TestOneStepsBackInAPuzzleAndGoesOnWithIt(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/chess"))
	line := solution(t, eval[string](p, nameOnPage))
	p.plays(stepOf(line[0].Before, line[0].Move), false)
	p.until(nameOnPage + `?.endsWith(" 1") && document.querySelector("[data-by='1']").disabled`)
	pieces := `document.querySelector(".board .pieces").innerHTML`
	after := eval[string](p, pieces)
	p.tap(`[data-by="-1"]`)
	p.tap(`[data-by="-1"]`)
	p.until(fmt.Sprintf(`document.querySelector("[data-by='-1']").disabled && %s !== %q`, pieces, after))
	p.tap(`[data-by="1"]`)
	p.tap(`[data-by="1"]`)
	p.until(fmt.Sprintf(`%s === %q`, pieces, after))
	p.press(kb.Home)
	again := stepOf(line[2].Before, line[2].Move)
	p.tap(square(again.from)) // leads back to the latest position and chooses the piece there
	p.until(fmt.Sprintf(`%s === %q && document.querySelector("[aria-selected]").dataset.square === %q && document.querySelector("[data-to]")`, pieces, after, again.from))
	p.tap(`[data-by="-1"]`)
	p.tap(square(again.to)) // the piece was chosen in another position: nothing is played
	p.until(fmt.Sprintf(`%s === %q && !document.querySelector(".told.wrong, main:not([data-back])")`, pieces, after))
	p.press(kb.Escape)
	p.plays(again, false)
	p.until(`document.querySelector(".told.right") && document.querySelector("main:not([data-back])")`)
}

func TestWhatAPawnMayBecomeIsNamedWithinTheBoard(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/combine"))
	eval[bool](p, `((b) => { b.value = "puzzle-at 0 - combine 245 1"; b.click(); return true })(document.querySelector("#act [name=press]"))`)
	p.until(nameOnPage + ` === "puzzle combine 245 1"`)
	p.tap(square("h7"))
	p.tap(square("h8"))
	p.until(`[...document.querySelectorAll("#chooser button span")].map((s) => s.textContent).join() === "queen,rook,bishop,knight"`)
	if !eval[bool](p, `document.getElementById("chooser").getBoundingClientRect().right <= document.querySelector(".touch").getBoundingClientRect().right + 1`) {
		t.Error("it reaches over the edge of the board")
	}
}

func TestAPuzzleCountsThatIsOpenedRightAfterAnotherGames(t *testing.T) {
	b, s := browser(t).keeping(), serve(t)
	p := b.open(t, 1440, s.address("/puzzle/stealth"))
	p.until("navigator.serviceWorker.controller !== null")
	p.solves()
	p.until(`document.querySelector("main:not([data-back])")`)
	p.do(chromedp.Navigate(s.address("/puzzle/chess")))
	p.until(nameOnPage + `?.startsWith("puzzle chess") && document.querySelector("[data-mine]")`)
	eval[bool](p, `fetch("/rules").then((r) => r.text()).then(Boolean)`) // comes after all requests of the page that is left
	first := solution(t, eval[string](p, nameOnPage))[0]
	p.plays(stepOf(first.Before, wrongIn(first)), false)
	p.until(`document.querySelector(".rated")?.textContent.includes("(−")`)
}

func TestALessonIsDoneWithTheKeyboardAlone(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address("/learn/brigade/1"))
	pos, m := lessonOf(t, "brigade", 1)
	p.press(kb.Tab)
	p.press(kb.Enter) // moves the focus to the board
	for _, at := range []rules.Square{m.From, m.To} {
		p.goes(pos.Variant().Shape.Name(at))
		p.press(kb.Enter)
	}
	p.until(isSolved)
}

var named = regexp.MustCompile(`name="at" value="([^"]+)"`)

func TestLessonsAndPuzzlesAreAnsweredWithoutScripts(t *testing.T) {
	at := open(t)
	pos, m := lessonOf(t, "stealth", 1)
	finds(t, http.StatusOK, at+"/learn/combination/1", nil, `class="legend"`)
	finds(t, http.StatusOK, at+"/learn/stealth/1", url.Values{"at": {"lesson stealth 0"}, "text": {pos.Chat(m)}}, `href="/learn/stealth/2"`, "told right")
	for _, path := range []string{"/puzzle/chess", "/daily"} {
		_, text := visit(t, at+path, nil)
		for i, s := range solution(t, named.FindStringSubmatch(text)[1]) {
			if i%2 == 0 {
				name := named.FindStringSubmatch(text)[1]
				_, text = visit(t, at+path, url.Values{"at": {name}, "text": {s.Before.Chat(s.Move)}})
			}
		}
		says(t, text, "told right", "Solved")
	}
	pin := url.Values{"press": {"puzzle-move 0 - chess 215 0"}}
	finds(t, http.StatusOK, at+"/puzzle/chess", pin, "It threatens ", ", which wins the queen for a bishop.")
	alone := url.Values{"press": {"puzzle-hint 0 - brigade 34 0"}} // it is alone on its file
	finds(t, http.StatusOK, at+"/puzzle/brigade", alone, "The piece to move is an infantry.")
	finds(t, http.StatusOK, at+"/puzzle/brigade", url.Values{"press": {"puzzle-move 0 - brigade 257 0"}}, "!pawn") // it has none
	queen := url.Values{"press": {"puzzle-try 0 - combine 44 0 c5c6"}}                                             // the pawn becomes a queen
	finds(t, http.StatusOK, at+"/puzzle/combine", queen, "<a>2. c7</a> <a>Kxh5</a> <a>3. c8=Q</a>", "That is worth")
	line := regexp.MustCompile(`(?s)<p class="line">.*?</p>`)
	_, solved := visit(t, at+"/puzzle/knightmare", url.Values{"press": {"puzzle-try 0 - knightmare 182 1 g5f7"}})
	_, shown := visit(t, at+"/puzzle/knightmare", url.Values{"press": {"puzzle-move 0 - knightmare 182 0"}})
	if solved, shown := line.FindString(solved), line.FindString(shown); solved == "" || solved != shown {
		t.Errorf("what was solved goes on with %s, what is shown with %s", solved, shown)
	}
}

func TestAPuzzleThatWasMissedSaysSoOnceItIsSolved(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann := w.ann()
	for how, want := range map[string]string{"puzzle-try": "Solved, after a wrong answer.", "puzzle-move": "counts as missed", "puzzle-hint": "<h1>Solved.</h1>"} {
		_, text := ann.asks(w.url+"/puzzle/chess", nil)
		name := named.FindStringSubmatch(text)[1]
		steps := solution(t, name)
		wrong := " " + steps[0].Before.Variant().Coordinate(wrongIn(steps[0]))
		ann.asks(w.url+"/puzzle/chess", url.Values{"press": {how + " 0 - " + strings.TrimPrefix(name, "puzzle ") + words.Either(how == "puzzle-try", wrong, "")}})
		for i := 0; i < len(steps); i += 2 {
			_, text = ann.asks(w.url+"/puzzle/chess", url.Values{"at": {named.FindStringSubmatch(text)[1]}, "text": {steps[i].Before.Chat(steps[i].Move)}})
		}
		says(t, text, want)
	}
	ann.finds(http.StatusOK, w.url+"/puzzle", nil, "; 2 solved", "Solved at the first try, without a hint: 0 of 3.")
}

func TestALessonCostsNothingWhosePuzzleOfTheSameNumberIsOpen(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann := w.ann()
	ann.finds(http.StatusOK, w.url+"/puzzle/stealth", nil, `id="costs"`)
	must(t, w.bot.Store.Update(t.Context(), func(to storage.Writer) error {
		p, err := to.PersonAt(chatter("ann").Address)
		p.Training.Number = 1
		return errors.Join(err, to.People().Put(p))
	}))
	ann.finds(http.StatusOK, w.url+"/puzzle/stealth", nil, `value="puzzle stealth 1 `, `id="costs"`)
	ann.finds(http.StatusOK, w.url+"/learn/stealth/2", nil, `value="lesson stealth 1"`, `!id="costs"`)
}

func TestTheListShowsThePuzzlesThatOpen(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann := w.ann()
	for range 2 { // first without a current puzzle, then with one
		_, list := ann.asks(w.url+"/puzzles", nil) // leads to /puzzle
		_, text := ann.asks(w.url+"/puzzle/stealth", nil)
		var n int
		_, err := fmt.Sscanf(named.FindStringSubmatch(text)[1], "puzzle stealth %d", &n)
		must(t, err)
		says(t, list, fmt.Sprintf("/shown/stealth/%d/wood", n+1))
	}
}

func TestPuzzlesOfTwoTabsEachCount(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann := w.ann()
	answer := func(text string) url.Values {
		first := solution(t, named.FindStringSubmatch(text)[1])[0]
		return url.Values{"at": {named.FindStringSubmatch(text)[1]}, "text": {first.Before.Variant().Coordinate(wrongIn(first))}}
	}
	_, old := ann.asks(w.url+"/puzzle/chess", nil)
	_, chess := ann.asks(w.url+"/puzzle/chess", url.Values{"press": {"puzzle 0 - chess -"}})
	_, stealth := ann.asks(w.url+"/puzzle/stealth", nil)
	ann.finds(http.StatusOK, w.url+"/puzzle/chess", nil, named.FindStringSubmatch(chess)[0])
	ann.finds(http.StatusOK, w.url+"/puzzle/chess", answer(old), `!"rated"`) // it was skipped
	ann.finds(http.StatusOK, w.url+"/puzzle/stealth", answer(stealth), `"rated"`)
	ann.finds(http.StatusOK, w.url+"/puzzle/chess", answer(chess), `"rated"`)
	ann.finds(http.StatusOK, w.url+"/puzzle/stealth", answer(stealth), `!"rated"`) // it has counted
}

func TestThePuzzleOfTheDayIsToldOfAndCountsDaysInARow(t *testing.T) {
	w := build(t)
	w.plays("club")
	ann := w.ann()
	_, text := ann.asks(w.url+"/puzzle/stealth", nil)
	other := named.FindStringSubmatch(text)[1]
	for day := 1; day <= 2; day++ {
		_, text = ann.asks(w.url+"/daily", nil)
		says(t, text, "!<pre>")
		name := named.FindStringSubmatch(text)[1]
		steps := solution(t, name)
		ann.asks(w.url+"/daily", url.Values{"press": {"day-hint 0 - " + strings.TrimPrefix(name, "day ")}})
		for i := 0; i < len(steps); i += 2 {
			name := named.FindStringSubmatch(text)[1]
			_, text = ann.asks(w.url+"/daily", url.Values{"at": {name}, "text": {steps[i].Before.Chat(steps[i].Move)}})
		}
		strip := "\n🟨" + strings.Repeat("🟩", len(steps)/2) + "\n" + w.url + "/daily</pre>"
		_, later := ann.asks(w.url+"/daily", nil)
		for _, text := range []string{text, later} {
			says(t, text, strip, fmt.Sprintf("%d day", day), "told right")
		}
		ann.finds(http.StatusOK, w.url+"/", nil, fmt.Sprintf("%d day", day), ". Solved.")
		w.past.Add(int64(24 * time.Hour))
	}
	ann.finds(http.StatusOK, w.url+"/puzzle/stealth", nil, other)
	_, text = ann.asks(w.url+"/daily", nil)
	name := named.FindStringSubmatch(text)[1]
	_, text = ann.asks(w.url+"/daily", url.Values{"press": {"day-move 0 - " + strings.TrimPrefix(name, "day ")}})
	_, later := ann.asks(w.url+"/daily", nil)
	for _, text := range []string{text, later} {
		says(t, text, "\n⬛", "told wrong") // it is missed
	}
	steps := solution(t, name)
	for i := 0; i < len(steps); i += 2 {
		_, text = ann.asks(w.url+"/daily", url.Values{"at": {strings.TrimSuffix(name, "0") + strconv.Itoa(i/2)}, "text": {steps[i].Before.Chat(steps[i].Move)}})
	}
	says(t, text, "Right, but today stays missed.", "told right")
	w.past.Add(int64(24 * time.Hour))
	ann.finds(http.StatusOK, w.url+"/", nil, "!in a row")
}

func TestWhatIsNoExerciseIsSaidInOneSentence(t *testing.T) {
	at := open(t)
	for _, path := range []string{"/learn/stealth/0", "/learn/stealth/99", "/learn/checkers/1", "/learn/stealth/x", "/puzzle/checkers", "/tried/lesson/e2e4", "/tried/lesson%20chess%200/a1a1", "/tried/lesson%20stealth%200/e4"} {
		finds(t, http.StatusNotFound, at+path, nil)
	}
	for _, form := range []url.Values{{"press": {"nonsense"}}, {"at": {"lesson"}, "text": {"e4"}}, {}, {"press": {"lesson 0 - stealth 99"}}, {"at": {"puzzle chess 99999 0"}, "text": {"e4"}}} {
		finds(t, http.StatusOK, at+"/learn/stealth/1", form, "<article>")
	}
	if _, text := visit(t, at+"/learn/stealth/1", url.Values{"at": {"lesson stealth 0"}, "text": {"Kh8"}}); !strings.Contains(text, "reach h8") || !strings.Contains(text, "data-mine") && !strings.Contains(text, `"lesson stealth 0"`) {
		t.Errorf("an illegal move: %s", text)
	}
	if status, text := visit(t, at+"/tried/lesson%20stealth%200/g1h1", nil); status != http.StatusOK || !strings.HasPrefix(text, "<svg") {
		t.Errorf("the board after a move: %d", status)
	}
}

func TestAStrangerLearnsAndSolvesAndNothingIsKept(t *testing.T) {
	w := build(t)
	people := func() (n int) {
		must(t, w.bot.Store.View(t.Context(), func(r storage.Reader) error {
			all, err := r.PersonIDs()
			n = len(all)
			return err
		}))
		return n
	}
	before := people()
	pos, m := lessonOf(t, "stealth", 1)
	finds(t, http.StatusOK, w.url+"/learn/stealth/1", url.Values{"at": {"lesson stealth 0"}, "text": {pos.Chat(m)}}, "told right", "Sign in, and")
	for _, path := range []string{"/puzzle/chess", "/daily", "/learn", "/puzzle"} {
		finds(t, http.StatusOK, w.url+path, nil)
	}
	for _, press := range []string{"hello 0 -", "setting 0 - theme", "resign 1 0"} { // these are only for people who are signed in
		finds(t, http.StatusForbidden, w.url+"/learn/stealth/1", url.Values{"press": {press}})
	}
	if after := people(); after != before {
		t.Errorf("%d people are kept, and %d before", after, before)
	}
}

func TestEachDayOfTheWeekHasThePuzzleOfItsOwnGame(t *testing.T) {
	b := newBot(t, new(kvtest.Disk).Open("db"), time.Now, slog.New(slog.DiscardHandler))
	games, puzzles := map[string]bool{}, map[string]bool{}
	for day := range 70 {
		task := b.Training.OfDay(b.Training.Today() + day)
		if day < 7 {
			games[task.Game()] = true
		}
		puzzles[fmt.Sprint(task.Game(), task.Number())] = true
	}
	if len(games) != 7 || len(puzzles) != 70 {
		t.Errorf("a week has %d games, ten have %d puzzles", len(games), len(puzzles))
	}
}
