package web

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// plays posts moves and other texts, one after the other.
func plays(t *testing.T, game, texts string) {
	t.Helper()
	for text := range strings.FieldsSeq(texts) {
		visit(t, game, url.Values{"text": {text}})
		if text == "resign" {
			visit(t, game, url.Values{"press": {"resign-yes 1 -"}})
		}
	}
}

// say posts a text as one of those who sit at the screen; a game must have begun.
func say(t *testing.T, at, as, text string) {
	t.Helper()
	visit(t, at+"/game/1", url.Values{"text": {text}, "as": {as}})
}

// section is a section of the page of somebody's games, by the key of its heading; "" if it is not there.
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
	c := newClub(t)
	at := c.at
	finds(t, http.StatusOK, at+"/games", nil, "no games")
	begins(t, at+"/")
	visit(t, at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"black"}})
	visit(t, at+"/", url.Values{"game": {"stealth"}, "against": {"guest"}, "color": {"black"}})
	for _, press := range []string{"resign 3 -", "resign-yes 3 -"} {
		visit(t, at+"/game/3", url.Values{"press": {press}, "as": {"host"}})
	}
	for key, game := range map[string]storage.GameID{"games-mine": 1, "games-theirs": 2, "games-ended": 3} {
		part := section(t, at+"/games", key)
		for n := storage.GameID(1); n <= 3; n++ {
			if got := strings.Contains(part, `href="`+c.site.GamePath(n)+`"`); got != (n == game) {
				t.Errorf("%s has game %d: %t: %s", key, n, got, part)
			}
		}
	}
}

func TestChallengesAndOffersAreAnsweredWhereTheyAreListed(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	say(t, at, "guest", "challenge stealth 3d")
	say(t, at, "host", "challenge knightmare 3d")
	say(t, at, "guest", "draw")
	offers := section(t, at+"/games", "games-offers") // another's open challenge is none of the host's
	says(t, offers, `value="call-off 3 -"`, `value="agree-draw 1 0"`, `value="refuse-draw 1 0"`, "!join 2")
	visit(t, at+"/games", url.Values{"press": {"call-off 3 -"}})
	visit(t, at+"/games", url.Values{"press": {"refuse-draw 1 0"}})
	if offers = section(t, at+"/games", "games-offers"); offers != "" {
		t.Errorf("answered, but still there: %s", offers)
	}
	finds(t, http.StatusOK, at+"/games", url.Values{"press": {"join 2 -"}}, `data-press="play 2 `)
	finds(t, http.StatusOK, at+"/games", url.Values{"press": {"call-off 3 -"}}, "<article>") // it can't be done any more
}

func TestTwoAtOneScreenPlayUnratedWithoutALimit(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	finds(t, http.StatusOK, at+"/game/1?as=host", nil, "no time limit", `!class="clocks"`)
	for i, move := range strings.Fields("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7") {
		say(t, at, []string{"host", "guest"}[i%2], move)
	}
	say(t, at, "host", "resign")
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"resign-yes 1 -"}, "as": {"host"}})
	finds(t, http.StatusOK, at+"/game/1?as=host", nil, "resignation", "!1500", "!ated:")
}

func TestResignThatIsPressedOrTypedTwiceOnlyAsksTwice(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	for _, asks := range []url.Values{{"press": {"resign 1 0"}}, {"press": {"resign 1 0"}}, {"text": {"resign"}}, {"text": {"Resign #1"}}} {
		asks.Set("as", "host")
		finds(t, http.StatusOK, at+"/game/1", asks, `value="resign-yes 1 -"`)
	}
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"resign-yes 1 -"}, "as": {"host"}}, "resignation")
}

// TestALineThatIsTriedIsJudged tries a move before a fool's mate, and the mate.
func TestALineThatIsTriedIsJudged(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	plays(t, at+"/game/1", "f3 e5 g4 resign")
	finds(t, http.StatusOK, at+"/game/1?ply=2&how=g2", nil, "pawn on g2") // which has gone since
	finds(t, http.StatusOK, at+"/game/1?ply=2&plan=on&line=g4", nil, "g4</a>??</b> (blunder)", "chances: 2%", `Best now: <a href="?line=g4&amp;line=Qh4%23&amp;plan=on&amp;ply=2">2… Qh4#</a>`)
	finds(t, http.StatusOK, at+"/game/1?ply=2&plan=on&line=g4&line=Qh4", nil, "chances: 2%", "!Best now", "!Qh4#</a>?") // mate
	finds(t, http.StatusOK, at+"/game/1?ply=2&plan=on&line=Ke3", nil, "<article>")
	for query, king := range map[string]string{"": "fallen-black-king", "?ply=3&plan=on": "black-king"} {
		finds(t, http.StatusOK, at+"/game/1"+query, nil, `href="#`+king)
	}
	finds(t, http.StatusOK, at+"/game/1?ply=2&plan=on&line=d7d5", nil, "It&#39;s White&#39;s turn here.")
}

// TestWhatAReviewTellsIsBestInALineThatIsTriedToo tries the review's better move, and the move that was played.
func TestWhatAReviewTellsIsBestInALineThatIsTriedToo(t *testing.T) {
	c := newClub(t)
	begins(t, c.at+"/")
	plays(t, c.at+"/game/1", "f3 e5 e4 a6 g4 resign")
	found := storage.Review{Scores: []int{0, 0, 0, 0, 0, -400}, Moments: []storage.TurningPoint{{Ply: 4, Better: []string{"a2a3", "h7h5", "a3a4"}, Answer: []string{"b7b6", "h2h4"}}}}
	must(t, c.bot.Store.Update(t.Context(), func(tx storage.Writer) error { return tx.Reviews().Set(1, found) }))
	for tried, best := range map[string]string{"ply=3&line=a6": "3. a3", "ply=4&line=a3": "3… h5", "ply=4&line=g4": "3… b6"} {
		_, text := visit(t, c.at+"/game/1?plan=on&"+tried, nil)
		if _, rest, ok := strings.Cut(text, "Best now: "); !ok || !strings.HasPrefix(rest[strings.Index(rest, ">")+1:], best+"<") {
			t.Errorf("after %s best is %.200s", tried, rest)
		}
	}
}

func TestWhoBeginsAGameIsToldTheirSide(t *testing.T) {
	at := open(t)
	visit(t, at+"/", url.Values{"game": {"chess"}, "against": {"guest"}, "white": {"Ada"}, "black": {"Bob"}})
	finds(t, http.StatusOK, at+"/game/1", nil, "Ada has White, Bob has Black.")
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"draw 1 0"}}, "<p>Do you both agree to a draw?")
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"resign 1 0"}}, "<p><b>Ada</b> – ") // who is asked
	visit(t, at+"/game/1", url.Values{"press": {"resign-yes 1 -"}})
	finds(t, http.StatusOK, at+"/game/1", url.Values{"press": {"rematch 1 -"}}, "Bob has White, Ada has Black.")
	visit(t, at+"/", url.Values{"game": {"chess"}, "against": {"1"}, "color": {"black"}})
	finds(t, http.StatusOK, at+"/game/3", nil, "You have Black.")
	visit(t, at+"/game/3", url.Values{"press": {"resign 3 0"}})
	finds(t, http.StatusOK, at+"/game/3", url.Values{"press": {"resign-yes 3 -"}}, "wins by resignation", "!You have Black.")
}

func TestAThumbnailIsTheBoardAlone(t *testing.T) {
	at := open(t)
	begins(t, at+"/")
	status, text := visit(t, at+"/game/1/board.svg", nil)
	if status != http.StatusOK || !strings.HasPrefix(text, "<svg") || strings.Contains(text, `class="bars"`) {
		t.Errorf("%d: %.200s", status, text)
	}
	finds(t, http.StatusNotFound, at+"/game/9/board.svg", nil)
}

// club is a site, and chats in which people play.
type club struct {
	t    testing.TB
	at   string // address of the site
	bot  *bot.Bot
	site *Site
}

func newClub(t testing.TB) *club {
	t.Helper()
	return clubOn(t, new(kvtest.Disk).Open("db"))
}

func clubOn(t testing.TB, db kv.DB) *club {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	b := newBot(t, db, time.Now, log)
	site, err := New(t.Context(), b, log)
	must(t, err)
	at := listen(t, "127.0.0.1:0")
	t.Cleanup(serves(at, site.Handler("test")))
	return &club{t, "http://" + at.Addr().String(), b, site}
}

// player is somebody in chats, or the host of the site.
func (c *club) player(name string) message.Account {
	if name == "host" {
		return c.site.here.account(httptest.NewRequest(http.MethodGet, "/", nil), hostSeat)
	}
	return message.Account{Address: storage.Address{Platform: "discord", ID: name}, Name: name}
}

// says has somebody write in a server's room, or in their private chat if server is "".
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
	must(c.t, err)
	return notes
}

// beats has somebody win a rated game in a server.
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
	must(c.t, err)
	return p.ID
}

// shows is the text of a page's main part; the page must exist.
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
	says(t, c.shows("/top"), "Leaderboard: Computer levels", "Nobody is on this leaderboard yet.")
	c.beats("one", "anna", "bert")
	c.beats("one", "anna", "carl")
	for path, want := range map[string]string{
		"/top":                           "1 anna 2 games",
		"/top?game=chess":                "Leaderboard: Chess",
		"/top?period=streak":             "1 anna 2 games 2 in a row",
		"/top?period=week":               "2 points",
		"/top?period=puzzles":            "Leaderboard: Puzzles",
		"/top?period=games&game=chess":   "Leaderboard: Games, Chess",
		"/top?period=2020-01":            "Nobody played a rated game in January 2020.",
		"/top?game=stealth&period=games": "Nobody is on this leaderboard yet.",
	} {
		says(t, c.shows(path), want)
	}
	for _, path := range []string{"/top?game=checkers", "/top?period=yesterday", "/top/0", "/top/one", "/top/99"} {
		finds(t, http.StatusNotFound, c.at+path, nil)
	}
}

func TestALeaderboardHasPages(t *testing.T) {
	c := newClub(t)
	for i := range 12 {
		c.beats("one", "anna", fmt.Sprintf("p%02d", i))
	}
	finds(t, http.StatusOK, c.at+"/top?period=games&game=chess", nil, `href="/top?game=chess&amp;period=games&amp;from=11" rel="next"`, `!rel="prev"`)
	finds(t, http.StatusOK, c.at+"/top?from=11&game=chess&period=games", nil, `href="/top?game=chess&amp;period=games&amp;from=1" rel="prev"`, `!rel="next"`)
}

func TestAServersLeaderboardIsForWhoHasPlayedThere(t *testing.T) {
	c := newClub(t)
	c.beats("one", "anna", "bert")
	c.beats("two", "carl", "host")
	says(t, c.shows("/top"), "anna", "carl")
	homes, err := c.bot.HomeServers(t.Context(), message.Incoming{From: c.player("host")})
	if err != nil || len(homes) != 1 {
		t.Fatal(homes, err)
	}
	mine, other := homes[0].ID, homes[0].ID-1
	says(t, c.shows("/top/"+c.site.ServerCode(mine)), "carl", "!anna")
	status, text := visit(t, c.at+"/top/"+c.site.ServerCode(other), nil)
	_, none := visit(t, c.at+"/top/"+c.site.ServerCode(99), nil)
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
		says(t, c.shows(path), "!anna")
	}
	finds(t, http.StatusNotFound, c.at+c.site.PersonPath(anna), nil)
}

func TestAProfileTellsWhatSomebodyHasReached(t *testing.T) {
	c := newClub(t)
	c.beats("one", "anna", "bert")
	says(t, c.shows(c.site.PersonPath(c.numberOf("anna"))), "won of 1 game", "Chess 1741±793? 1 0 0", "vs bert 1 0 0", "as Black 1 0 0", "Winning streak: 1 now, 1 at best.")
	c.says("", "dora", "hello")
	for _, path := range []string{c.site.PersonPath(c.numberOf("dora")), c.site.PersonPath(999), "/people/anna"} {
		finds(t, http.StatusNotFound, c.at+path, nil)
	}
	says(t, c.shows(c.site.PersonPath(c.numberOf("host"))), "Your first one will stand here.")
}

func TestPagesAreToldInEachLanguage(t *testing.T) {
	c := newClub(t)
	begins(t, c.at+"/")
	c.beats("one", "anna", "bert")
	for _, path := range []string{"/games", "/rules", "/rules/stealth", "/top", c.site.PersonPath(c.numberOf("anna"))} {
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
	w.moves("group", "a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4")
	_, text := visit(t, w.url+"/top", nil)
	says(t, textWithin(element(sound(t, text), "main")), "1 ben 1 game", "!Telegram")
	at := w.url + "/top/" + w.site.ServerCode(1)
	finds(t, http.StatusNotFound, at, nil)
	finds(t, http.StatusOK, w.url+w.site.PersonPath(1), nil, "<h1>ben</h1>")
	finds(t, http.StatusForbidden, w.url+"/games", nil, "!ben")
	b := w.ann()
	b.finds(http.StatusOK, at, nil, "Telegram, server 1")
	b.finds(http.StatusNotFound, w.url+"/top/1", nil) // servers cannot be counted
	b.finds(http.StatusOK, w.url+"/games", nil, `<a href="`+w.site.GamePath(1)+`">`)
}

func TestRulesAreListedAndEachGameShowsItsPieces(t *testing.T) {
	at := open(t)
	_, list := visit(t, at+"/rules", nil)
	sound(t, list)
	for _, v := range variants.All() {
		says(t, list, `<a href="/rules/`+v.Key+`">`+html.EscapeString(v.Name)+`</a>`)
		status, text := visit(t, at+"/rules/"+v.Key, nil)
		root := sound(t, text)
		if title := textWithin(element(root, "h1")); status != http.StatusOK || title != v.Name {
			t.Errorf("%s: %d, %q", v.Key, status, title)
		}
		if strings.Contains(text, ":</summary>") {
			t.Errorf("%s: what unfolds is called with a colon", v.Key)
		}
		says(t, textWithin(element(root, "main")), v.Noun(v.Called("N")).String(), v.What(v.Called("K")).String())
		named := regexp.MustCompile(`<summary><picture><source [^>]*><img src="([^"]*)"[^>]*></picture><h3>([^<]*)</h3>`).FindAllStringSubmatch(text, -1)
		if n := strings.Count(text, `id="piece-`); n < 6 || len(named) != n {
			t.Errorf("%s: %d of %d pieces are drawn", v.Key, len(named), n)
		}
		for _, piece := range named {
			finds(t, http.StatusOK, at+piece[1], nil, "<use ")
			if strings.Contains(piece[2], "RRR") {
				t.Errorf("%s is called by letters", piece[2])
			}
		}
	}
}

func TestAStepOfACourseThatIsNamedIsLedTo(t *testing.T) {
	said := words.Say("course.advice", "n", 6, "kind", "Brigade", "key", "brigade")
	for _, l := range phrase.Languages() {
		if text := string(markup(said.In(l))); !strings.Contains(text, `href="/learn/brigade/6"`) || strings.Contains(text, "code") || !strings.Contains(text, "Brigade") || strings.ContainsAny(text, ":\u00a0") || !strings.HasPrefix(text, "<a") {
			t.Errorf("%s: %s", l, text)
		}
	}
	if text := string(markup(words.Text{{Words: `learn chess 1"><script>`, Style: words.Code}})); strings.Contains(text, "<script>") {
		t.Errorf("a command's link is %s", text)
	}
	if text := string(markup(words.Say("course.end", "kind", "brigade").In(phrase.English))); strings.Contains(text, "/learn/brigade/6") {
		t.Error(text)
	}
}

func TestWhatIsNotThereIsSaidOnAPage(t *testing.T) {
	at := open(t)
	for _, path := range []string{"/rules/checkers", "/nowhere", "/rules/chess/p"} {
		status, text := visit(t, at+path, nil)
		if sound(t, text); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
}
