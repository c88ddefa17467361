package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chimera/bot/limit"
	"chimera/rules"
	"chimera/rules/variants"
)

// finished are whole games of each kind, each with the moves that only that kind has.
var finished = []struct{ game, moves string }{
	{"combine", "b1~a1 b7b5 a1/Nb1 f7f6 e2e3 g7g5 d1h5"},
	{"combination", "d1e3 e6f4 d3f4 e8d6 e4d6 d8d6 b2c3 d6d4"},
	{"knightmare", "b2b3 f7f6 c1b2 f6f5 e2e4 f5e4 b2g7 f8g7 d1h5"},
	{"brigade", "d1c5xe7 d8b3xc2 c5b6xc7 b3b3xb1 b6g5xg7 g8g5 d2d4 b3f6xd4 c1f4xg5 f6a3xa1xa2 f4d6xd7 a3a3xb2 d6g3xb8 c8g4xg3 e2d1 g4e2xf1 h2h3 a3h1xg1xg2 e1e2 h1e2xd1"},
	{"chess", "g2g4 b8a6 b1c3 e7e6 f2f4 d8h4"},
	{"combine-free", "h1~g1 d7d6 e2e4 h7h5 d1h5 c7c6 h5d5 d8a5 g1/Nh1 a5d5 e4d5 h8h2 d5c6 h2h6 c6b7 h6h1 b7c8q"},
	{"stealth", "a2a3 a7a5 b2b4 a5a4 e2e3 h7h6 g2g3 d7d6 f1b5 c8d7 b5d7 d8d7 c1b2 d7d8 g3g4 b8d7 a1a2 a8a6 b2g7 f8g7 d2d4 d8a5 b4a5 g7d4 d1d4 a6a5 e1d1 b7b6 d4a4 a5a4 d1d2 a4a2 d2e1 a2b1 e1e2 b1e4xc2 e2f1 e4d2"},
}

// mustHappen are the effects that must occur in these games.
var mustHappen = []rules.EffectKind{rules.Merged, rules.Parted, rules.Shot, rules.Promoted, rules.Annihilated, rules.Absorbed, rules.Born}

// step is a move as it is made on a board.
type step struct {
	from, to, coordinate string
	several              bool // it is asked for: other moves go the same way, or it shoots elsewhere
	effects              []rules.Effect
}

// steps are the moves of a game.
func steps(t *testing.T, key, moves string) (all []step) {
	t.Helper()
	list := variants.All()
	v := list[slices.IndexFunc(list, func(v *rules.Variant) bool { return v.Key == key })]
	start, err := v.Position("")
	must(t, err)
	g := rules.NewGame(start)
	for _, text := range strings.Fields(moves) {
		pos := g.Position
		m, err := pos.Parse(text)
		must(t, err)
		all = append(all, stepOf(pos, m))
		g, err = g.Play(m)
		must(t, err)
	}
	if !g.Outcome().Over() {
		t.Fatalf("%s does not end: %s", key, moves)
	}
	return all
}

// begun begins a game between the two at a screen, and returns its path.
func (s *served) begun(key string) string {
	s.t.Helper()
	status, text := visit(s.t, s.address("/"), url.Values{"game": {key}, "against": {"guest"}, "color": {"white"}})
	_, id, ok := strings.Cut(text, `data-game="`)
	if status != http.StatusOK || !ok {
		s.t.Fatalf("%d: %s", status, text)
	}
	id, _, _ = strings.Cut(id, `"`)
	return "/game/" + id
}

// sides are the windows of White and Black in a game.
func (s *served) sides(t *testing.T, b *chromium, path string) [2]*tab {
	t.Helper()
	return [2]*tab{b.open(t, 1200, s.address(path+"?as=host")), b.open(t, 1200, s.address(path+"?as=guest"))}
}

// choiceOf selects what chooses one of several moves: a button, or the square of a victim.
func choiceOf(m step) string {
	return fmt.Sprintf(":is(dialog[open] button[value=%q], [data-move~=%[1]q])", m.coordinate)
}

// means chooses one of several moves, one victim after the other.
func (p *tab) means(m step, press func(at string)) {
	p.t.Helper()
	there := fmt.Sprintf(`Boolean(document.querySelector(%q))`, choiceOf(m))
	for p.until(there); eval[bool](p, there); {
		press(choiceOf(m))
	}
}

// plays makes a move with taps or by a drag, and chooses it if there are several.
func (p *tab) plays(m step, drags bool) {
	p.t.Helper()
	if drags && m.from != m.to {
		p.drag(m.from, m.to)
	} else {
		p.tap(square(m.from))
		p.tap(square(m.to))
	}
	if m.several {
		p.means(m, p.tap)
	}
}

// asServed reports whether a board, once nothing moves, is as the server draws it, apart from the background below a
// bar.
const asServed = `Promise.all(document.getAnimations().map((a) => a.finished.catch(() => {}))).then(async () => {
	const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
	const [is, want] = [document, page].map((d) => d.querySelector(".pieces").innerHTML + [...d.querySelectorAll(".board > svg > :is(.board, .names) > *")].slice(1).map((e) => e.outerHTML) +
		[...d.querySelectorAll(".touch rect")].map((r) => r.getAttribute("aria-label")) + [...d.querySelectorAll(".score li")].map((r) => r.innerHTML.replace(/ tabindex="[^"]*"/g, "")));
	const drawn = [...document.querySelectorAll(".board use")].every((u) => document.querySelector(u.getAttribute("href")));
	return is === want && drawn && !document.querySelector(".ring, .shot, .ghost, .sent, .carried");
})`

// TestEachGameIsPlayedByFingerMouseAndKeys opens three windows on the same game, and makes moves in turn: with a finger
// on a narrow phone with reduced motion, with a mouse, and only with the keyboard. Only the last moves of a long game
// are made so.
func TestEachGameIsPlayedByFingerMouseAndKeys(t *testing.T) {
	b, s := browser(t), serve(t)
	happened, ran := map[rules.EffectKind]bool{}, false
	for n, g := range finished {
		moves := steps(t, g.game, g.moves)
		const most = 16
		before := max(0, len(moves)-most)
		if testing.Short() {
			before, moves = 0, moves[:3]
		}
		path := s.begun(g.game)
		for _, m := range moves[:before] {
			visit(t, s.address(path), url.Values{"text": {m.coordinate}})
		}
		for _, m := range moves[before:] {
			for _, e := range m.effects {
				happened[e.Kind] = true
				ran = ran || len(e.Path) > 1
			}
		}
		t.Run(g.game, func(t *testing.T) {
			t.Parallel()
			address := s.address(path)
			windows := []*tab{b.phone(t, address), b.open(t, 1440, address), b.open(t, 1200, address)}
			windows[2].do(preferring("prefers-reduced-motion", "no-preference"))
			for _, p := range windows {
				p.shows(before)
				p.until(`document.querySelector("[data-mine]")`)
			}
			eval[bool](windows[0], `(window.moved = 0, Element.prototype.animate = () => moved++, true)`)
			for i, m := range moves[before:] {
				ply := before + i
				switch p := windows[(ply+n)%3]; (ply + n) % 3 {
				case 0:
					p.fingers(m)
				case 1:
					p.plays(m, ply/3%2 == 1)
				default:
					p.keys(m)
				}
				for _, p := range windows {
					p.shows(ply + 1)
				}
				if !eval[bool](windows[1], asServed) {
					t.Errorf("after %s the board is not as the server draws it", m.coordinate)
				}
			}
			if n := eval[int](windows[0], `moved`); n > 0 {
				t.Errorf("%d parts move for who wants none to", n)
			}
			if testing.Short() {
				return
			}
			for _, p := range windows {
				p.until(`document.querySelector("main button[value^=rematch]") && !document.querySelector("[data-mine]")`)
			}
		})
	}
	if testing.Short() {
		return
	}
	for _, kind := range mustHappen {
		if !happened[kind] {
			t.Errorf("nothing of kind %d has happened", kind)
		}
	}
	if !ran {
		t.Error("nothing has run")
	}
}

func TestWhatSeveralMovesToASquareKillIsTappedOnTheBoard(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address(s.ended("brigade")+"?ply=17&plan=on"))
	tried := func(taps, want string) {
		t.Helper()
		p.until(`document.querySelector("[data-mine]")`)
		for at := range strings.FieldsSeq(taps) {
			p.tap(square(at))
		}
		p.until(fmt.Sprintf(`document.querySelector(".tried b a")?.textContent.split(" ")[1] === %q`, want))
		p.tap(".tries .buttons a:nth-child(2)")
		p.until(`!document.querySelector(".tried b a")`)
	}
	tried("a3 h2 g1 h1 h2", "Qh2*g1*h1+")
	tried("a3 h2 g1 h2", "Qh2*g1") // the target square ends the choice
	tried("a3 h2 h2", "Qh2")
	p.until(`document.querySelector("[data-mine]")`)
	p.tap(square("a3"))
	p.tap(square("h2"))
	p.until(`document.querySelectorAll(".pieces .away").length === 1 && document.querySelector(".chosen .sent").getAttribute("x") === document.querySelector("[data-square=h2]").getAttribute("x") && document.querySelector(".then b").textContent === "Choose its next square, or h2 to end there"`) // the piece is shown on the target
	p.tap(".then button")
	p.until(`!document.querySelector(".away, .sent, [data-to]")`)
	p.tap(square("e2"))
	p.tap(square("d1"))
	p.until(`document.querySelector(".then b").textContent === "d1 again to shoot it, or choose where it goes then"`)
	p.tap(square("d1")) // a shot alone, or a shot and a move: the victim is the same
	p.until(`document.querySelector("dialog[open] [value=e2e2xd1]")?.textContent.includes("is shot from e2") && document.querySelector("[value=e2d1]").textContent.includes("and moves to d1")`)
	p.tap("#chooser > button")
	p.until(`!document.querySelector("#chooser img")`) // it would be fetched again
	p = b.phone(t, s.address(s.begun("brigade")))
	p.tap(square("d1"))
	p.tap(square("b7")) // which the plane cannot reach, but shoots from elsewhere
	p.until(`[...document.querySelectorAll("[data-move]")].map((r) => r.dataset.move).sort().join() === "d1b5xb7,d1b6xb7" && document.querySelector(".then b").textContent === "Choose where it shoots from"`)
	p.tap(square("c5")) // which it can reach
	p.until(`document.querySelector(".then b").textContent === "Not c5. Choose where it shoots from"`)
	p.tap(square("h6"))
	p.until(`document.querySelector(".then b").textContent === "The plane on d1 can't enter h6: the gun on f8 covers it. Choose where it shoots from"`)
	p.tap(".then button")
	p.tap(square("d1"))
	p.tap(square("c5"))
	p.until(`document.querySelector(".then").checkVisibility() && document.querySelector(".then b").textContent === "Choose what it shoots, or c5 to move only" && new Set(["x", "y", "width", "height"].map((of) => document.querySelector(".then").getBoundingClientRect()[of] - document.getElementById("said").getBoundingClientRect()[of])).size === 1`) // the question is where other texts are
	p.tap(".then button")
	p.tap(square("d1"))
	p.tap(square("b7"))
	p.tap(square("b6"))
	p.shows(1)
	p.until(`document.querySelector(".score").textContent.includes("b6*b7")`)
}

// TestMovesThatCaptureSeveralPiecesAreTappedAlongTheirWay taps what lessons ask for in each order that people would try,
// and then a move that captures less.
func TestMovesThatCaptureSeveralPiecesAreTappedAlongTheirWay(t *testing.T) {
	b, s := browser(t), serve(t)
	for _, c := range []struct {
		lesson int
		ways   []string
		less   string
		told   string
	}{
		{2, []string{"d2 d3 d4 e4", "d2 d4 e4", "d2 e4 d3 d4", "d2 e4 d4"}, "d2 d3 d3", "Nxd3 is legal, but not the move we want"},
		{6, []string{"d1 b4 b5 b6 c6", "d1 a5 b5 b6 c6", "d1 c7 c6 b6 b5", "d1 b5 b6 c6"}, "d1 b4 b5 b6 b4", "That's only two"}, // where it lands, or what it captures first
	} {
		p := b.phone(t, s.address(fmt.Sprintf("/learn/brigade/%d", c.lesson)))
		taps := func(squares string) {
			t.Helper()
			p.until(`document.querySelector("[data-mine]")`)
			for at := range strings.FieldsSeq(squares) {
				p.tap(square(at))
			}
		}
		for _, way := range c.ways {
			taps(way)
			p.until(isSolved)
			p.tap("[value^='lesson ']") // again
		}
		taps(c.less)
		p.until(fmt.Sprintf(`document.querySelector(".study").innerText.includes(%q)`, c.told))
	}
}

func TestACapturedPieceShrinksWhereItStands(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address(s.begun("chess")))
	p.do(preferring("prefers-reduced-motion", "no-preference"))
	if far := eval[float64](p, `import(new URL("page.js", document.querySelector("script[src$='page.js']").src)).then(({ leave, Table }) => {
		const table = new Table(document.querySelector(".board"));
		const [piece] = table.on("e7");
		const middle = () => { const { x, y, width, height } = piece.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
		const [x, y] = middle();
		leave(table, ["captured e2 e7"]);
		const [falls] = piece.getAnimations();
		falls.pause();
		falls.currentTime = 250;
		const [nextX, nextY] = middle();
		return Math.hypot(nextX - x, nextY - y);
	})`); far > 5 {
		t.Errorf("it drifts %.0f pixels away", far)
	}
}

func TestATouchEndsWhatIsPast(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address(s.begun("chess")))
	p.plays(step{from: "e2", to: "e4"}, false)
	p.shows(1)
	p.plays(step{from: "e7", to: "e5"}, false)
	p.shows(2)
	p.tap(".steps a:nth-child(2)")
	p.until(`document.getElementById("game").dataset.ply === "1" && document.getElementById("said").innerText.startsWith("You see an earlier position")`)
	p.tap(square("d2")) // only the latest position can be played on
	p.until(`document.activeElement.id === "latest" && document.querySelectorAll(".chosen .goes").length === 2`)
	p.tap("#latest")
	p.shows(2)
	p.tap(square("d2"))
	p.tap(square("d5"))
	p.until(`document.querySelector("#notes article")?.checkVisibility()`) // a refusal
	p.tap(square("e5"))
	p.until(`document.querySelector("#notes article")?.innerText.includes("e5")`) // the piece is still chosen
	p.tap(square("e5"))
	p.until(`document.getElementById("met")`)
	p.tap(square("e5"))
	p.until(`document.getElementById("notes").children.length === 0 && document.getElementById("said").checkVisibility()`)
}

func TestATakebackAndADrawAreAgreedOnInTwoBrowsers(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	both := func(ply int) {
		t.Helper()
		sides[0].shows(ply)
		sides[1].shows(ply)
	}
	sides[0].plays(step{from: "e2", to: "e4"}, false)
	both(1)
	sides[0].tap("[value^='takeback ']")
	sides[1].tap("[value^='agree-takeback ']")
	both(0)
	sides[0].plays(step{from: "d2", to: "d4"}, true)
	both(1)
	sides[1].tap("[value^='draw ']")
	sides[1].tap("[value^='draw-yes ']")
	sides[0].tap("[value^='agree-draw ']")
	for _, p := range sides {
		p.until(`document.querySelector("main button[value^=rematch]") && document.getElementById("said").textContent.includes("½")`)
	}
}

func TestAPageThatWasCutOffSaysSoAndMendsItself(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	sides[0].plays(step{from: "e2", to: "e4"}, false)
	sides[0].shows(1)
	sides[1].shows(1)
	s.close()
	for _, p := range sides {
		p.until(`document.getElementById("line").checkVisibility()`)
	}
	s.open()
	for _, p := range sides {
		p.until(`!document.getElementById("line").checkVisibility()`)
	}
	sides[1].plays(step{from: "e7", to: "e5"}, true)
	sides[0].shows(2)
	sides[1].shows(2)
	s.close()
	sides[0].until(`document.getElementById("line").checkVisibility()`) // it is above the board and moves it down
	sides[0].plays(step{from: "g1", to: "f3"}, false)                   // while the server is down
	s.open()
	sides[0].shows(3)
	sides[1].shows(3)
}

// TestAMoveIsSentUntilItIsPlayedOrRefused has the server fail for a while, and then refuse.
func TestAMoveIsSentUntilItIsPlayedOrRefused(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address(s.begun("chess")))
	eval[bool](p, `(window.fetch = ((real) => (at, how) => how?.method === "POST" && window.fails ? Promise.resolve(new Response("Not you.", { status: fails })) : real(at, how))(fetch), true)`)
	answers := func(status int) { eval[bool](p, fmt.Sprintf(`(window.fails = %d, true)`, status)) }
	moves := []step{{from: "e2", to: "e4"}, {from: "e7", to: "e5"}, {from: "g1", to: "f3"}, {from: "b8", to: "c6"}}
	for i, status := range []int{http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusTooManyRequests} {
		answers(status)
		p.plays(moves[i], false)
		p.until(`document.getElementById("line").textContent.includes("cut") && document.querySelector(".sent")`)
		answers(0)
		p.shows(i + 1)
	}
	answers(http.StatusForbidden)
	p.plays(moves[3], false)
	p.until(`document.getElementById("line").textContent === "Not you." && !document.querySelector(".sent") && !document.getAnimations().length`)
	answers(0)
	p.plays(moves[3], false)
	p.shows(4)
}

func TestARefusalIsSeenWhereThereIsNoBoard(t *testing.T) {
	b, s := browser(t), serve(t)
	s.begun("chess")
	computer := url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}}
	for range limit.Practices {
		visit(t, s.address("/"), computer)
	}
	p := b.open(t, 1200, s.address("/play/chess"))
	p.tap("form.begin button")
	p.until(`document.querySelector("#notes article")?.checkVisibility() && document.querySelector(".going a[href^='/game/']")`)
	say(t, "http://"+s.host, "host", "challenge stealth 3d")
	p = b.open(t, 1200, s.address("/games"))
	p.until(`document.querySelector("[value^='call-off ']")`)
	say(t, "http://"+s.host, "host", "cancel")
	p.tap("[value^='call-off ']")
	p.until(`document.querySelector("#notes article")?.checkVisibility()`)
}

func TestAnAnswerThatIsNoPageIsSeen(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address("/play/chess"))
	eval[bool](p, `(document.querySelector("form.begin").action = "/rules", true)`)
	p.tap("form.begin button")
	p.until(`document.getElementById("line").checkVisibility() && document.getElementById("line").textContent.includes("Not Allowed")`)
	eval[bool](p, `(document.querySelector("form.begin").action = "/", true)`)
	p.tap("form.begin button")
	p.until(`document.getElementById("game") && !document.getElementById("line").checkVisibility()`)
}

// press presses keys.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// goes moves the focus with arrow keys from its square to another, first across.
func (p *tab) goes(to string) {
	p.t.Helper()
	for range 20 {
		key := eval[string](p, fmt.Sprintf(`(() => {
			const [at, to] = [document.activeElement, document.querySelector(%q)].map((e) => e.getBoundingClientRect());
			const leads = [...document.querySelectorAll("[data-square]")].some((e) => e !== document.activeElement && Math.abs(e.getBoundingClientRect().y - at.y) < 1); // not beside a square alone in its row
			if (Math.abs(to.x - at.x) > 1 && leads) return to.x > at.x ? "right" : "left";
			if (Math.abs(to.y - at.y) > 1) return to.y > at.y ? "down" : "up";
			return "";
		})()`, square(to)))
		if key == "" {
			return
		}
		p.press(map[string]string{"right": kb.ArrowRight, "left": kb.ArrowLeft, "down": kb.ArrowDown, "up": kb.ArrowUp}[key])
	}
	p.t.Fatalf("arrows do not lead to %s\n%s", to, p.text())
}

// reach moves the focus to an element with the Tab key.
func (p *tab) reach(selector string) {
	p.t.Helper()
	for range 80 {
		if eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, selector)) {
			return
		}
		p.press(kb.Tab)
	}
	p.t.Fatalf("no way to %s by Tab\n%s", selector, p.text())
}

// keys makes a move only with the keyboard.
func (p *tab) keys(m step) {
	p.t.Helper()
	for _, at := range []string{m.from, m.to} {
		p.reach("[data-square]")
		p.goes(at)
		p.press(kb.Enter)
	}
	if !m.several {
		return
	}
	p.means(m, func(at string) {
		if victim := eval[string](p, fmt.Sprintf(`document.querySelector(%q).dataset.square ?? ""`, at)); victim != "" {
			p.goes(victim)
		} else {
			p.reach(at)
		}
		p.press(kb.Enter)
	})
}

func TestAPieceThatIsPressedInTheIndexOfRulesIsUnfolded(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/rules/stealth"))
	p.until(`document.readyState === "complete"`)
	p.tap(".index [href='#piece-9']")
	p.until(`document.getElementById("piece-9").closest("[open]") && document.getElementById("piece-9").getBoundingClientRect().top < innerHeight`)
	p = b.open(t, 1200, s.address("/rules/stealth"))
	eval[bool](p, `document.querySelectorAll(".cards details")[1].open = true`)
	if !eval[bool](p, `((pawn, bishop) => Math.abs(pawn.top - bishop.top) < 2)(...[0, 2].map((i) => document.querySelectorAll(".cards > li")[i].getBoundingClientRect()))`) {
		t.Error("there is a hole beside what is unfolded")
	}
}

func TestAGameBeginsWithTheKeyboardAlone(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address("/"))
	p.reach("[href='/play/chess']")
	p.press(kb.Enter)
	p.until(`location.pathname === "/play/chess" && document.documentElement?.classList.contains("live")`)
	p.reach(".two button")
	p.press(kb.Enter)
	p.until(`document.getElementById("game") && document.activeElement.dataset.square`) // the focus is on the board
	eval[bool](p, `Boolean(AudioContext = class extends AudioContext {
		createOscillator() { window.sounded = true; return super.createOscillator(); }
	})`)
	p.goes("e2")
	p.press(kb.Enter)
	p.goes("e4")
	p.press(kb.Enter)
	p.shows(1)
	p.until(`window.sounded`)
	p.reach("[name=text]") // moves can be typed there one after the other
	p.press("e5", kb.Enter)
	p.shows(2)
	p.press("Nf3", kb.Enter)
	p.shows(3)
	p.do(chromedp.Navigate(s.address("/play/chess")))
	p.until(`document.documentElement?.classList.contains("live")`)
	p.reach(".begin .first")
	p.press(kb.Enter)
	p.shows(0)
	p.until(`document.activeElement.matches(".touch *")`)
	p.press("a5", kb.Enter) // typing begins with the focus on the board
	p.until(`document.getElementById("notes").textContent.trim() && document.activeElement.name === "text" && document.activeElement.value === "a5"`)
	p.press("a3", kb.Enter) // replaces the refused text
	p.shows(1)
	p.until(`document.activeElement.name === "text" && document.activeElement.readOnly`) // until the computer has moved
}

func TestAllMovesAreOneStopOfTheKeyboardThatBeginsOnTheBoard(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.begun("chess")
	p := b.open(t, 1200, s.address(path))
	p.until(`document.activeElement.dataset.square === "d2"`)
	p.press(kb.Enter, kb.ArrowUp, kb.ArrowUp, kb.ArrowUp, kb.Enter)
	p.until(`document.querySelector("#notes article") && document.activeElement.dataset.square === "d5"`) // the page tells what is wrong, and the focus stays
	for i, move := range []string{"e4", "e5", "Nf3", "Nc6"} {
		say(t, s.address(""), []string{"host", "guest"}[i%2], move)
	}
	p.do(chromedp.Reload())
	p.until(`"mine" in document.activeElement.dataset`)
	if n := eval[int](p, `[...document.querySelectorAll(".score a")].filter((a) => a.tabIndex === 0 && !(a.focus())).length`); n != 1 {
		t.Errorf("%d moves are stops", n)
	}
	for _, want := range []string{"Nf3", "e5"} {
		p.press(kb.ArrowLeft)
		p.until(fmt.Sprintf(`document.activeElement.ariaCurrent && document.activeElement.textContent === %q`, want))
	}
}

// TestAFirstMoveIsThreePressesAway opens the pages for the first time.
func TestAFirstMoveIsThreePressesAway(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address("/"))
	p.tap(".pitch a.first")
	p.until(`location.pathname.startsWith("/learn/") && document.querySelector("[data-mine]")`)
	var game string
	var n int
	_, err := fmt.Sscanf(strings.ReplaceAll(eval[string](p, `location.pathname`), "/", " "), " learn %s %d", &game, &n)
	must(t, err)
	pos, m := lessonOf(t, game, n)
	p.fingers(stepOf(pos, m)) // one press on the piece, one on its target
	p.until(isSolved)
}

func TestNothingIsWiderThanANarrowPhone(t *testing.T) {
	b, s := browser(t), serve(t)
	path := s.begun("combination")
	for _, width := range []int64{320, 360, 390} {
		p := b.open(t, width, s.address("/rules"), chromedp.EmulateMobile, chromedp.EmulateTouch)
		p.do(chromedp.EmulateViewport(width, 500, chromedp.EmulateMobile, chromedp.EmulateTouch))
		eval[any](p, `document.cookie = "language=ru; path=/"`) // Russian has the longest words
		for _, at := range []string{"/", "/play/stealth", "/people/me", "/top", path, "/rules/stealth", "/puzzle"} {
			p.do(chromedp.Navigate(s.address(at)))
			if wide := eval[int64](p, `document.documentElement.scrollWidth + scrollY`); wide > width {
				t.Errorf("%s is %d wide, or begins further down, on a phone of %d", at, wide, width)
			}
			small := eval[string](p, `[...document.querySelectorAll("button, select, a, summary, label:has([type=radio])")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML).join("\n")`)
			if small != "" {
				t.Errorf("%s has what is too small for a finger:\n%s", at, small)
			}
		}
	}
}

func TestAnswersArePlannedOnTheBoardAndPlayedAtOnce(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	black := sides[1]
	black.tap(`a[href*="plan=on"]`)
	black.until(`document.querySelector(".thought")`)
	for _, screen := range [][2]int64{{390, 844}, {844, 390}, {1440, 900}} {
		black.do(chromedp.EmulateViewport(screen[0], screen[1]))
		black.until(fmt.Sprintf(`innerWidth === %d && document.querySelector(".thought p").getBoundingClientRect().bottom < innerHeight`, screen[0]))
	}
	thinks := func(moves string) {
		t.Helper()
		black.until(fmt.Sprintf(`document.querySelector(".thought b")?.textContent === %q`, moves))
	}
	black.plays(step{from: "e2", to: "e4"}, false)
	thinks("e4")
	black.plays(step{from: "e7", to: "e5"}, true)
	thinks("e4 e5")
	black.plays(step{from: "g1", to: "f3"}, true)
	thinks("e4 e5 Nf3")
	black.plays(step{from: "b8", to: "c6"}, false)
	thinks("e4 e5 Nf3 Nc6")
	black.tap(`.thought button[value^="if "]`)
	black.until(`document.querySelector("#notes article") && !document.querySelector(".thought")`)
	sides[0].plays(step{from: "e2", to: "e4"}, false)
	sides[0].shows(2)
	black.shows(2)
	black.tap(`a[href*="plan=on"]`)
	black.until(`document.querySelector(".thought li")?.textContent.includes("Nf3 Nc6")`)
	black.tap(`.thought li button`)
	black.until(`document.querySelector("#notes article")`)
	sides[0].plays(step{from: "g1", to: "f3"}, true)
	black.shows(3)
	black.until(`document.querySelector("[data-mine]")`) // now it is their turn
}

func TestAMoveIsAskedForAsItIsWritten(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 390, s.address(s.begun("chess")+"?as=host"))
	eval[any](p, `localStorage.setItem("confirm", "yes")`)
	p.tap(square("g1"))
	p.tap(square("f3"))
	p.until(`document.querySelector("dialog[open] li .first")?.innerText === "Play Nf3"`)
	p.tap("dialog li button")
	p.shows(1)
}

func TestALegalMoveThatIsListedIsShownAndAskedFor(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address(s.begun("chess")+"?as=host"))
	p.tap(`.tools [value^="moves "]`)
	p.until(`document.querySelector("article")?.textContent.includes("Knight (N)") && document.querySelectorAll(".move").length === 20`)
	p.reach(".move") // Na3
	p.until(`document.querySelector("[data-square=b1][aria-selected]") && document.querySelector(".chosen .lit").getAttribute("y") === document.querySelector("[data-square=a3]").getAttribute("y")`)
	p.press(kb.Enter)
	p.tap("#chooser[open] > button")
	p.until(`!document.querySelector("[open]") && document.querySelector(".move")`)
	p.tap(".move:nth-child(2)")
	p.until(`document.querySelector("dialog[open] li .first")?.innerText.startsWith("Play Nc3") && document.querySelector(".lit")`)
	p.tap("dialog li button")
	p.shows(1)
	p.until(`!document.querySelector(".move")`)
}

func TestAPieceIsExplainedWhereItIsTapped(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address(s.begun("combine")+"?as=host"))
	p.tap(square("g1"))
	p.tap("#how")
	p.until(`!document.querySelector("#notes svg") && document.querySelector("#notes").textContent.includes("knight on g1")`)
	p.tap(square("d8"))
	p.until(`!document.querySelector("#notes svg") && document.querySelector("#notes").textContent.includes("queen on d8")`)
	p.tap(".shut")
	p.until(`!document.querySelector("#notes article") && !document.querySelector("[data-explains]")`)
	p.tap("#how")
	p.until(`document.querySelector("#notes").textContent.includes("Choose a piece")`)
	for _, at := range []string{"e4", "e2"} {
		p.tap(square(at))
		p.until(fmt.Sprintf(`document.querySelector("[data-explains=%s]")`, at))
	}
	p.tap(square("e4")) // the piece moves there
	p.shows(1)
	p.until(`!document.querySelector("[data-explains]")`)
}

func TestAnOpponentsPieceTellsWhatItDoes(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.phone(t, s.address(s.begun("combine")+"?as=host"))
	const tells = `document.querySelector("#met")?.textContent.startsWith("%s (%s). The ")`
	p.tap(square("d8"))
	p.until(fmt.Sprintf(tells, "queen", "Q"))
	p.drag("c8", "c5") // it does not move
	p.until(fmt.Sprintf(tells, "bishop", "B"))
	p.tap(square("b8"))
	p.until(fmt.Sprintf(tells, "knight", "N"))
	p.tap(square("c5"))
	p.until(`!document.querySelector("#notes > *, [aria-selected]") && document.getElementById("said").checkVisibility()`) // no piece is chosen
	// The page also tells about own pieces that cannot move.
	p.tap(square("a1"))
	p.tap(square("d5"))
	p.until(`document.querySelector("#notes article")?.textContent.includes("d5")`)
	p.tap(square("e1"))
	p.until(`document.getElementById("met")?.textContent.startsWith("king (K). This piece can't move now: no square in its reach is free. ")`)
	p.tap(square("e2"))
	p.tap(square("e7"))
	p.until(`document.querySelector("#notes article")?.textContent.includes("e7") && !document.getElementById("met")`) // tells why it cannot go there
	p.fingers(step{from: "e2", to: "e4"})
	p.shows(1)
	// Of own pieces that can move, it tells if chess does not have them, and once.
	p = b.phone(t, s.address(s.begun("stealth")+"?as=host"))
	p.tap(square("b1"))
	p.until(fmt.Sprintf(tells, "knight", "N"))
	p.tap(square("g1"))
	p.until(`!document.getElementById("met") && document.querySelector("[aria-selected]").dataset.square === "g1"`)
	p.tap(square("f3"))
	p.shows(1)
	p.press(kb.ArrowLeft) // also before earlier moves
	p.until(`document.getElementById("latest")`)
	p.tap(square("e8"))
	p.until(fmt.Sprintf(tells, "king", "K") + ` && document.activeElement.id === "latest"`)
}

func TestRingsAreExplainedUntilSuchAMoveIsPlayed(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("combine"))
	const rings = `!!document.querySelector(".then:not([hidden]) .joins") && document.querySelector(".then").innerText`
	const told = rings + `.includes("can merge here")`
	for _, at := range []string{"g1", "b1"} {
		sides[0].tap(square(at))
		sides[0].until(told)
	}
	sides[0].press(kb.Escape)
	sides[0].until(`!document.querySelector("[aria-selected], [data-to], .then:not([hidden])")`)
	for i, to := range []string{"c3", "g1"} {
		sides[0].tap(square([]string{"b1", "h1"}[i]))
		sides[0].until(told)
		sides[0].tap(square(to))
		sides[1].shows(2*i + 1)
		sides[1].plays(step{from: []string{"e7", "e5"}[i], to: []string{"e5", "e4"}[i]}, false)
		sides[0].shows(2*i + 2)
	}
	sides[0].tap(square("a1"))
	sides[0].until(`document.querySelector(".joins") && document.querySelector(".then[hidden]")`)
	sides = s.sides(t, b, s.begun("knightmare"))
	for i, move := range []step{{from: "e2", to: "e4"}, {from: "b8", to: "c6"}, {from: "f1", to: "b5"}, {from: "a7", to: "a6"}} {
		sides[i%2].plays(move, false)
		sides[1-i%2].shows(i + 1)
	}
	sides[0].tap(square("b5"))
	sides[0].until(rings + `.includes("the two become one piece that both sides can move") && document.querySelector("[data-square=c6][data-to=joins]") && document.querySelector("[data-square=a4][data-to=goes]")`) // the knight there becomes a part
	sides[0].tap(square("h5"))
	sides[0].until(`document.querySelector("#notes article")?.checkVisibility({ visibilityProperty: true }) && document.querySelector("article").textContent.includes("h5")`)
}

func TestWhatIsSeenOfABoardIsChosenAndStays(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address(s.begun("combination")+"?as=host"))
	top := func() string { return eval[string](p, `document.querySelector("[data-square]").dataset.square`) }
	before := top()
	for _, key := range []string{flipped, zones, threats} {
		p.tap(fmt.Sprintf(`.tools a[href*="%s=on"]`, key))
		p.until(fmt.Sprintf(`location.search.includes("%s=on")`, key))
	}
	if top() == before {
		t.Error("the board is not turned")
	}
	p.until(`document.querySelector(".beside").textContent.includes("attacked")`)
	p.plays(step{from: "d1", to: "e3"}, true)
	p.shows(1)
	if at := eval[string](p, `location.search`); !strings.Contains(at, "flip=on") || !strings.Contains(at, "zones=on") || !strings.Contains(at, "threats=on") {
		t.Errorf("after a move, what is seen is %s", at)
	}
}

func TestEarlierPositionsAreSeenAndScreenReadersHearOfMoves(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	p := sides[0]
	p.plays(step{from: "e2", to: "e4"}, false)
	p.shows(1)
	sides[1].shows(1)
	sides[1].until(`document.getElementById("heard").textContent.includes("Pawn from e2 to e4.")`)
	sides[1].plays(step{from: "e7", to: "e5"}, false)
	p.shows(2)
	p.until(`document.getElementById("heard").textContent.includes("Pawn from e7 to e5.")`)
	seen := func(ply string) {
		t.Helper()
		p.until(fmt.Sprintf(`document.getElementById("game").dataset.ply === %q`, ply))
	}
	p.tap(".steps a:nth-of-type(2)")
	seen("1")
	p.tap(".steps a:nth-of-type(1)")
	seen("0")
	p.press(kb.End)
	seen("2")
	p.tap(square("a1")) // where a mouse presses does not hold the arrow keys
	p.press(kb.ArrowLeft)
	seen("1")
	p.press(kb.Home)
	seen("0")
	for range 2 {
		p.do(chromedp.NavigateBack())
		seen("2")
		p.do(chromedp.Evaluate[chromedp.Void](`history.forward()`))
		seen("0")
	}
	p.tap(".score li:last-child a:last-child")
	seen("2")
	p.until(`!history.state && !location.search.includes("ply")`)
	sides[1].do(chromedp.Navigate(eval[string](sides[1], `location.href + "&ply=2"`)))
	sides[1].until(`document.querySelector("html.live #game")`)
	p.plays(step{from: "g1", to: "f3"}, false)
	sides[1].shows(3) // the position is no longer the latest
}

func TestEveryButtonBelowABoardIsAnswered(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("combination"))
	p := sides[0]
	p.plays(step{from: "d1", to: "e3"}, false)
	sides[1].shows(1)
	sides[1].plays(step{from: "e6", to: "f4"}, false)
	p.shows(2)
	below := eval[[]string](p, `[...document.querySelectorAll(".tools button[value]")].map((b) => b.value.split(" ")[0])`)
	if len(below) != 1 {
		t.Errorf("among what is seen of the board are %v", below)
	}
	for _, verb := range below {
		said := eval[string](p, `document.getElementById("notes")?.textContent ?? ""`)
		p.tap(fmt.Sprintf(`.tools [value^="%s "]`, verb))
		p.until(fmt.Sprintf(`document.querySelector("#notes article") && document.getElementById("notes").textContent !== %q`, said)) // the buttons are now below it
	}
	const goesOn = `document.getElementById("notes")?.textContent.includes("goes on")`
	for _, verb := range []string{"draw", "resign"} {
		p.tap(fmt.Sprintf(`[value^="%s "]`, verb))
		p.tap(fmt.Sprintf(`[value^="%s-no "]`, verb))
		p.until(goesOn)
	}
	p.tap(`[value^="resign "]`)
	p.tap(`[value^="resign-yes "]`)
	sides[1].tap(`[value^="rematch "]`)
	p.until(`document.querySelector('[value^="rematch "]')`)
}

func TestTheTimeLeftIsToldEachSecond(t *testing.T) {
	b, s := browser(t), serve(t)
	s.begun("chess")
	say(t, "http://"+s.host, "host", "challenge @guest chess white 14d")
	say(t, "http://"+s.host, "guest", "accept #2")
	p := b.open(t, 1200, s.address("/game/2?as=host"))
	p.until(`document.querySelectorAll(".clocks time").length === 2 && document.querySelector(".clocks .runs time").textContent.includes("13")`)
}

func TestWhoeverIsAboutToMoveGoesOnWithThatWhenSomethingElseChanges(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	sides[0].tap(square("e2"))
	revision := eval[string](sides[0], `document.getElementById("game").dataset.revision`)
	sides[1].tap("[value^='draw ']")
	sides[1].tap("[value^='draw-yes ']")
	sides[0].until(fmt.Sprintf(`document.getElementById("game").dataset.revision !== %q && document.querySelector("[value^='agree-draw ']")`, revision))
	sides[0].tap(square("e4"))
	sides[0].shows(1)
	sides[1].shows(1)
}

// TestTheStyleOfPagesLeavesDrawingsAsTheyAre compares the computed style of a board with its drawing's attributes.
func TestTheStyleOfPagesLeavesDrawingsAsTheyAre(t *testing.T) {
	b, s := browser(t), serve(t)
	p := s.sides(t, b, s.begun("combine"))[0]
	p.plays(step{from: "b1", to: "c3"}, false)
	p.shows(1)
	p.until(`document.querySelector(".board > svg [fill-opacity]")`) // the marks
	for _, of := range []string{"fill", "stroke", "stroke-width"} {
		other := eval[[]string](p, fmt.Sprintf(`(() => {
			const is = (e, of) => getComputedStyle(e)[of];
			const drawing = document.querySelector(".board > svg:not(.touch)");
			const plain = document.createElementNS(drawing.namespaceURI, "svg");
			document.body.append(plain);
			const wrong = [...drawing.querySelectorAll("[%[1]s]")].filter((e) => {
				const alone = e.cloneNode();
				plain.replaceChildren(alone);
				return is(e, "%[1]s") !== is(alone, "%[1]s");
			}).map((e) => e.outerHTML.slice(0, 80));
			plain.remove();
			return wrong;
		})()`, of))
		if len(other) > 0 {
			t.Errorf("%s of %d parts is another, such as of %s", of, len(other), other[0])
		}
	}
}
