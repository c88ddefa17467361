package web

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chimera/rules/variants"
)

func TestRulesAreListedAndEachGameShowsItsPieces(t *testing.T) {
	at := open(t).URL
	_, list := visit(t, at+"/rules", nil)
	sound(t, list)
	for _, v := range variants.All() {
		if want := `<a href="/rules/` + v.Key + `">` + html.EscapeString(v.Name) + `</a>`; !strings.Contains(list, want) {
			t.Errorf("no %s in %s", want, list)
		}
		status, text := visit(t, at+"/rules/"+v.Key, nil)
		root := sound(t, text)
		if title := textWithin(element(root, "h1")); status != http.StatusOK || title != v.Name {
			t.Errorf("%s: %d, %q", v.Key, status, title)
		}
		for _, want := range []string{v.Noun(v.Called("N")).String(), v.What(v.Called("K")).String()} {
			if said := textWithin(element(root, "main")); !strings.Contains(said, want) {
				t.Errorf("%s: no %q in %s", v.Key, want, said)
			}
		}
	}
}

func TestRulesAreToldInEachLanguage(t *testing.T) {
	at := open(t).URL
	for _, path := range []string{"/rules", "/rules/stealth"} {
		if !inEachLanguage(t, at+path) {
			t.Errorf("%s: two languages are the same", path)
		}
	}
}

func TestWhatIsNotThereIsSaidOnAPage(t *testing.T) {
	at := open(t).URL
	for _, path := range []string{"/rules/checkers", "/nowhere", "/rules/chess/p"} {
		status, text := visit(t, at+path, nil)
		if sound(t, text); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}
