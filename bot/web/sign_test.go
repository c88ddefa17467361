package web

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// town is a site for people in chats, with a clock that tests set. It can be closed and opened again with the same
// database.
type town struct {
	t     *testing.T
	disk  *kvtest.Disk
	bot   *bot.Bot
	url   string
	site  *Site
	log   *bytes.Buffer
	now   func() time.Time
	past  atomic.Int64 // time that tests have let pass
	close func()
}

// word stands for Telegram's signed data that somebody is eve.
const word = "tgWebAppData=eve&tgWebAppVersion=9"

func build(t *testing.T) *town {
	t.Helper()
	w := &town{t: t, disk: new(kvtest.Disk), log: new(bytes.Buffer), url: "http://127.0.0.1:0"}
	began := time.Now()
	w.now = func() time.Time { return began.Add(time.Duration(w.past.Load())) }
	w.open()
	t.Cleanup(func() { w.close() })
	return w
}

func (w *town) open() {
	w.t.Helper()
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.bot = newBot(w.t, w.disk.Open("db"), w.now, log)
	at := listen(w.t, strings.TrimPrefix(w.url, "http://"))
	w.url = "http://" + at.Addr().String()
	var err error
	w.site, err = Open(w.t.Context(), w.bot, w.url, func(data string) (message.Account, string, bool) {
		who, _, _ := strings.Cut(data, "&")
		return chatter(who), data, who == "eve" || who == "ann"
	}, inChannel{}, nil, log)
	must(w.t, err)
	end := serves(at, framing(w.site.Handler(w.site.auth.host())))
	w.close = func() {
		end()
		_ = w.bot.Store.Close()
	}
}

func chatter(name string) message.Account {
	return message.Account{Address: storage.Address{Platform: "telegram", ID: name}, Name: name}
}

// hears are the answers to somebody's text in a group, or in their private chat if group is "".
func (w *town) hears(name, group, text string) []message.Message {
	w.t.Helper()
	m := message.Incoming{From: chatter(name), Place: storage.Address{Platform: "telegram", ID: "chat of " + name}, Private: group == "", People: map[string]message.Account{}}
	for _, other := range []string{"ann", "ben"} {
		m.People["@"+other] = chatter(other)
	}
	if group != "" {
		m.Place.ID = group
		m.Server, m.Group, m.Public, m.Manager = m.Place, true, true, name == "ann"
	}
	if strings.HasPrefix(text, "press ") {
		m.Press = strings.TrimPrefix(text, "press ")
	} else {
		m.Text = text
	}
	notes, err := w.bot.Handle(w.t.Context(), m)
	must(w.t, err)
	return notes
}

// plays begins a game of ann as White and ben, in private or in a group, and shows it to ben first.
func (w *town) plays(group string) {
	w.t.Helper()
	w.hears("ben", "", "help")
	w.hears("ann", group, "challenge @ben chess white")
	w.hears("ben", group, "accept")
}

// link is a new link for ann to game 1.
func (w *town) link() string {
	w.t.Helper()
	for _, n := range w.hears("ann", "", "press page 1 -") {
		for _, b := range n.Buttons {
			if b.Opens != "" {
				return b.Opens
			}
		}
	}
	w.t.Fatal("ann gets no link")
	return ""
}

// jarred is a browser with cookies; it records each address that it goes to.
type jarred struct {
	*http.Client
	t    testing.TB
	went []string
}

func (w *town) browser() *jarred {
	jar, err := cookiejar.New(nil)
	must(w.t, err)
	b := &jarred{t: w.t, Client: &http.Client{Jar: jar}}
	b.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		b.went = append(b.went, r.URL.String())
		return nil
	}
	return b
}

// answered is an answer without its text.
type answered struct {
	StatusCode int
	Header     http.Header
	URL        *url.URL // after redirects
	cookies    []*http.Cookie
}

// asks gets a page, or posts a form if it is not nil. headers are pairs of name and value.
func (b *jarred) asks(address string, form url.Values, headers ...string) (answered, string) {
	b.t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(body))
	must(b.t, err)
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
		if pair[0] == "Host" {
			r.Host = pair[1]
		}
	}
	answer, err := b.Do(r)
	must(b.t, err)
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	must(b.t, err)
	return answered{answer.StatusCode, answer.Header, answer.Request.URL, answer.Cookies()}, string(text)
}

// finds fails the test unless an answer has a status and contains all the texts, but not those after a "!".
func (b *jarred) finds(status int, address string, form url.Values, has ...string) {
	b.t.Helper()
	answer, text := b.asks(address, form)
	if answer.StatusCode != status {
		b.t.Errorf("%s %v: %d, want %d: %s", address, form, answer.StatusCode, status, text)
	}
	says(b.t, text, has...)
}

// events opens a stream, and returns what reads the data of its next event, "" at its end.
func (b *jarred) events(address string) (next func() string) {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	must(b.t, err)
	answer, err := b.Do(r)
	must(b.t, err)
	b.t.Cleanup(func() { _ = answer.Body.Close() })
	lines := bufio.NewScanner(answer.Body)
	return func() string {
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return data
			}
		}
		if err := lines.Err(); err != nil {
			b.t.Error(err)
		}
		return ""
	}
}

// nobody is a browser without cookies.
func nobody(t testing.TB) *jarred { return &jarred{t: t, Client: http.DefaultClient} }

func finds(t testing.TB, status int, address string, form url.Values, has ...string) {
	t.Helper()
	nobody(t).finds(status, address, form, has...)
}

// signsIn posts the fragment of a link as the page there does.
func (w *town) signsIn(b *jarred, link string) (answered, string) {
	w.t.Helper()
	_, shown, _ := strings.Cut(link, "#")
	return b.asks(w.url+"/in", url.Values{"link": {shown}, "game": {"1"}})
}

// admits fails the test unless signing in is answered with a status.
func (w *town) admits(status int, b *jarred, link string) {
	w.t.Helper()
	if answer, text := w.signsIn(b, link); answer.StatusCode != status {
		w.t.Errorf("%d, want %d: %s", answer.StatusCode, status, text)
	}
}

// ann is a browser in which she is signed in.
func (w *town) ann() *jarred {
	w.t.Helper()
	b := w.browser()
	w.admits(http.StatusOK, b, w.link())
	return b
}

// playing is a town in which a game has begun, see plays.
func playing(t *testing.T, group string) *town {
	t.Helper()
	w := build(t)
	w.plays(group)
	return w
}

// signedIn is a browser in which ann is signed in, who plays ben.
func signedIn(t *testing.T) (*town, *jarred) {
	t.Helper()
	w := playing(t, "")
	return w, w.ann()
}

func TestALinkSignsItsPersonInAndTheyPlay(t *testing.T) {
	w := playing(t, "")
	b := w.browser()
	answer, text := w.signsIn(b, w.link())
	if answer.StatusCode != http.StatusOK || answer.URL.Path != w.site.GamePath(1) || !strings.Contains(text, `data-choices="b1a3`) {
		t.Fatalf("%d at %s: %s", answer.StatusCode, answer.URL, text)
	}
	b.finds(http.StatusOK, w.url+"/game/1", url.Values{"text": {"e4"}}, `data-last="1"`)
	if notes := w.hears("ben", "", "score"); len(notes) != 1 || !strings.Contains(notes[0].Text.Plain(), "e4") {
		t.Errorf("ben is told %v", notes)
	}
	b.finds(http.StatusOK, w.url+"/game/1", url.Values{"text": {"e5"}}, "<article>", `data-last="1"`) // e5 is ben's move
}

func TestAPressOnAPageOfAnotherPersonDoesNothing(t *testing.T) {
	w := playing(t, "")
	b := w.browser()
	w.hears("eve", "", "help")
	if answer, text := w.signsIn(b, "#"+word); answer.StatusCode != http.StatusNotFound || !strings.Contains(text, "no game #1") {
		t.Fatalf("eve sees %d: %s", answer.StatusCode, text)
	}
	for _, form := range []url.Values{{"text": {"e4"}}, {"press": {"play 1 0 e2e4"}}, {"press": {"resign-yes 1 0"}}, {"press": {"flip 1 -"}}} {
		_, text := b.asks(w.url+"/game/1", form)
		says(t, text, "!data-last")
	}
	if notes := w.hears("ann", "", "e4"); len(notes) == 0 || !notes[0].Ack {
		t.Errorf("ann hears %v, and it should be her move still", notes)
	}
}

func TestLinksThatAreNotGoodAreRefusedWithOneSentence(t *testing.T) {
	for name, spoil := range map[string]func(w *town, link string) string{
		"forged":    func(_ *town, link string) string { return link[:len(link)-2] + "xx" },
		"cut short": func(_ *town, link string) string { return link[:len(link)-20] },
		"expired": func(w *town, link string) string {
			w.past.Store(int64(30 * 24 * time.Hour))
			return link
		},
		"reset": func(w *town, link string) string {
			w.hears("ann", "", "settings links reset")
			return link
		},
		"of somebody forgotten": func(w *town, link string) string {
			w.hears("ann", "", "forgetme")
			w.hears("ann", "", "forgetme")
			return link
		},
		"of another program": func(*town, string) string {
			other := build(t)
			other.plays("")
			return other.link()
		},
		"nothing at all":                     func(*town, string) string { return "" },
		"no word of Telegram's":              func(*town, string) string { return "#tgWebAppData=mallory" },
		"no word of Telegram's, within more": func(*town, string) string { return "#a=b&tgWebAppData=" },
	} {
		t.Run(name, func(t *testing.T) {
			w := playing(t, "")
			b := w.browser()
			answer, text := w.signsIn(b, spoil(w, w.link()))
			said := regexp.MustCompile(`(?s)<article>\s*<p>(.*?)</p>\s*</article>`).FindAllStringSubmatch(text, -1)
			if answer.StatusCode != http.StatusForbidden || len(said) != 1 || strings.Count(said[0][1], ".") != 1 {
				t.Errorf("%d, %q", answer.StatusCode, said)
			}
			if len(answer.cookies) > 0 {
				t.Errorf("cookies %v are set", answer.cookies)
			}
			b.finds(http.StatusNotFound, w.url+"/game/1", nil)
		})
	}
}

func TestWhoeverIsSignedInIsSoNoMoreAfterAResetOrTheirTime(t *testing.T) {
	for _, end := range []func(*town, *jarred){
		func(w *town, _ *jarred) { w.hears("ann", "", "settings links reset") },
		func(w *town, _ *jarred) { w.past.Store(int64(30 * 24 * time.Hour)) },
		func(w *town, b *jarred) { b.asks(w.url+"/out", url.Values{}) },
	} {
		w, b := signedIn(t)
		jar, _ := url.Parse(w.url)
		before := b.Jar.Cookies(jar)
		end(w, b)
		b.Jar.SetCookies(jar, before)
		b.finds(http.StatusForbidden, w.url+"/game/1", url.Values{"text": {"e4"}})
		b.finds(http.StatusNotFound, w.url+"/game/1", nil)
	}
}

// TestWhoLooksAtALinkUsesNothingUp requests the page of a link, as robots do for a preview.
func TestWhoLooksAtALinkUsesNothingUp(t *testing.T) {
	w := playing(t, "")
	link := w.link()
	for range 3 {
		answer, text := w.browser().asks(link, nil)
		if answer.StatusCode != http.StatusOK || len(answer.cookies) > 0 || strings.Contains(text, "ann") {
			t.Errorf("%d, cookies %v: %s", answer.StatusCode, answer.cookies, text)
		}
	}
	w.admits(http.StatusOK, w.browser(), link)
}

func TestALinksTextIsInNoAddressNoPageAndNoLog(t *testing.T) {
	w := playing(t, "")
	link := w.link()
	_, secret, _ := strings.Cut(link, "#")
	b := w.browser()
	seen := func(where, text string) {
		if strings.Contains(text, secret) {
			t.Errorf("it is in %s: %s", where, text)
		}
	}
	look, text := b.asks(link, nil)
	seen("the page at the link", text)
	answer, text := w.signsIn(b, link)
	seen("the page after it", text)
	for _, r := range []answered{look, answer} {
		if got := r.Header.Get("Referrer-Policy"); got != "no-referrer" {
			t.Errorf("other sites are told %q", got)
		}
	}
	if len(b.went) != 2 { // the first has the game's number
		t.Errorf("it leads over %v", b.went)
	}
	seen("an address", fmt.Sprint(b.went))
	b.asks(w.url+"/in?game=1", url.Values{"link": {secret + "x"}}) // this is refused
	b.asks(w.url+"/game/1", url.Values{"text": {"e4"}})
	seen("the log", w.log.String())
	cookies := b.Jar.Cookies(answer.URL)
	if len(cookies) != 1 {
		t.Error("there is no cookie, so nothing was shown")
	}
	seen("the cookie", fmt.Sprint(cookies))
}

// TestEachBrowserIsSignedInByItself uses one link in two browsers.
func TestEachBrowserIsSignedInByItself(t *testing.T) {
	w := playing(t, "")
	link := w.link()
	one, other := w.browser(), w.browser()
	w.admits(http.StatusOK, one, link)
	w.admits(http.StatusOK, other, link)
	at, _ := url.Parse(w.url)
	if a, b := one.Jar.Cookies(at), other.Jar.Cookies(at); len(a) != 1 || len(b) != 1 || a[0].Value == b[0].Value {
		t.Errorf("they have %v and %v", a, b)
	}
	one.asks(w.url+"/out", url.Values{})
	for b, want := range map[*jarred]int{one: http.StatusNotFound, other: http.StatusOK} {
		b.finds(want, w.url+"/game/1", nil)
	}
	w.past.Store(int64(29 * 24 * time.Hour))
	late := w.browser()
	w.admits(http.StatusOK, late, link)
	w.past.Store(int64(30 * 24 * time.Hour))
	late.finds(http.StatusNotFound, w.url+"/game/1", nil)
}

// TestACookieThatIsTheLinkItselfStillSignsIn uses a cookie of an earlier version.
func TestACookieThatIsTheLinkItselfStillSignsIn(t *testing.T) {
	w := playing(t, "")
	_, secret, _ := strings.Cut(w.link(), "#")
	if status, text := visit(t, w.url+"/game/1", nil, "Cookie", w.site.auth.cookie(inWindow)+"="+secret); status != http.StatusOK || !strings.Contains(text, `data-choices="b1a3`) {
		t.Errorf("%d: %s", status, text)
	}
}

// TestWhoeverIsSignedInIsAskedBeforeTheyBecomeSomebodyElse shows ann's link and Telegram's data about eve where the
// other is signed in.
func TestWhoeverIsSignedInIsAskedBeforeTheyBecomeSomebodyElse(t *testing.T) {
	w := playing(t, "")
	w.hears("eve", "", "help")
	eve := w.browser()
	w.signsIn(eve, "#"+word)
	at, _ := url.Parse(w.url)
	before := eve.Jar.Cookies(at)
	link := w.link()
	answer, text := w.signsIn(eve, link)
	said := sound(t, text)
	if answer.URL.Path != "/in" || len(answer.cookies) > 0 || !strings.Contains(text, "You are signed in as eve. Sign in as somebody else, who is called ann?") {
		t.Fatalf("%s, %v: %s", answer.URL, answer.cookies, text)
	}
	eve.finds(http.StatusNotFound, w.url+"/game/1", nil)
	form := url.Values{}
	for n := range said.Descendants() {
		if n.Type == html.ElementNode && attribute(n, "name") != "" && attribute(n, "name") != "viewport" {
			form.Set(attribute(n, "name"), attribute(n, "value"))
		}
	}
	if answer, text := eve.asks(w.url+"/in", form); answer.URL.Path != w.site.GamePath(1) || !strings.Contains(text, `data-choices="b1a3`) {
		t.Fatalf("who means it gets %d at %s: %s", answer.StatusCode, answer.URL, text)
	}
	if answer, _ := w.signsIn(eve, link); answer.URL.Path != w.site.GamePath(1) {
		t.Error("ann is asked whether she is ann")
	}
	other := w.browser()
	other.Jar.SetCookies(at, before)
	other.finds(http.StatusForbidden, w.url+"/games", nil)
	again, b := signedIn(t)
	for range 2 { // being asked does not use up the data
		if answer, text := again.signsIn(b, "#"+word); answer.StatusCode != http.StatusOK || !strings.Contains(text, "You are signed in as ann. Sign in as somebody else, who is called eve?") {
			t.Errorf("Telegram's word: %d %s", answer.StatusCode, text)
		}
	}
}

func TestCookiesAreForTheirPagesAloneAndForNoScript(t *testing.T) {
	for url, want := range map[string][2]string{
		"https://chess.example": {
			"__Host-chimera=s; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax",
			"__Host-chimera-telegram=s; Path=/; Max-Age=2592000; HttpOnly; Secure; SameSite=None; Partitioned",
		},
		"http://localhost:8080": {
			"chimera=s; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
			"chimera-telegram=s; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax",
		},
	} {
		d := &auth{url: url}
		if got := [2]string{d.signed("s", inWindow).String(), d.signed("s", inTelegram).String()}; got != want {
			t.Errorf("%s: %q", url, got)
		}
	}
}

func TestAStrangerSeesNoPrivateGameNorThatThereIsOne(t *testing.T) {
	w := playing(t, "")
	b := w.browser()
	for _, path := range []string{"", "?ply=0", "/events", "/after/e2e4"} {
		there, one := b.asks(w.url+"/game/1"+path, nil)
		none, other := b.asks(w.url+"/game/7"+path, nil)
		if there.StatusCode != http.StatusNotFound || there.StatusCode != none.StatusCode || strings.ReplaceAll(one, "1", "7") != strings.ReplaceAll(other, "1", "7") {
			t.Errorf("%s: %d %s, but without a game %d %s", path, there.StatusCode, one, none.StatusCode, other)
		}
	}
	for _, form := range []url.Values{{"text": {"e4"}}, {"press": {"resign-yes 1 0"}}, {"text": {"help"}}} {
		b.finds(http.StatusForbidden, w.url+"/game/1", form, "!<article>")
	}
	b.finds(http.StatusForbidden, w.url+"/", url.Values{"game": {"chess"}, "against": {"1"}})
}

func TestAStrangerWatchesAGameOfAGroupAndCanDoNothing(t *testing.T) {
	w := playing(t, "a group")
	finds(t, http.StatusOK, w.url+"/game/1", nil, `data-last="0"`, `!name="press"`, `!data-choices="b1a3`)
}

func TestTelegramAloneMayShowThePagesOnWhichItSignsPeopleIn(t *testing.T) {
	w := playing(t, "a group")
	framed := func(b *jarred, path string) bool {
		answer, _ := b.asks(w.url+path, nil)
		policy := answer.Header.Get("Content-Security-Policy")
		if strings.Contains(policy, "frame-ancestors https://web.telegram.org") {
			return true
		}
		if !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: %s", path, policy)
		}
		return false
	}
	stranger, ann, eve := w.browser(), w.ann(), w.browser()
	w.signsIn(eve, "#"+word)
	for _, c := range []struct {
		who  *jarred
		path string
		want bool
	}{
		{stranger, "/in?game=1", true},
		{stranger, "/game/1", false},
		{stranger, "/", false},
		{ann, "/game/1", false},
		{eve, "/game/1", true},
		{eve, "/", true},
	} {
		if got := framed(c.who, c.path); got != c.want {
			t.Errorf("%s: %v", c.path, got)
		}
	}
}

func TestWhoAsksTooOftenIsToldToWait(t *testing.T) {
	w := playing(t, "")
	b := w.browser()
	ann := w.ann()
	for i := range 10 * strangerBurst {
		answer, text := b.asks(w.url+"/", nil)
		if answer.StatusCode != http.StatusTooManyRequests {
			continue
		}
		if i+3 < strangerBurst || strings.Count(text, ".") != 1 {
			t.Errorf("request %d is answered %q", i+1, text)
		}
		ann.finds(http.StatusOK, w.url+"/", nil)
		return
	}
	t.Error("there is no end")
}

// TestNobodyWhoIsSignedInIsKeptOutByOthersAtTheirAddress has others send false cookies and links more often than is
// allowed.
func TestNobodyWhoIsSignedInIsKeptOutByOthersAtTheirAddress(t *testing.T) {
	w := playing(t, "")
	ann := w.ann()
	for name, asks := range map[string]func() int{
		"cookies": func() int {
			status, _ := visit(t, w.url+"/games", nil, "Cookie", w.site.auth.cookie(inWindow)+"=nonsense")
			return status
		},
		"links": func() int {
			answer, _ := w.signsIn(w.browser(), "#nonsense")
			return answer.StatusCode
		},
	} {
		refused := false
		for range 700 {
			refused = asks() == http.StatusTooManyRequests || refused
		}
		if !refused {
			t.Errorf("%s: there is no end", name)
		}
		ann.finds(http.StatusOK, w.url+"/game/1", nil)
	}
}

// TestWhoeverHasALinkSignsInWhateverOthersAtTheirAddressAskFor has others request pages and send false links.
func TestWhoeverHasALinkSignsInWhateverOthersAtTheirAddressAskFor(t *testing.T) {
	w := playing(t, "")
	link := w.link()
	for range 2 * strangerBurst {
		visit(t, w.url+"/", nil)
		w.signsIn(w.browser(), "#nonsense")
	}
	b := w.browser()
	b.finds(http.StatusOK, link, nil)
	if answer, text := w.signsIn(b, link); answer.StatusCode != http.StatusOK || answer.URL.Path != w.site.GamePath(1) {
		t.Errorf("they are answered %d at %s: %s", answer.StatusCode, answer.URL, text)
	}
}

func TestAStreamEndsWhenItsPersonIsSignedInNoMore(t *testing.T) {
	w, b := signedIn(t)
	next := b.events(w.url + "/game/1/events")
	if next() == "" {
		t.Fatal("it tells nothing")
	}
	w.hears("ann", "", "settings links reset")
	w.hears("ann", "", "e4")
	if more := next(); more != "" {
		t.Errorf("it goes on with %q", more)
	}
}

func TestOnePersonWatchesAtMostTwentyBoardsAtOnceAndOthersStillDo(t *testing.T) {
	s := &streams{}
	ends := make([]func(), 0, maxOfOne)
	for range maxOfOne {
		heard, end := s.watch(1, "ann", false)
		if heard == nil {
			t.Fatal("it is too many before")
		}
		ends = append(ends, end)
	}
	if heard, _ := s.watch(2, "ann", false); heard != nil {
		t.Error("there is no end")
	}
	if heard, _ := s.watch(1, "ben", false); heard == nil {
		t.Error("ben is kept out by ann")
	}
	ends[0]()
	if heard, _ := s.watch(2, "ann", false); heard == nil {
		t.Error("a board that was closed still counts")
	}
}

// TestStrangersLeaveRoomForPlayersToWatch opens as many streams of both as are allowed.
func TestStrangersLeaveRoomForPlayersToWatch(t *testing.T) {
	s := &streams{}
	var strangers []<-chan struct{}
	for n := range maxStreams {
		heard, _ := s.watch(storage.GameID(1+n%3), fmt.Sprint("stranger ", n/maxOfOne), true)
		if (heard != nil) != (n < maxStrangers) {
			t.Fatalf("stranger %d: watches %t", n+1, heard != nil)
		}
		if heard != nil {
			strangers = append(strangers, heard)
		}
	}
	for n := range maxStreams {
		if heard, _ := s.watch(1, fmt.Sprint("player ", n/maxOfOne), false); heard == nil {
			t.Fatalf("player %d is kept out", n+1)
		}
		for i, heard := range strangers {
			ended := false
			select {
			case _, on := <-heard:
				ended = !on
			default:
			}
			if want := i < n+1-(maxStreams-maxStrangers); ended != want {
				t.Fatalf("of %d players and stranger %d: ended %t", n+1, i+1, ended)
			}
		}
	}
	if heard, _ := s.watch(1, "one more", false); heard != nil {
		t.Error("there is no end")
	}
	s.changed(nil)
	if len(s.open) != maxStreams {
		t.Errorf("there are %d streams", len(s.open))
	}
}

func TestAProxyIsBelievedThatIsNamedAndNoOther(t *testing.T) {
	w := build(t)
	for _, network := range []string{"127.0.0.1/32", "::1/128", "10.0.0.0/8"} {
		w.site.auth.proxies = append(w.site.auth.proxies, netip.MustParsePrefix(network))
	}
	for _, c := range []struct{ peer, forwarded, want string }{
		{"127.0.0.1:5", "", "127.0.0.1"},
		{"127.0.0.1:5", "203.0.113.7", "203.0.113.7"},
		{"[::ffff:127.0.0.1]:5", "203.0.113.7", "203.0.113.7"},
		{"127.0.0.1:5", "1.2.3.4, 203.0.113.7", "203.0.113.7"}, // the client made up the first
		{"127.0.0.1:5", "203.0.113.7, 10.0.0.2", "203.0.113.7"},
		{"127.0.0.1:5", "203.0.113.7, 192.168.0.2", "192.168.0.2"},
		{"10.0.0.3:5", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		{"[::1]:5", "nonsense", "::/64"},
		{"[::ffff:203.0.113.9]:5", "", "203.0.113.9"},
		{"203.0.113.9:5", "1.2.3.4", "203.0.113.9"},
		{"192.168.0.3:5", "1.2.3.4", "192.168.0.3"},
		{"127.0.0.2:5", "1.2.3.4", "127.0.0.2"},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := w.site.source(r); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.peer, c.forwarded, got, c.want)
		}
	}
	if said := w.site.Unnamed(); !strings.Contains(said, "CHIMERA_WEB_PROXIES=127.0.0.2") {
		t.Errorf("of the last that is not named is said: %q", said)
	}
	if log := w.log.String(); strings.Count(log, "CHIMERA_WEB_PROXIES") != 1 || !strings.Contains(log, "CHIMERA_WEB_PROXIES=203.0.113.9") {
		t.Errorf("the log says, and should once: %s", log)
	}
}

// TestStrangersWhoMakeUpAddressesAreOne sends requests that each claim to be from another address.
func TestStrangersWhoMakeUpAddressesAreOne(t *testing.T) {
	w := build(t)
	for i := range 2 * strangerBurst {
		if status, _ := visit(t, w.url+"/", nil, "X-Forwarded-For", fmt.Sprintf("203.0.%d.7", i)); status == http.StatusTooManyRequests {
			return
		}
	}
	t.Error("there is no end")
}

func TestBoardsThatSomebodyAloneSeesOpenAsPages(t *testing.T) {
	w := playing(t, "a group")
	opens := func(notes []message.Message) bool {
		for _, n := range notes {
			for _, b := range n.Buttons {
				if b.Label == "Open board" && w.bot.PageOf(b) == w.url+"/in?game=1" {
					return true
				}
			}
		}
		return false
	}
	for _, text := range []string{"board #1", "press flip 1 -", "press more 1 -", "press back 1 0"} {
		if !opens(w.hears("ann", "", text)) {
			t.Errorf("%s in private: no button", text)
		}
	}
	if opens(w.hears("ann", "a group", "board #1")) {
		t.Error("there is a button where everyone sees it")
	}
	if !opens(w.hears("ann", "a group", "press more 1 -")) {
		t.Error("a group has none under More")
	}
	w.bot.ServePages("")
	for _, text := range []string{"board #1", "press more 1 -", "settings", "privacy"} {
		for _, n := range w.hears("ann", "", text) {
			if opens([]message.Message{n}) || strings.Contains(n.Text.Plain(), "links") || strings.Contains(n.Text.Plain(), "web") {
				t.Errorf("%s tells of pages where there are none: %s", text, n.Text.Plain())
			}
		}
	}
}

// TestWhatIsStoredOfLinksIsInOrderAndHasAnEnd counts what is stored of ann's links.
func TestWhatIsStoredOfLinksIsInOrderAndHasAnEnd(t *testing.T) {
	w := playing(t, "")
	ann, err := w.bot.Users.Meet(t.Context(), chatter("ann").Address, "ann")
	must(t, err)
	stored := func(want int) {
		t.Helper()
		err := w.bot.Store.View(t.Context(), func(r storage.Reader) error {
			all, err := r.SessionsOf(ann.ID)
			if len(all) != want {
				t.Errorf("there are %d, want %d", len(all), want)
			}
			return err
		})
		if err == nil {
			err = w.bot.Store.Check(t.Context(), func(fault string) { t.Error(fault) })
		}
		must(t, err)
	}
	first := w.link()
	w.past.Add(int64(time.Hour))
	for range 60 {
		w.link()
	}
	stored(50)
	w.admits(http.StatusForbidden, w.browser(), first) // the oldest of too many
	if file := w.hears("ann", "", "mydata")[0].File; file == nil || !strings.Contains(file.Content, "SignedIn") {
		t.Error("people aren't told that it is stored")
	}
	w.past.Store(int64(30*24*time.Hour + 59*time.Minute))
	must(t, w.bot.Maintenance.Tick(t.Context()))
	stored(50)
	w.past.Add(int64(24 * time.Hour))
	must(t, w.bot.Maintenance.Tick(t.Context()))
	stored(0)
	w.link()
	stored(1)
	w.hears("ann", "", "forgetme")
	w.hears("ann", "", "forgetme")
	stored(0)
}

// TestALinkIsNoWayToAnAccount tries commands whose effects would outlast the link.
func TestALinkIsNoWayToAnAccount(t *testing.T) {
	w, b := signedIn(t)
	for _, form := range []url.Values{
		{"text": {"link"}},
		{"text": {"unlink"}},
		{"text": {"forgetme"}},
		{"text": {"mydata"}},
		{"press": {"forget-yes 0 -"}},
		{"press": {"link-yes 0 - ABCDEFGHJKLM"}},
		{"press": {"give-yes 0 - ABCDEFGHJKLM"}},
	} {
		b.finds(http.StatusOK, w.url+"/game/1", form, "only works in the chat with me")
	}
}

// TestAFormCannotAskForTheAnswerToAnothersMessage sends a form whose key is the ID of a message of ben's.
func TestAFormCannotAskForTheAnswerToAnothersMessage(t *testing.T) {
	w := playing(t, "")
	m := message.Incoming{ID: "u7", From: chatter("ben"), Place: storage.Address{Platform: "telegram", ID: "chat of ben"}, Private: true, Text: "accept WRONGWRONG22"}
	_, err := w.bot.Handle(t.Context(), m)
	must(t, err)
	w.ann().finds(http.StatusOK, w.url+"/game/1", url.Values{"text": {"e4"}, "key": {"u7"}}, `data-last="1"`)
}

func TestTelegramsWordSignsInOnce(t *testing.T) {
	w := playing(t, "group")
	w.admits(http.StatusOK, w.browser(), "#"+word)
	other := w.browser()
	answer, text := w.signsIn(other, "#"+word)
	if answer.StatusCode != http.StatusForbidden || len(answer.cookies) > 0 || !strings.Contains(text, "confirm who you are") {
		t.Errorf("again: %d, %v: %s", answer.StatusCode, answer.cookies, text)
	}
}
