package web

import (
	"bytes"
	"fmt"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chimera/rules/phrase"
)

// ends plays a game of ann as White and ben to its end.
func (w *town) ends(group string) {
	w.t.Helper()
	w.plays(group)
	for i, move := range []string{"f3", "e5", "g4", "Qh4"} {
		w.hears([]string{"ann", "ben"}[i%2], group, move)
	}
}

// properties are what a page tells those who show a preview of it.
func properties(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for n := range sound(t, text).Descendants() {
		if n.Type == html.ElementNode && n.Data == "meta" {
			all[attribute(n, "property")+attribute(n, "name")] = attribute(n, "content")
		}
	}
	return all
}

func TestAnEndedPublicGameCanBePassedOn(t *testing.T) {
	w := build(t)
	w.ends("a group")
	_, text := visit(t, w.url+"/game/1", nil)
	said := properties(t, text)
	for name, want := range map[string]string{
		"og:title": "Chess #1: ann (White) vs ben (Black)", "og:url": w.url + "/game/1", "og:image": w.url + "/game/1/card.png?in=en", "twitter:card": "summary_large_image",
	} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
	if about := said["og:description"]; !strings.Contains(about, "ben wins by checkmate") || strings.Contains(about, "vs ben") {
		t.Errorf("about: %q", about)
	}
	b := w.browser()
	answer, picture := b.asks(said["og:image"], nil)
	m, err := png.Decode(strings.NewReader(picture))
	if err != nil || m.Bounds().Dx() < 600 || answer.Header.Get("Content-Type") != "image/png" {
		t.Fatalf("%v: %d %v", err, answer.StatusCode, answer.Header)
	}
	if policy := answer.Header.Get("Cache-Control"); !strings.Contains(policy, "public") {
		t.Errorf("kept: %q", policy)
	}
	status, again := visit(t, said["og:image"], nil, "If-None-Match", answer.Header.Get("ETag"))
	if status != http.StatusNotModified || again != "" {
		t.Errorf("who has it gets %d and %d bytes", status, len(again))
	}
	if _, other := visit(t, w.url+"/game/1/card.png?in=ru", nil); other == picture || !bytes.HasPrefix([]byte(other), []byte("\x89PNG")) {
		t.Error("in Russian it is the same picture, or none")
	}
}

func TestOnlyAnEndedPublicGameHasACard(t *testing.T) {
	ended, private, running := build(t), build(t), build(t)
	ended.ends("a group")
	private.ends("")
	running.plays("a group")
	for name, c := range map[string]struct {
		w    *town
		path string
	}{
		"a private game":     {private, "/game/1/card.png"},
		"a game in progress": {running, "/game/1/card.png"},
		"no game":            {ended, "/game/2/card.png"},
		"no number":          {ended, "/game/one/card.png"},
		"no language":        {ended, "/game/1/card.png?in=xx"},
	} {
		_, none := visit(t, ended.url+"/game/99/card.png", nil)
		if status, text := visit(t, c.w.url+c.path, nil); status != http.StatusNotFound || text != none {
			t.Errorf("%s: %d %s", name, status, text)
		}
	}
	b := private.browser()
	private.signsIn(b, private.link())
	if _, text := b.asks(private.url+"/game/1", nil); !strings.Contains(text, `data-last="4"`) || properties(t, text)["og:title"] != "" {
		t.Errorf("a private game's own player is shown a preview, or no game: %s", text)
	}
}

func TestCardsArePaintedOnlySoOften(t *testing.T) {
	w := build(t)
	const games = cardBurst / 4 // in six languages each
	for range games {
		w.ends("a group")
	}
	painted, refused := 0, 0
	for game := 1; game <= games; game++ {
		for _, l := range phrase.Languages() {
			switch status, _ := visit(t, fmt.Sprintf("%s/game/%d/card.png?in=%s", w.url, game, l), nil); status {
			case http.StatusOK:
				painted++
			case http.StatusServiceUnavailable:
				refused++
			default:
				t.Fatal(status)
			}
		}
	}
	if painted < cardBurst || refused == 0 {
		t.Errorf("%d painted, %d refused", painted, refused)
	}
	if status, _ := visit(t, w.url+"/game/1/card.png?in=en", nil); status != http.StatusOK {
		t.Errorf("what was painted is refused too: %d", status)
	}
}

func TestAStrangerReadsAGameInTheirLanguage(t *testing.T) {
	w := build(t)
	w.ends("a group")
	if _, text := visit(t, w.url+"/game/1", nil, "Accept-Language", "de-AT,de;q=0.9"); !strings.Contains(text, "ben gewinnt durch Matt") {
		t.Error(text)
	}
}
