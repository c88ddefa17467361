package web

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chimera/storage"
)

func TestAddressesAreOneForEachNumberAndCannotBeCounted(t *testing.T) {
	a, b := addresses{[]byte("a key")}, addresses{[]byte("another")}
	seen := map[string]bool{}
	near := 0
	for n := uint64(1); n <= 5000; n++ {
		code := a.code(ofGames, n)
		if back, ok := a.number(ofGames, code); back != n || !ok || seen[code] {
			t.Fatalf("%d is %s, which is %d", n, code, back)
		}
		seen[code] = true
		if a.code(ofPeople, n) == code || a.ServerCode(storage.ServerID(n)) == code || b.code(ofGames, n) == code {
			t.Errorf("%s is of %d in any case", code, n)
		}
		if next := a.code(ofGames, n+1); next[:2] == code[:2] || next[8:] == code[8:] {
			near++
		}
	}
	if near > 50 {
		t.Errorf("%d of 5000 are like those that follow", near)
	}
	for _, none := range []string{"", "12", "bcdfghjkl", "bcdfghjklmn", "bcdfghjkla", "BCDFGHJKLM", "éééééé"} {
		if n, ok := a.number(ofGames, none); ok {
			t.Errorf("%q is %d", none, n)
		}
	}
}

// TestAGamesNumberLeadsOnWhoeverMaySeeIt requests everything about a game by its number.
func TestAGamesNumberLeadsOnWhoeverMaySeeIt(t *testing.T) {
	w := playing(t, "")
	ann, stranger := w.ann(), w.browser()
	path := w.site.GamePath(1)
	if strings.Contains(path, "1") {
		t.Errorf("its path is %s", path)
	}
	for _, part := range []string{"", "?flip=on", "/board.svg"} {
		if answer, _ := ann.asks(w.url+"/game/1"+part, nil); answer.StatusCode != http.StatusOK || answer.URL.RequestURI() != path+part {
			t.Errorf("%q: she gets %d at %s", part, answer.StatusCode, answer.URL)
		}
		if answer, _ := stranger.asks(w.url+"/game/1"+part, nil); answer.StatusCode != http.StatusNotFound || strings.Contains(answer.URL.Path, path) {
			t.Errorf("%q: a stranger gets %d at %s", part, answer.StatusCode, answer.URL)
		}
	}
	if answer, text := ann.asks(w.url+"/game/1", url.Values{"text": {"e4"}}); answer.URL.Path != path || !strings.Contains(text, `data-last="1"`) {
		t.Errorf("her move is answered %d at %s: %s", answer.StatusCode, answer.URL, text)
	}
}

// TestTheCodeOfAHiddenGameIsAnsweredAsOneOfNone compares the answers, both for a stranger and for somebody else who is
// signed in.
func TestTheCodeOfAHiddenGameIsAnsweredAsOneOfNone(t *testing.T) {
	w := playing(t, "")
	eve := w.browser()
	w.signsIn(eve, w.url+"/in#"+word)
	parts := []string{"", "?ply=0", "/events", "/after/e2e4", "/board.svg", "/card.png"}
	for file := range forms {
		parts = append(parts, "/"+file)
	}
	for name, b := range map[string]*jarred{"eve": eve, "a stranger": w.browser()} {
		for _, part := range parts {
			there, one := b.asks(w.url+w.site.GamePath(1)+part, nil)
			none, other := b.asks(w.url+w.site.GamePath(7)+part, nil)
			if there.StatusCode != http.StatusNotFound || none.StatusCode != http.StatusNotFound || one != other {
				t.Errorf("%s at %q: %d %s, but without a game %d %s", name, part, there.StatusCode, one, none.StatusCode, other)
			}
		}
	}
	move := url.Values{"text": {"e4"}}
	there, one := eve.asks(w.url+w.site.GamePath(1), move)
	none, other := eve.asks(w.url+w.site.GamePath(7), move)
	if there.StatusCode != http.StatusNotFound || none.StatusCode != http.StatusNotFound || one != other {
		t.Errorf("her move: %d %s, but without a game %d %s", there.StatusCode, one, none.StatusCode, other)
	}
}

func TestPeopleAreKnownByCodesAlone(t *testing.T) {
	c := newClub(t)
	answer, _ := nobody(t).asks(c.at+"/people/me", nil)
	if want := c.site.PersonPath(c.site.here.ids[0]); answer.StatusCode != http.StatusOK || answer.URL.Path != want {
		t.Errorf("who sits at the screen is shown at %s, want %s", answer.URL, want)
	}
	_, none := visit(t, c.at+c.site.PersonPath(99), nil)
	if _, counted := visit(t, c.at+"/people/1", nil); counted != none {
		t.Errorf("nobody: %s, or %s", none, counted)
	}
}

func TestAddressesLastAndAreTheSameForAllWhoShareADatabase(t *testing.T) {
	c := newClub(t)
	again, err := newSite(t.Context(), c.bot, slog.New(slog.DiscardHandler))
	if err != nil || len(again.key) != 32 || again.GamePath(storage.GameID(5)) != c.site.GamePath(5) {
		t.Errorf("%v: %s is now %s", err, c.site.GamePath(5), again.GamePath(5))
	}
}
