package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// say posts a text as one of those who sit at the screen; a game must have begun.
func say(t *testing.T, at, as, text string) {
	t.Helper()
	visit(t, at+"/game/1", url.Values{"text": {text}, "as": {as}})
}

// section is what stands on the page of somebody's games under a heading.
func section(t *testing.T, address, key string) string {
	t.Helper()
	_, text := visit(t, address, nil)
	sound(t, text)
	_, part, found := strings.Cut(text, `<section aria-labelledby="`+key+`">`)
	if !found {
		return ""
	}
	part, _, _ = strings.Cut(part, "</section>")
	return part
}

func TestGamesAreListedByWhoseTurnItIs(t *testing.T) {
	at := open(t).URL
	if _, text := visit(t, at+"/games", nil); !strings.Contains(text, "no games") {
		t.Error(text)
	}
	begins(t, at+"/")
	visit(t, at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"black"}})
	visit(t, at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"black"}})
	visit(t, at+"/game/3", url.Values{"text": {"resign"}, "as": {"host"}})
	visit(t, at+"/game/3", url.Values{"text": {"resign"}, "as": {"host"}})
	for key, game := range map[string]int{"games-mine": 1, "games-theirs": 2, "games-ended": 3} {
		part := section(t, at+"/games", key)
		for n := 1; n <= 3; n++ {
			if got := strings.Contains(part, fmt.Sprintf(`href="/game/%d"`, n)); got != (n == game) {
				t.Errorf("%s has game %d: %t: %s", key, n, got, part)
			}
		}
	}
}

func TestChallengesAndOffersAreAnsweredWhereTheyAreListed(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	say(t, at, "guest", "challenge stealth 3d")
	say(t, at, "host", "challenge knightmare 3d")
	say(t, at, "guest", "draw")
	offers := section(t, at+"/games", "games-offers")
	for _, want := range []string{"call-off 3 -", "agree-draw 1 0", "refuse-draw 1 0"} {
		if !strings.Contains(offers, `value="`+want+`"`) {
			t.Errorf("no %q in %s", want, offers)
		}
	}
	if strings.Contains(offers, "join 2") {
		t.Errorf("another's open challenge is none of the host's offers: %s", offers)
	}
	visit(t, at+"/games", url.Values{"press": {"call-off 3 -"}})
	visit(t, at+"/games", url.Values{"press": {"refuse-draw 1 0"}})
	if offers = section(t, at+"/games", "games-offers"); offers != "" {
		t.Errorf("answered, but still there: %s", offers)
	}
	_, text := visit(t, at+"/games", url.Values{"press": {"join 2 -"}})
	if !strings.Contains(text, `data-game="2"`) {
		t.Errorf("who joins a game is not led there: %s", text)
	}
	_, text = visit(t, at+"/games", url.Values{"press": {"call-off 3 -"}})
	if !strings.Contains(text, "<article>") {
		t.Errorf("nothing is said about what can't be done any more: %s", text)
	}
}

func TestTwoAtOneScreenPlayUnratedWithoutALimit(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	if _, text := visit(t, at+"/game/1?as=host", nil); !strings.Contains(text, "no time limit") || strings.Contains(text, `class="clocks"`) {
		t.Errorf("there is a limit: %s", text)
	}
	for i, move := range strings.Fields("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7") {
		say(t, at, []string{"host", "guest"}[i%2], move)
	}
	for range 2 {
		say(t, at, "host", "resign")
	}
	_, text := visit(t, at+"/game/1?as=host", nil)
	if !strings.Contains(text, "resignation") || strings.Contains(text, "1500") || strings.Contains(text, "ated:") {
		t.Errorf("it is rated: %s", text)
	}
}

func TestResignThatIsPressedTwiceOnlyAsksTwice(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	for range 2 {
		_, text := visit(t, at+"/game/1", url.Values{"press": {"resign 1 0"}, "as": {"host"}})
		if !strings.Contains(text, `value="resign-yes 1 -"`) {
			t.Fatalf("it isn't asked: %s", text)
		}
	}
	_, text := visit(t, at+"/game/1", url.Values{"press": {"resign-yes 1 -"}, "as": {"host"}})
	if !strings.Contains(text, "resignation") {
		t.Errorf("Yes doesn't resign: %s", text)
	}
}

func TestGamesAreListedInEachLanguage(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	if !inEachLanguage(t, at+"/games") {
		t.Error("two languages are the same")
	}
}

func TestAThumbnailIsTheBoardAlone(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	status, text := visit(t, at+"/game/1/board.svg", nil)
	if status != http.StatusOK || !strings.HasPrefix(text, "<svg") || strings.Contains(text, `class="bars"`) {
		t.Errorf("%d: %.200s", status, text)
	}
	if status, _ = visit(t, at+"/game/9/board.svg", nil); status != http.StatusNotFound {
		t.Errorf("of no game: %d", status)
	}
}
