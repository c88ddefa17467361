package web

import (
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

func TestWhatIsSeenIsChosenByLinksWithoutScripts(t *testing.T) {
	at := open(t).URL
	visit(t, at+"/", url.Values{"game": {"combination"}, "against": {"guest"}, "color": {"white"}})
	game := at + "/game/1"
	_, plain := visit(t, game, nil)
	for key, want := range map[string]string{"flip": `data-square="d1"`, "zones": "lends powers here", "threats": "attacked"} {
		link := regexp.MustCompile(`href="(\?` + key + `=on)"`).FindStringSubmatch(plain)
		if link == nil {
			t.Errorf("there is no link for %s", key)
			continue
		}
		_, text := visit(t, game+link[1], nil)
		first, _, _ := strings.Cut(text[strings.Index(text, `role="gridcell"`):], "/>")
		if key == "flip" {
			text = first // it stands above all others now
		}
		if !strings.Contains(text, want) || strings.Contains(plain, want) != (key == "flip") {
			t.Errorf("with %s, %q is missing", key, want)
		}
	}
	if _, text := visit(t, game+"?how=d1", nil); !strings.Contains(text, "<article>") || !strings.Contains(text, `class="picture"`) {
		t.Error("a piece is not explained")
	}
	if _, text := visit(t, game+"?how=nonsense", nil); !strings.Contains(text, "nonsense") {
		t.Error("what is no piece is not told so")
	}
}

func TestAnswersArePlannedWithoutScripts(t *testing.T) {
	at := open(t).URL
	begins(t, at+"/")
	game := at + "/game/1"
	_, text := visit(t, game+"?as=guest&plan=on&line=e4&line=Ke2", nil)
	if !strings.Contains(text, "<b>e4</b>") || !strings.Contains(text, "<article>") {
		t.Errorf("a move that cannot be is not refused, or not after one that can: %s", text)
	}
	_, text = visit(t, game+"?as=guest&plan=on&line=e4&line=e5", nil)
	store := regexp.MustCompile(`name="text" value="(if [^"]+)"`).FindStringSubmatch(text)
	if store == nil {
		t.Fatalf("nothing can be stored: %s", text)
	}
	visit(t, game, url.Values{"text": {html.UnescapeString(store[1])}, "as": {"guest"}})
	_, text = visit(t, game+"?as=guest&plan=on&line=d4&line=d5", nil)
	if both := regexp.MustCompile(`name="text" value="(if [^"]*;[^"]*)"`); !both.MatchString(text) {
		t.Errorf("another line is not stored beside the first: %s", text)
	}
	if _, text = visit(t, game, url.Values{"text": {"e4"}, "as": {"host"}}); !strings.Contains(text, `data-last="2"`) {
		t.Error("the answer was not played")
	}
	if _, text = visit(t, game+"?as=host&plan=on&line=Nf3", nil); strings.Contains(text, `class="thought"`) || !strings.Contains(text, `data-last="2"`) {
		t.Error("whoever is to move thinks ahead")
	}
}
