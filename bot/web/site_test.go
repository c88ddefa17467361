package web

import (
	"bytes"
	"fmt"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/bot/metrics"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

var must, says = kvtest.Must, fake.Says

// newBot is a bot with a database, which is closed when the test ends.
func newBot(t testing.TB, db kv.DB, now func() time.Time, log *slog.Logger) *bot.Bot {
	t.Helper()
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	t.Cleanup(func() { _ = store.Close() })
	return bot.New(bot.NewServices(store, variants.All(), now, func() bool { return true }), log, "test")
}

// open is the address of a site with a new database.
func open(t testing.TB) string {
	t.Helper()
	return newClub(t).at
}

// visit gets a page, or posts a form if it is not nil, and returns the answer's status and text.
func visit(t testing.TB, address string, form url.Values, headers ...string) (int, string) {
	t.Helper()
	answer, text := nobody(t).asks(address, form, headers...)
	return answer.StatusCode, text
}

func begins(t *testing.T, at string) {
	t.Helper()
	status, text := visit(t, at, url.Values{"game": {"chess"}, "against": {"guest"}, "color": {"white"}})
	if status != http.StatusOK || !strings.Contains(text, `data-press="play 1 `) {
		t.Fatalf("%d: %s", status, text)
	}
}

func TestAGameIsPlayedWithoutScripts(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	for _, move := range []string{"f3", "e5", "g4", "Qh4"} {
		finds(t, http.StatusOK, at+"/game/1", url.Values{"text": {move}}, move, `aria-current="true">`)
	}
	finds(t, http.StatusOK, at+"/game/1", nil, "checkmate", "Same again")
}

func TestAMoveThatIsSentTwiceIsPlayedOnce(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	for range 2 {
		visit(t, at+"/game/1", url.Values{"press": {"play 1 0 e2e4"}, "key": {"one"}, "as": {"host"}})
	}
	finds(t, http.StatusOK, at+"/game/1", nil, `data-last="1"`, "!<article>")
}

func TestAGameThatIsAskedForTwiceBeginsOnce(t *testing.T) {
	at := open(t)
	for n, against := range []string{"guest", "3"} {
		for range 2 {
			finds(t, http.StatusOK, at+"/", url.Values{"game": {"chess"}, "against": {against}, "color": {"white"}, "key": {"of " + against}}, fmt.Sprintf(`data-press="play %d `, n+1))
		}
	}
}

func TestWhatCannotBeDoneIsSaidOnThePage(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	for _, c := range []struct {
		status int
		path   string
		form   url.Values
		want   string
	}{
		{http.StatusOK, "/game/1", url.Values{"text": {"e5"}}, "e5"},
		{http.StatusOK, "/game/1", url.Values{"press": {"play 1 0 e7e5"}}, "<article>"},
		{http.StatusOK, "/game/1", url.Values{"press": {"nonsense"}}, "<article>"},
		{http.StatusOK, "/game/1", url.Values{"text": {"challenge checkers"}}, `<a href="/"><code>challenge @name`}, // a page does that
		{http.StatusNotFound, "/game/77", nil, "#77"},
		{http.StatusUnprocessableEntity, "/", url.Values{"game": {"checkers"}, "against": {"3"}}, "checkers"},
	} {
		finds(t, c.status, at+c.path, c.form, c.want, "<article>")
	}
}

// TestWhatHasAPageOfItsOwnLeadsThere types in a game what would show another board below its own.
func TestWhatHasAPageOfItsOwnLeadsThere(t *testing.T) {
	c := newClub(t)
	for range 2 {
		visit(t, c.at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"white"}})
	}
	game, other := c.site.GamePath(1), c.site.GamePath(2)
	visit(t, c.at+game, url.Values{"text": {"a2a3"}})
	for text, want := range map[string]string{
		"learn stealth": "/learn/stealth/1", "learn combination": "/learn/combination/1", "puzzle stealth": "/puzzle/stealth", "puzzle daily": "/daily",
		"rules": "/rules/stealth", "board 0": game + "?ply=0", "next": other, "board #2": other, "board": game, "how RRR": game, "how N chess": game,
	} {
		answer, page := nobody(t).asks(c.at+game, url.Values{"text": {text}, "as": {"host"}})
		_, notes, _ := strings.Cut(page, `id="notes"`)
		notes, _, _ = strings.Cut(notes, "</section>")
		if got := answer.URL.RequestURI(); got != want || got == game && strings.Contains(notes, "<svg") {
			t.Errorf("%s leads to %s: %s", text, got, notes)
		}
	}
	finds(t, http.StatusOK, c.at+game, url.Values{"text": {"how RRR"}}, `href="/rules/stealth/RRR"`)
	finds(t, http.StatusOK, c.at+"/rules/stealth/RRR", nil)
}

func TestOtherSitesCanDoNothing(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	move := url.Values{"text": {"e4"}}
	if status, _ := visit(t, at+"/game/1", move, "Origin", "https://elsewhere.example"); status != http.StatusForbidden {
		t.Errorf("a form of another site is answered %d", status)
	}
	if status, _ := visit(t, at+"/game/1", nil, "Host", "elsewhere.example"); status != http.StatusMisdirectedRequest {
		t.Errorf("another name is answered %d", status)
	}
	finds(t, http.StatusOK, at+"/game/1", nil, `data-last="0"`)
}

func TestAStreamTellsOfEachChangeAndFirstHowThingsStand(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	first := nobody(t).events(at + "/game/1/events")
	before := first()
	visit(t, at+"/game/1", url.Values{"text": {"e4"}})
	after := first()
	if before == after {
		t.Errorf("revision %s is followed by %s", before, after)
	}
	if got := nobody(t).events(at + "/game/1/events")(); got != after {
		t.Errorf("who comes back hears of %s, want %s", got, after)
	}
}

func TestAnswersAreCountedAndLooksAreNot(t *testing.T) {
	c, m := newClub(t), metrics.New("test")
	c.bot.Count(m)
	shown := func() string {
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
		return w.Body.String()
	}
	visit(t, c.at+"/", nil)
	says(t, shown(), `!chimera_answer_seconds_count{platform="web"}`) // who looks at a page is not answered
	visit(t, c.at+"/", url.Values{"game": {"chess"}, "against": {"computer"}, "level": {"1"}})
	says(t, shown(), `chimera_answer_seconds_count{platform="web"} 1`, `chimera_messages_total{kind="text",platform="web"} 1`)
}

func TestWhatIsSeenIsChosenByLinksWithoutScripts(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"combination"}, "against": {"guest"}, "color": {"white"}})
	game := at + "/game/1"
	_, plain := visit(t, game, nil)
	for key, want := range map[string]string{"flip": `data-square="d1"`, "zones": "from White", "threats": "attacked"} {
		link := regexp.MustCompile(`href="(\?` + key + `=on)"`).FindStringSubmatch(plain)
		if link == nil {
			t.Errorf("there is no link for %s", key)
			continue
		}
		_, text := visit(t, game+link[1], nil)
		first, _, _ := strings.Cut(text[strings.Index(text, `role="gridcell"`):], "/>")
		if key == "flip" {
			text = first // now it is above all others
		}
		if !strings.Contains(text, want) || strings.Contains(plain, want) != (key == "flip") {
			t.Errorf("with %s, %q is missing", key, want)
		}
	}
	finds(t, http.StatusOK, game+"?how=d1", nil, "<article>")
	finds(t, http.StatusOK, game+"?ply=9&plan=on&line=a2a3", nil, `data-ply="0"`) // as after a takeback
	finds(t, http.StatusOK, game+"?how=nonsense", nil, "nonsense")
}

func TestThreatsSayWhichPiecesAreAttackedAndDrawThem(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"brigade"}, "against": {"guest"}, "color": {"white"}})
	plays(t, at+"/game/1", "d1c5xe7 d8b3xc2 c5b6xc7 b3b3xb1 b6g5xg7 g8g5 d2d4 b3f6xd4")
	_, text := visit(t, at+"/game/1?threats=on", nil)
	says(t, text, "Letters: N tank, B gun, R howitzer, Q plane")
	lines := regexp.MustCompile(`(?s)<ul class="threats"><li><span class="tile" aria-hidden="true">(.*?)</span>(.*?)</li><li><span class="tile" aria-hidden="true">(.*?)</span>(.*?)</li></ul>`).FindStringSubmatch(text)
	if lines == nil || lines[2] != "Can be taken with gain: infantry a2 (by plane f6, gun f8)." || lines[4] != "Attacked, but without gain: 8 pieces." {
		t.Fatalf("threats are %q", lines)
	}
	if lines[1] == lines[3] || !strings.HasPrefix(lines[1], "<svg") {
		t.Error("what they say is not told apart by the signs on the board")
	}
}

func TestAHintTakesThePlaceOfThreats(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"brigade"}, "against": {"1"}, "color": {"white"}})
	for _, c := range []struct {
		form    url.Values
		threats bool
	}{{nil, true}, {url.Values{"press": {"hint 1 0"}}, false}} {
		_, text := visit(t, at+"/game/1?threats=on", c.form)
		if listed, lit := strings.Contains(text, `class="threats"`), strings.Contains(text, `aria-current="true">Threats`); listed != c.threats || lit != c.threats {
			t.Errorf("%v: threats are listed: %v, and their button is lit: %v", c.form, listed, lit)
		}
	}
}

func TestAHintLeavesTheLentPowersThatAreShown(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"combination"}, "against": {"1"}, "color": {"white"}})
	tints := func(press url.Values) []string {
		_, text := visit(t, at+"/game/1?zones=on", press)
		return regexp.MustCompile(`<path fill="[^"]*" fill-opacity="0.28"[^>]*/>`).FindAllString(text, -1)
	}
	before := tints(nil)
	if after := tints(url.Values{"press": {"hint 1 0"}}); len(before) == 0 || !slices.Equal(before, after) {
		t.Errorf("with a hint, %d squares are tinted in place of %d", len(after), len(before))
	}
}

func TestInCheckThreatsBeginWithItAndTheEnemyIsExplained(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	plays(t, at+"/game/1", "e4 f6 Qh5+")
	finds(t, http.StatusOK, at+"/game/1?how=h5", nil, `<g class="aims">`)
	finds(t, http.StatusOK, at+"/game/1?threats=on", nil, `<ul class="threats"><li>Check!</li><li>`)
}

func TestAHintShowsHowManyThereAre(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"white"}})
	for n, press := range []url.Values{nil, {"press": {"hint 1 0"}}, {"press": {"hint 1 0"}}, {"press": {"hint 1 0"}}, nil} {
		_, text := visit(t, at+"/game/1", press)
		button := regexp.MustCompile(`<button name="press" value="hint [^>]*>.*?</button>`).FindString(text)
		if done := strings.Count(button, "done"); done != min(n, 3) || strings.Contains(button, "disabled") != (n == 3) { // the last hint can be read again on a later page
			t.Errorf("after %d presses, the button is %s", n, button)
		}
	}
}

func TestAnswersArePlannedWithoutScripts(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	game := at + "/game/1"
	finds(t, http.StatusOK, game+"?as=guest&plan=on&line=e4&line=Ke2", nil, "<b>e4</b>", "<article>") // the second is refused
	_, text := visit(t, game+"?as=guest&plan=on&line=e4&line=e5", nil)
	says(t, html.UnescapeString(text), "as=guest&flip=on&line=e4&line=e5&plan=on") // to turn the board
	store := regexp.MustCompile(`name="text" value="(if [^"]+)"`).FindStringSubmatch(text)
	if store == nil {
		t.Fatalf("nothing can be stored: %s", text)
	}
	visit(t, game, url.Values{"text": {html.UnescapeString(store[1])}, "as": {"guest"}})
	_, text = visit(t, game+"?as=guest&plan=on&line=d4&line=d5", nil)
	if both := regexp.MustCompile(`name="text" value="(if [^"]*;[^"]*)"`); !both.MatchString(text) {
		t.Errorf("another line is not stored beside the first: %s", text)
	}
	finds(t, http.StatusOK, game, url.Values{"text": {"e4"}, "as": {"host"}}, `data-last="2"`)
	finds(t, http.StatusOK, game+"?as=host&plan=on&line=Nf3", nil, `!class="thought"`, `data-last="2"`)
}

// ends plays a game of ann, as White, and ben to its end.
func (w *town) ends(group string) {
	w.t.Helper()
	w.plays(group)
	w.moves(group, "f3 e5 g4 Qh4")
}

// moves has ann and ben write by turns.
func (w *town) moves(group, texts string) {
	w.t.Helper()
	for i, text := range strings.Fields(texts) {
		w.hears([]string{"ann", "ben"}[i%2], group, text)
	}
}

// properties are the meta elements of a page, for sites that show a preview.
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
		"og:title": "Chess #1: ann (White) vs ben (Black)", "og:url": w.url + w.site.GamePath(1), "og:image": w.url + w.site.GamePath(1) + "/card.png?in=en", "twitter:card": "summary_large_image",
	} {
		if said[name] != want {
			t.Errorf("%s is %q, want %q", name, said[name], want)
		}
	}
	says(t, said["og:description"], "ben wins by checkmate", "!vs ben")
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
	b := private.ann()
	if _, text := b.asks(private.url+"/game/1", nil); !strings.Contains(text, `data-last="4"`) || properties(t, text)["og:title"] != "" {
		t.Errorf("a private game's own player is shown a preview, or no game: %s", text)
	}
}

func TestCardsArePaintedOnlySoOften(t *testing.T) {
	w := build(t)
	w.ends("a group")
	card := func(l phrase.Language) int {
		status, _ := visit(t, fmt.Sprintf("%s/game/1/card.png?in=%s", w.url, l), nil)
		return status
	}
	if status := card(phrase.English); status != http.StatusOK {
		t.Fatal(status)
	}
	left := 0
	for w.site.auth.may("cards", cardRate, cardBurst) { // as if others had used up the limit
		left++
	}
	if left < cardBurst-1 {
		t.Errorf("%d more may be painted, want %d", left, cardBurst-1)
	}
	for _, l := range phrase.Languages() {
		status := card(l)
		if l == phrase.English && status != http.StatusOK {
			t.Errorf("what was painted is refused too: %d", status)
		}
		if l == phrase.German && status != http.StatusServiceUnavailable {
			t.Errorf("one too many is answered with %d", status)
		}
	}
}

func TestAStrangerReadsAGameInTheirLanguage(t *testing.T) {
	w := build(t)
	w.ends("a group")
	_, text := visit(t, w.url+"/game/1", nil, "Accept-Language", "de-AT,de;q=0.9")
	says(t, text, "ben gewinnt durch Matt")
}

// sound parses a page as browsers do, and reports what would be inaccessible to people or forbidden by the content
// security policy.
func sound(t testing.TB, text string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	must(t, err)
	count, ids := map[string]int{}, map[string]int{}
	level := 0
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		if id := attribute(n, "id"); id != "" && n.Namespace == "" { // several drawings may contain the same piece
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

// textWithin is all text in a part of a page.
func textWithin(n *html.Node) string {
	var all []string
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			all = append(all, c.Data)
		}
	}
	return strings.Join(strings.Fields(strings.Join(all, " ")), " ")
}

// inEachLanguage checks a page in each language, and reports whether no two are the same.
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
	ann := w.ann()
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

func TestNobodyIsToldToWriteWhatPagesHaveButtonsFor(t *testing.T) {
	for key, want := range map[string]string{
		"request.old-button": "That button is too old.", "request.no-game": `You have no game here. Write <a href="/"><code>challenge</code></a> to start one.`,
		"refused.too-late-to-abort": "Both of you have moved, so #3 can&#39;t be aborted.", "request.unknown": "I don&#39;t know “x.y”. Write a move like Nf3 or e2e4.",
		"clock.no-plan": "You have no conditional moves in game 3.",
	} {
		got := strings.TrimSpace(string(markup(words.Say(key, "game", 3, "word", "x.y").In(phrase.English))))
		if got != want {
			t.Errorf("%s is %s", key, got)
		}
	}
}
