package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestAnswersArePlannedOnTheBoardAndPlayedAtOnce(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("chess"))
	black := sides[1]
	black.tap(`a[href*="plan=on"]`)
	black.until(`document.querySelector(".thought")`)
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
	black.until(`document.querySelector("[data-mine]")`) // it is for them to answer now
}

func TestAPieceIsExplainedWhereItIsTapped(t *testing.T) {
	b, s := browser(t), serve(t)
	p := b.open(t, 1200, s.address(s.begun("combine")+"?as=host"))
	p.tap(square("g1"))
	p.tap("#how")
	p.until(`document.querySelector("#notes article svg") && document.querySelector("#notes").textContent.includes("knight on g1")`)
	p.tap(square("d8"))
	p.until(`document.querySelector("#notes article svg") && document.querySelector("#notes").textContent.includes("queen on d8")`)
	p.tap("#how")
	p.until(`!document.querySelector("#notes article")`)
	p.plays(step{from: "e2", to: "e4"}, false)
	p.shows(1)
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
	sides[1].until(`document.getElementById("heard").textContent.includes("The pawn moves from e2 to e4.")`)
	sides[1].plays(step{from: "e7", to: "e5"}, false)
	p.shows(2)
	p.until(`document.getElementById("heard").textContent.includes("The pawn moves from e7 to e5.")`)
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
	p.press(kb.ArrowLeft)
	seen("1")
	p.press(kb.Home)
	seen("0")
	p.tap(".score li:last-child a")
	seen("2")
}

func TestEveryButtonBelowABoardIsAnswered(t *testing.T) {
	b, s := browser(t), serve(t)
	sides := s.sides(t, b, s.begun("combination"))
	p := sides[0]
	p.plays(step{from: "d1", to: "e3"}, false)
	sides[1].shows(1)
	sides[1].plays(step{from: "e6", to: "f4"}, false)
	p.shows(2)
	p.tap(`[value^="more "]`)
	p.until(`document.querySelector("#notes article button")`)
	below := eval[[]string](p, `[...document.querySelectorAll("#notes button")].map((b) => b.value.split(" ")[0])`)
	if len(below) < 3 {
		t.Errorf("below More are %v", below)
	}
	for _, verb := range below {
		if verb == "takeback" {
			continue // it is agreed on elsewhere
		}
		p.tap(`[value^="more "]`)
		p.tap(fmt.Sprintf(`#notes [value^="%s "]`, verb))
		p.until(fmt.Sprintf(`!document.querySelector('#notes [value^="%s "]')`, verb))
	}
	const goesOn = `document.getElementById("notes")?.textContent.includes("goes on")` // below which the buttons have moved
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

// TestTheStyleOfPagesLeavesDrawingsAsTheyAre compares how a board is drawn with what its drawing says.
func TestTheStyleOfPagesLeavesDrawingsAsTheyAre(t *testing.T) {
	b, s := browser(t), serve(t)
	p := s.sides(t, b, s.begun("combine"))[0]
	p.plays(step{from: "b1", to: "c3"}, false)
	p.shows(1)
	p.until(`document.querySelector(".board > svg [fill-opacity]")`) // what is marked
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
