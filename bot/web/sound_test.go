package web

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"chimera/rules/phrase"
)

// sound reads a page as browsers do, and finds fault with what keeps people or the content security
// policy from it.
func sound(t testing.TB, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	count, ids := map[string]int{}, map[string]int{}
	level := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		if id := attribute(n, "id"); id != "" && n.Namespace == "" { // several drawings may have the same piece
			if ids[id]++; ids[id] == 2 {
				t.Errorf("several have the id %q", id)
			}
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4":
			if l := int(n.Data[1] - '0'); l > level+1 {
				t.Errorf("%q follows a heading of level %d", textWithin(n), level)
			} else {
				level = l
			}
		case "html":
			if attribute(n, "lang") == "" {
				t.Error("no language")
			}
		case "img":
			if !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "alt" }) {
				t.Errorf("%v: no alt", n.Attr)
			}
		case "input", "select":
			if kind := attribute(n, "type"); kind != "hidden" && n.Parent.Data != "label" {
				t.Errorf("%v: no label", n.Attr)
			}
		case "button", "a":
			if textWithin(n) == "" && attribute(n, "aria-label") == "" {
				t.Errorf("%s %v says nothing", n.Data, n.Attr)
			}
		case "table":
			if first := n.FirstChild; first == nil || element(n, "caption") == nil {
				t.Error("a table without a caption")
			}
		case "th":
			if attribute(n, "scope") == "" {
				t.Errorf("%q: a head without a scope", textWithin(n))
			}
		case "style":
			t.Error("styles in the page")
		case "script":
			if attribute(n, "src") == "" {
				t.Error("a script in the page")
			}
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("%s has %s", n.Data, a.Key)
			}
		}
	}
	for _, one := range []string{"h1", "main", "header"} {
		if count[one] != 1 {
			t.Errorf("%d × %s", count[one], one)
		}
	}
	if title := element(root, "title"); title == nil || textWithin(title) == "" {
		t.Fatalf("no title: %s", text)
	}
	return root
}

func element(in *html.Node, name string) *html.Node {
	for n := range in.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			return n
		}
	}
	return nil
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// words are what is written in a part of a page.
func textWithin(n *html.Node) string {
	var all []string
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			all = append(all, c.Data)
		}
	}
	return strings.Join(strings.Fields(strings.Join(all, " ")), " ")
}

// inEachLanguage looks at a page in each, and reports whether no two are the same.
func inEachLanguage(t *testing.T, address string) (distinct bool) {
	t.Helper()
	mains := map[string]bool{}
	for _, l := range phrase.Languages() {
		status, text := visit(t, address, nil, "Accept-Language", string(l))
		root := sound(t, text)
		if got := attribute(element(root, "html"), "lang"); status != http.StatusOK || got != string(l) {
			t.Errorf("%s: %d, in %q", l, status, got)
		}
		mains[textWithin(element(root, "main"))] = true
	}
	return len(mains) == len(phrase.Languages())
}

func TestEachPageIsSound(t *testing.T) {
	screen, w := newClub(t), build(t)
	begins(t, screen.at+"/")
	w.ends("a group")
	ann := w.browser()
	w.signsIn(ann, w.link())
	for _, path := range []string{"/", "/game/1", "/game/1?ply=0", "/game/2", "/games", "/top"} {
		_, text := visit(t, screen.at+path, nil)
		sound(t, text)
		_, text = visit(t, w.url+path, nil)
		sound(t, text)
		_, text = ann.asks(w.url+path, nil)
		sound(t, text)
	}
	_, text := visit(t, w.url+"/in?game=1", nil)
	sound(t, text)
}
