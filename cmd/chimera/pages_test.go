package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
)

// pagesURL is where people reach the pages, through a proxy that there is none of here.
const pagesURL = "https://chess.example"

// servesPages starts the program on both platforms and with pages, and returns the address at which it
// listens for these; end ends it, and looks whether all that it has stored is sound.
func servesPages(t *testing.T, more ...string) (program *child, d *fake.Discord, g *fake.Telegram, at string, end func()) {
	t.Helper()
	at = freeAddress(t)
	data := filepath.Join(t.TempDir(), "pages.db")
	program, d, g = serves(t, data, append(more, "--web-url", pagesURL, "--web-listen", at)...)
	end = func() {
		_ = program.cmd.Process.Kill() // unless it has ended
		_ = program.cmd.Wait()
		verifies(t, data)
	}
	return program, d, g, "http://" + at, end
}

// visitor is somebody at a browser.
type visitor struct {
	t      *testing.T
	at     string
	cookie string
}

// asks gets a page, or posts a form where there is one, and is where that leads to and its text. The
// browser is at the proxy, which asks as it was asked.
func (s *visitor) asks(path string, form url.Values) (where, text string) {
	s.t.Helper()
	method, body := http.MethodGet, ""
	if form != nil {
		method, body = http.MethodPost, form.Encode()
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.at+path, strings.NewReader(body))
	must(s.t, err)
	r.Host = strings.TrimPrefix(pagesURL, "https://")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Origin", pagesURL)
	}
	if s.cookie != "" {
		r.Header.Set("Cookie", s.cookie)
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	must(s.t, err)
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	must(s.t, err)
	for _, c := range answer.Cookies() {
		s.cookie = c.Name + "=" + c.Value
	}
	if answer.StatusCode == http.StatusTemporaryRedirect { // from the number of a game to its address
		return s.asks(answer.Header.Get("Location"), form)
	}
	return fmt.Sprint(answer.StatusCode, " ", answer.Header.Get("Location")), string(content)
}

// signIn does what the page at an address does with what stands behind the #.
func signIn(t *testing.T, at, address string) *visitor {
	t.Helper()
	s := &visitor{t: t, at: at}
	page, shown, _ := strings.Cut(strings.TrimPrefix(address, pagesURL), "#")
	if where, text := s.asks(page, nil); where != "200 " || !strings.Contains(text, `action="/in"`) {
		t.Fatalf("%s: %s %s", page, where, text)
	}
	game := regexp.MustCompile(`game=(\d+)`).FindStringSubmatch(page)[1]
	where, text := s.asks("/in", url.Values{"link": {shown}, "game": {game}})
	if where != "303 /game/"+game || s.cookie == "" {
		t.Fatalf("%s, cookie %q: %s", where, s.cookie, text)
	}
	return s
}

// plays plays a move on the page of game 1.
func (s *visitor) plays(move string, ply int) {
	s.t.Helper()
	form := url.Values{"press": {fmt.Sprint("play 1 ", ply, " ", move)}, "key": {fmt.Sprint(ply)}}
	if where, text := s.asks("/game/1", form); where != "200 " || !strings.Contains(text, fmt.Sprintf(`data-last="%d"`, ply+1)) {
		s.t.Fatalf("%s is not played: %s %s", move, where, text)
	}
}

// sees looks for words on the page of game 1.
func (s *visitor) sees(words string) {
	s.t.Helper()
	if _, text := s.asks("/game/1", nil); !strings.Contains(text, words) {
		s.t.Fatalf("no %q in %s", words, text)
	}
}

var linkInText = regexp.MustCompile(`"url": ?"(` + pagesURL + `/in\?game=1#[A-Za-z0-9_-]{26})"`)

// TestWhitePlaysOnAPageAndBlackOnDiscord plays a game in one process, from a challenge in a server to mate.
// The link that signs White in is told to her alone, and is in no log.
func TestWhitePlaysOnAPageAndBlackOnDiscord(t *testing.T) {
	t.Parallel()
	program, d, _, at, end := servesPages(t)
	defer end()
	alice, bob := fake.Users()[0], fake.Users()[1]
	d.Slash(fake.Channel, alice, "challenge", "game=chess", "colour=white")
	offer := d.Posted("POST channels/501/messages", "alice is looking for an opponent")
	d.Slash(fake.Channel, bob, "accept", "game=#1")
	if public := d.Posted("/messages", "<@11>", "Flip"); public.Has("Open board") {
		t.Errorf("everyone sees %v", public.Body)
	}
	q := d.Slash(offer.ID, alice, "board")
	d.Posted("/token"+q, `"flags": 64`, "Open board", `"custom_id": "page 1 -"`)
	q = d.Press(offer.ID, alice, fake.Pressable{Data: "page 1 -", Flags: 64})
	answer := d.Posted("/token"+q, "opens #1 on the web", pagesURL)
	const ephemeral = 64
	flags, _ := fake.Object(fake.Object(answer.Body)["data"])["flags"].(float64)
	if int(flags)&ephemeral == 0 || answer.Method != http.MethodPost {
		t.Errorf("others see %s", answer.Text)
	}
	link := linkInText.FindStringSubmatch(answer.Text)
	if link == nil {
		t.Fatalf("no link in %s", answer.Text)
	}
	page := signIn(t, at, link[1])
	page.plays("f2f3", 0)
	d.Posted("/messages", "1. f3", "<@12>")
	d.Slash(offer.ID, bob, "move", "move=e5")
	d.Posted("/messages", "1… e5", "<@11>")
	page.sees("e5")
	page.plays("g2g4", 2)
	d.Posted("/messages", "2. g4", "<@12>")
	d.Slash(offer.ID, bob, "move", "move=Qh4")
	d.Posted("/messages", "bob wins by checkmate")
	page.sees("bob wins by checkmate")

	said := []any{map[string]any{"name": "setting", "type": 3, "value": "links"}, map[string]any{"name": "value", "type": 3, "value": "reset"}}
	q = d.Interact(offer.ID, alice, fake.IsCommand, map[string]any{
		"id": "1", "name": "settings", "type": 1, "options": []any{map[string]any{"name": "mine", "type": 1, "options": said}},
	})
	d.Posted("/token"+q, "none of your links")
	if where, _ := page.asks("/games", nil); !strings.HasPrefix(where, "403") {
		t.Errorf("after the reset: %s", where)
	}
	_, secret, _ := strings.Cut(link[1], "#")
	d.Lock()
	for _, c := range d.Calls {
		if strings.Contains(c.Text, secret) && c.ID != answer.ID {
			t.Errorf("the link is told in %s too", c.Path)
		}
	}
	d.Unlock()
	program.kill()
	if log := program.errs.String(); strings.Contains(log, secret) || !strings.Contains(log, pagesURL) {
		t.Errorf("the log: %s", log)
	}
}

// TestAProxyThatIsNotNamedIsSaidInTheLogAndInStatus asks as one that is, and as one that is not.
func TestAProxyThatIsNotNamedIsSaidInTheLogAndInStatus(t *testing.T) {
	t.Parallel()
	for proxies, said := range map[string]int{"127.0.0.1": 0, "10.0.0.0/8": 1} {
		program, _, _, at, end := servesPages(t, "--web-proxies", proxies)
		for range 3 {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/rules", nil)
			must(t, err)
			r.Host = strings.TrimPrefix(pagesURL, "https://")
			r.Header.Set("X-Forwarded-For", "203.0.113.7")
			answer, err := http.DefaultTransport.RoundTrip(r)
			if err != nil || answer.StatusCode != http.StatusOK {
				t.Fatal(answer, err)
			}
			_ = answer.Body.Close()
		}
		const set = "set CHIMERA_WEB_PROXIES=127.0.0.1"
		data := program.cmd.Args[slices.Index(program.cmd.Args, "--data")+1]
		if _, out, errs := call(t, "", "status", "--data", data); strings.Count(out, set) != said {
			t.Errorf("with %s, status says %s%s", proxies, out, errs)
		}
		end()
		if log := program.errs.String(); strings.Count(log, set) != said {
			t.Errorf("with %s, the log says %s", proxies, log)
		}
	}
}

// wordOf is what Telegram says of somebody who opens a Mini App of the bot of a token.
func wordOf(token string, who fake.Person, at time.Time) string {
	facts := url.Values{
		"auth_date": {fmt.Sprint(at.Unix())}, "query_id": {"AAF"},
		"user": {fmt.Sprintf(`{"id":%d,"first_name":%q,"language_code":"en"}`, who.ID, who.Name)},
	}
	var lines []string
	for name := range facts {
		lines = append(lines, name+"="+facts.Get(name))
	}
	slices.Sort(lines)
	sum := func(key, text string) string {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(text))
		return string(mac.Sum(nil))
	}
	facts.Set("hash", hex.EncodeToString([]byte(sum(sum("WebAppData", token), strings.Join(lines, "\n")))))
	return url.Values{"tgWebAppData": {facts.Encode()}, "tgWebAppVersion": {"9.1"}, "tgWebAppPlatform": {"ios"}}.Encode()
}

// appOf waits for a board in somebody's private chat, and is the address of the Mini App that it opens.
func appOf(t *testing.T, g *fake.Telegram, who fake.Person) (address string) {
	t.Helper()
	g.Wait("a board with a Mini App", func() bool {
		for _, c := range g.Calls {
			for _, b := range c.Buttons() {
				if c.Has(fmt.Sprint("chat_id:", who.ID)) && b.Text == "Open board" {
					address = b.App.URL
				}
			}
		}
		return address != ""
	})
	return address
}

// TestWhitePlaysOnTelegramAndBlackInAMiniApp likewise, by way of the private chats of both.
func TestWhitePlaysOnTelegramAndBlackInAMiniApp(t *testing.T) {
	t.Parallel()
	_, _, g, at, end := servesPages(t)
	defer end()
	ann, ben := fake.Person{ID: 1, Name: "ann"}, fake.Person{ID: 2, Name: "ben"}
	g.Say(ann.ID, ann, "/challenge chess white")
	g.Say(ben.ID, ben, "/start "+toldCode(g, 1, "accept "))
	g.Posted("sendPhoto", "chat_id:1", "Chess #1", "Flip")
	app := appOf(t, g, ben)
	if app != pagesURL+"/in?game=1" {
		t.Fatalf("the Mini App is at %s", app)
	}
	now := time.Now()
	stranger := &visitor{t: t, at: at}
	for name, word := range map[string]string{
		"of another bot": wordOf("12345:other", ben, now), "an hour old": wordOf(fake.Token, ben, now.Add(-61*time.Minute)),
		"forged": strings.Replace(wordOf(fake.Token, ben, now), "ben", "bet", 1),
	} {
		where, text := stranger.asks("/in", url.Values{"link": {word}, "game": {"1"}})
		if !strings.HasPrefix(where, "403") || !strings.Contains(text, "confirm who you are") || stranger.cookie != "" {
			t.Errorf("%s: %s, %q: %s", name, where, stranger.cookie, text)
		}
	}
	if where, text := stranger.asks("/game/1", nil); !strings.HasPrefix(where, "404") || strings.Contains(text, "ann") {
		t.Errorf("a stranger: %s %s", where, text)
	}
	page := signIn(t, at, app+"#"+wordOf(fake.Token, ben, now))
	g.Say(ann.ID, ann, "f3")
	g.Posted("sendPhoto", "chat_id:2", "1. f3", "Flip")
	page.plays("e7e5", 1)
	g.Posted("sendPhoto", "chat_id:1", "1… e5", "Flip")
	g.Say(ann.ID, ann, "g4")
	g.Posted("sendPhoto", "chat_id:2", "2. g4", "Flip")
	page.plays("d8h4", 3)
	g.Posted("chat_id:1", "ben wins by checkmate")
	page.sees("You win by checkmate")
}

// TestBoardsOfAGroupAreOpenedByWayOfThePrivateChat presses where all of a group see it.
func TestBoardsOfAGroupAreOpenedByWayOfThePrivateChat(t *testing.T) {
	t.Parallel()
	_, _, g, at, end := servesPages(t)
	defer end()
	ann, ben := fake.Person{ID: 1, Name: "ann"}, fake.Person{ID: 2, Name: "ben"}
	g.Say(ann.ID, ann, "/help")
	g.Posted("chat_id:1")
	g.Say(-5, ann, "/challenge@ChimeraBot chess white")
	offer := g.Posted("chat_id:-5", "ann is looking", "Join")
	g.Press(-5, ben, offer, "join 1 -")
	board := g.Posted("sendPhoto", "chat_id:-5", "Chess #1", "More")
	g.Press(-5, ann, board, "more 1 0")
	g.Wait("the buttons under More", func() bool {
		return slices.ContainsFunc(g.Calls, func(c fake.Call) bool {
			return c.Method == "editMessageReplyMarkup" && c.Has("chat_id:-5", "Open board")
		})
	})
	g.Press(-5, ann, board, "page 1 -")
	g.Posted("chat_id:1", "opens #1 on the web", pagesURL)
	if app := appOf(t, g, ann); app != pagesURL+"/in?game=1" {
		t.Errorf("the Mini App is at %s", app)
	}
	anyone := &visitor{t: t, at: at}
	if where, text := anyone.asks("/game/1", nil); where != "200 " || strings.Contains(text, `name="press"`) {
		t.Errorf("whoever watches sees %s: %s", where, text)
	}
}
