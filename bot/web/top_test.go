package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// club is a site, and chats in which people play.
type club struct {
	t    testing.TB
	at   string // address of the site
	bot  *bot.Bot
	site *Site
}

func newClub(t testing.TB) *club {
	t.Helper()
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	b := bot.New(bot.NewServices(store, variants.All(), time.Now, func() bool { return true }), log, "test")
	site, err := New(t.Context(), b, log)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(site.Handler("test"))
	t.Cleanup(server.Close)
	return &club{t, server.URL, b, site}
}

// player is somebody in chats; the host of the site is one too.
func (c *club) player(name string) message.Account {
	if name == "host" {
		return c.site.here.host
	}
	return message.Account{Address: storage.Address{Platform: "discord", ID: name}, Name: name}
}

// says lets somebody write in a server's room, "" for their private chat.
func (c *club) says(server, name, text string) []message.Message {
	c.t.Helper()
	m := message.Incoming{From: c.player(name), Text: text, People: map[string]message.Account{}}
	if m.Place = (storage.Address{Platform: "discord", ID: "private " + name}); server == "" {
		m.Private = true
	} else {
		m.Place.ID, m.Server, m.Public = server+" room", storage.Address{Platform: "discord", ID: server}, true
	}
	for word := range strings.FieldsSeq(text) {
		if called, ok := strings.CutPrefix(word, "@"); ok {
			m.People[word] = c.player(called)
		}
	}
	notes, err := c.bot.Handle(c.t.Context(), m)
	if err != nil {
		c.t.Fatal(err)
	}
	return notes
}

// beats lets somebody win a rated game in a server.
func (c *club) beats(server, winner, loser string) {
	c.t.Helper()
	c.says(server, winner, "hello")
	c.says(server, loser, fmt.Sprintf("challenge @%s chess 3d white rated", winner))
	notes := c.says(server, winner, "accept")
	if len(notes) == 0 || notes[0].About == 0 {
		c.t.Fatalf("no game between %s and %s: %v", winner, loser, notes)
	}
	id := notes[0].About
	for i, move := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		c.says(server, []string{loser, winner}[i%2], fmt.Sprintf("#%d %s", id, move))
	}
}

func (c *club) numberOf(name string) storage.PersonID {
	c.t.Helper()
	p, err := c.bot.Users.Meet(c.t.Context(), c.player(name).Address, c.player(name).Name)
	if err != nil {
		c.t.Fatal(err)
	}
	return p.ID
}

// shows is the main part of a page as text, which must be there.
func (c *club) shows(path string) string {
	c.t.Helper()
	status, text := visit(c.t, c.at+path, nil)
	if status != http.StatusOK {
		c.t.Fatalf("%s: %d: %s", path, status, text)
	}
	return textWithin(element(sound(c.t, text), "main"))
}

func TestALeaderboardShowsWhoIsBestAtWhat(t *testing.T) {
	c := newClub(t)
	if empty := c.shows("/top"); !strings.Contains(empty, "Nobody is on this leaderboard yet.") {
		t.Error(empty)
	}
	c.beats("one", "anna", "bert")
	c.beats("one", "anna", "carl")
	for path, want := range map[string]string{
		"/top":                           "1 anna 2 games",
		"/top?game=chess":                "Leaderboard: Chess",
		"/top?period=streak":             "1 anna 2 games 2 in a row",
		"/top?period=week":               "2 points",
		"/top?period=2020-01":            "Nobody played a rated game in January 2020.",
		"/top?game=stealth&period=games": "Nobody is on this leaderboard yet.",
	} {
		if text := c.shows(path); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in %s", path, want, text)
		}
	}
	for _, path := range []string{"/top?game=checkers", "/top?period=yesterday", "/top/0", "/top/one", "/top/99"} {
		if status, _ := visit(t, c.at+path, nil); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}

func TestALeaderboardHasPages(t *testing.T) {
	c := newClub(t)
	for i := range 12 {
		c.beats("one", "anna", fmt.Sprintf("p%02d", i))
	}
	_, text := visit(t, c.at+"/top?period=games&game=chess", nil)
	next := `href="/top?from=11&amp;game=chess&amp;period=games" rel="next"`
	if !strings.Contains(text, next) || strings.Contains(text, `rel="prev"`) {
		t.Errorf("no %s, or a page before the first: %s", next, text)
	}
	_, text = visit(t, c.at+"/top?from=11&game=chess&period=games", nil)
	if !strings.Contains(text, `href="/top?from=1&amp;game=chess&amp;period=games" rel="prev"`) || strings.Contains(text, `rel="next"`) {
		t.Errorf("the second page: %s", text)
	}
}

func TestAServersLeaderboardIsForWhoHasPlayedThere(t *testing.T) {
	c := newClub(t)
	c.beats("one", "anna", "bert")
	c.beats("two", "carl", "host")
	if all := c.shows("/top"); !strings.Contains(all, "anna") || !strings.Contains(all, "carl") {
		t.Errorf("everywhere: %s", all)
	}
	homes, err := c.bot.HomeServers(t.Context(), message.Incoming{From: c.player("host")})
	if err != nil || len(homes) != 1 {
		t.Fatal(homes, err)
	}
	mine, other := homes[0].ID, homes[0].ID-1
	if text := c.shows(fmt.Sprintf("/top/%d", mine)); !strings.Contains(text, "carl") || strings.Contains(text, "anna") {
		t.Errorf("the host's server: %s", text)
	}
	status, text := visit(t, c.at+fmt.Sprintf("/top/%d", other), nil)
	_, none := visit(t, c.at+"/top/99", nil)
	if status != http.StatusNotFound || text != none {
		t.Errorf("another's server answers %d otherwise than none: %s", status, text)
	}
}

func TestWhoIsTakenOffALeaderboardIsNotOnItsPage(t *testing.T) {
	c := newClub(t)
	c.beats("two", "carl", "host")
	c.beats("two", "anna", "bert")
	anna := c.numberOf("anna")
	c.says("two", "anna", "settings leaderboard off")
	for _, path := range []string{"/top", "/top?period=games", "/top?period=streak"} {
		if text := c.shows(path); strings.Contains(text, "anna") {
			t.Errorf("%s: %s", path, text)
		}
	}
	if status, _ := visit(t, c.at+fmt.Sprintf("/people/%d", anna), nil); status != http.StatusNotFound {
		t.Errorf("who wants to be on no leaderboard has a page for all: %d", status)
	}
}

func TestAProfileTellsWhatSomebodyHasReached(t *testing.T) {
	c := newClub(t)
	c.beats("one", "anna", "bert")
	text := c.shows(fmt.Sprintf("/people/%d", c.numberOf("anna")))
	for _, want := range []string{"no games in progress", "Chess 1741±793? 1 0 0", "vs bert 1 0 0", "as Black 1 0 0", "Winning streak: 1 now, 1 at best."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	c.says("", "dora", "hello")
	for _, path := range []string{fmt.Sprintf("/people/%d", c.numberOf("dora")), "/people/999", "/people/anna"} {
		if status, _ := visit(t, c.at+path, nil); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	if own := c.shows(fmt.Sprintf("/people/%d", c.numberOf("host"))); !strings.Contains(own, "No rated games yet.") {
		t.Errorf("the host's own: %s", own)
	}
}

func TestLeaderboardsAndProfilesAreToldInEachLanguage(t *testing.T) {
	c := newClub(t)
	c.beats("one", "anna", "bert")
	for _, path := range []string{"/top", fmt.Sprintf("/people/%d", c.numberOf("anna"))} {
		if !inEachLanguage(t, c.at+path) {
			t.Errorf("%s: two languages are the same", path)
		}
	}
}

func TestAStrangerSeesWhoIsBestAndNoServer(t *testing.T) {
	w := build(t)
	w.hears("ben", "", "help")
	w.hears("ann", "group", "challenge @ben chess white rated")
	w.hears("ben", "group", "accept")
	for i, move := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		w.hears([]string{"ann", "ben"}[i%2], "group", move)
	}
	status, text := visit(t, w.url+"/top", nil)
	if main := textWithin(element(sound(t, text), "main")); status != http.StatusOK || !strings.Contains(main, "1 ben 1 game") || strings.Contains(main, "Telegram") {
		t.Errorf("everywhere: %d: %s", status, main)
	}
	if status, _ := visit(t, w.url+"/top/1", nil); status != http.StatusNotFound {
		t.Errorf("a server: %d", status)
	}
	if status, text := visit(t, w.url+"/people/1", nil); status != http.StatusOK || !strings.Contains(text, "<h1>ben</h1>") {
		t.Errorf("ben: %d: %s", status, text)
	}
	if status, text := visit(t, w.url+"/games", nil); status != http.StatusForbidden || strings.Contains(text, "ben") {
		t.Errorf("games of nobody: %d: %s", status, text)
	}
	b := w.browser()
	w.signsIn(b, w.link())
	if answer, text := b.asks(w.url+"/top/1", nil); answer.StatusCode != http.StatusOK || !strings.Contains(text, "Telegram, server 1") {
		t.Errorf("ann's own server: %d: %s", answer.StatusCode, text)
	}
	if _, text := b.asks(w.url+"/games", nil); !strings.Contains(text, `<a href="/game/1">`) {
		t.Errorf("ann's games: %s", text)
	}
}
