package discord

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"chimera/bot"
	"chimera/bot/match"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// life is a bot that runs against a fake Discord.
type life struct {
	*fake
	chat   *Adapter
	ended  chan error
	log    locked
	looked int // requests that buttons were looked for in
}

func live(t *testing.T, f *fake) *life {
	t.Helper()
	l := &life{fake: f, ended: make(chan error, 1)}
	var disk kvtest.Disk
	store, err := storage.Open(t.Context(), disk.Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(&l.log, nil))
	service := match.New(store, variants.All(), time.Now, func() bool { return true })
	b := bot.New(service, store, log, "Chimera")
	if l.chat, err = New(Config{Token: token, APIURL: f.url}, b, service, bot.NewMemory(store, Platform), log); err != nil {
		t.Fatal(err)
	}
	post := bot.NewCourier(b, time.Now, log, map[string]bot.Outlet{Platform: loose{l.chat}})
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() { l.ended <- l.chat.Run(ctx, post) })
	work.Go(func() { _ = post.Run(ctx) }) // ends with the context
	t.Cleanup(func() {
		cancel()
		work.Wait()
		if strings.Contains(l.log.String(), token) {
			t.Errorf("the token is in the log: %s", l.log.String())
		}
	})
	return l
}

// loose is an outlet without limits, so that tests need not wait.
type loose struct{ *Adapter }

func (loose) Limits(storage.Address) []bot.Limit { return nil }

// locked is a buffer that several may write and read.
type locked struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(b)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.String()
}

var shown = regexp.MustCompile(`"label":"([^"]*)","custom_id":"([^"]*)"`)

// press pushes the newest button of a label that has come since the last one.
func (l *life) press(who person, label string, private bool) {
	l.t.Helper()
	var id, message string
	l.wait("a button "+label, func() bool {
		for i := len(l.calls) - 1; i >= l.looked; i-- {
			for _, found := range shown.FindAllStringSubmatch(l.calls[i].body, -1) {
				if found[1] == label {
					id, message, l.looked = found[2], l.calls[i].id, i+1
					return true
				}
			}
		}
		return false
	})
	flags := 0
	if private {
		flags = ephemeral
	}
	l.interact(who, 3, map[string]any{"custom_id": id, "component_type": 2}, map[string]any{"id": message, "channel_id": place, "flags": flags})
}

var mates = []struct{ text, board string }{{"f3", "1. f3"}, {"e5", "1… e5"}, {"g4", "2. g4"}, {"Qh4", "wins by checkmate"}}

func TestAGameBySlashCommands(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.slash(alice, "challenge", map[string]string{"opponent": "2", "game": "chess", "colour": "white"})
	l.posted("alice challenges <@2>", "Accept")
	l.slash(bob, "accept", nil)
	l.posted("is to move", "file board.png", `"description":"White: King e1`, "enforce_nonce")
	for i, move := range mates {
		l.slash([]person{alice, bob}[i%2], "move", map[string]string{"move": move.text})
		l.posted(move.board, "file board.png")
	}
	l.slash(alice, "replay", nil)
	l.posted("callback", "file game.gif")
	l.slash(alice, "rules", map[string]string{"game": "stealth"})
	l.posted("callback", "bomber", "file board.png")
}

func TestAGameByButtons(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.slash(alice, "challenge", map[string]string{"opponent": "2", "game": "chess", "colour": "white"})
	l.press(bob, "Accept", false)
	for i, move := range [][2]string{{"f2", "f3"}, {"e7", "e5"}, {"g2", "g4"}, {"Qd8", "Qh4"}} {
		who := []person{alice, bob}[i%2]
		l.press(who, "Move", false)
		l.press(who, move[0], true)
		l.press(who, move[1], true)
		l.press(who, "Confirm", true)
		l.posted(mates[i].board, "file board.png")
	}
	l.wait("buttons being taken off", func() bool {
		for _, c := range l.calls {
			if c.method == http.MethodPatch && c.has(`{"components":[]}`) {
				return true
			}
		}
		return false
	})
}

func TestAGameByText(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.say(alice, "<@999> challenge <@2> chess white")
	l.posted("alice challenges <@2>")
	l.say(bob, "accept", answering(l.posted("alice challenges")))
	last := l.posted("is to move", "file board.png")
	for i, move := range mates {
		l.say([]person{alice, bob}[i%2], move.text, answering(last))
		last = l.posted(move.board, "file board.png")
	}
}

func TestTalkIsNotAnswered(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.slash(alice, "challenge", map[string]string{"opponent": "2", "game": "chess", "colour": "white"})
	l.slash(bob, "accept", nil)
	l.posted("is to move")
	for _, text := range []string{"a fine day", "e9", "help"} {
		l.say(alice, text, func(m map[string]any) { m["mentions"] = []any{} })
	}
	l.say(carol, "e4", func(m map[string]any) { m["mentions"] = []any{} })
	l.say(alice, "e4", func(m map[string]any) { m["mentions"] = []any{} })
	l.posted("1. e4")
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		if c.has("message_reference") {
			t.Errorf("talk was answered: %s", c.body)
		}
	}
}

func TestMovesAreSuggested(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.slash(alice, "challenge", map[string]string{"opponent": "2", "game": "combine", "colour": "white"})
	l.slash(bob, "accept", nil)
	l.posted("is to move")
	l.interact(alice, 4, map[string]any{"id": "1", "name": "move", "type": 1, "options": []any{
		map[string]any{"name": "move", "type": 3, "value": "n", "focused": true},
	}}, nil)
	l.posted("callback", `"choices":[{"name":"N~Ra1"`)
}

// The library waits for itself for ever where the first thing it hears is that it shall
// connect again.
func TestASessionThatHangsIsReplaced(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.greet = func(f *fake, c *websocket.Conn) bool {
		if f.hellos > 1 {
			return false
		}
		_ = c.WriteJSON(map[string]any{"op": 7})
		return true
	}
	l := live(t, f)
	l.slash(alice, "version", nil)
	l.posted("callback", "Chimera")
	if f.hellos < 2 {
		t.Errorf("connected %d times", f.hellos)
	}
}

func TestALostConnectionIsMadeAgain(t *testing.T) {
	t.Parallel()
	l := live(t, newFake(t))
	l.slash(alice, "version", nil)
	l.posted("callback", "Chimera")
	for _, op := range []int{7, 9} {
		l.mu.Lock()
		before, conn := l.hellos, l.conn
		l.conn = nil
		_ = conn.WriteJSON(map[string]any{"op": op, "d": false})
		_ = conn.Close()
		l.mu.Unlock()
		l.wait("another connection", func() bool { return l.hellos > before && l.conn != nil })
	}
	l.slash(alice, "challenge", nil)
	l.posted("whoever joins first")
}

func TestWithoutTheIntentForContentTheBotWorks(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.greet = func(f *fake, c *websocket.Conn) bool {
		if f.hellos > 1 {
			return false
		}
		_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(closeIntent, "Disallowed intent(s)."))
		return true
	}
	l := live(t, f)
	l.slash(alice, "version", nil)
	l.posted("callback", "Chimera")
	const content = 1 << 15
	if f.intents[0]&content == 0 || f.intents[len(f.intents)-1]&content != 0 {
		t.Errorf("asked for the intents %b", f.intents)
	}
}

func TestAWrongTokenIsSaid(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.greet = func(_ *fake, c *websocket.Conn) bool {
		_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(closeToken, "Authentication failed."))
		return true
	}
	l := live(t, f)
	if err := <-l.ended; !errors.Is(err, errToken) {
		t.Errorf("it ended with %v", err)
	}
}

func TestRefusalsOfDiscordAreObeyed(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	left := 4
	f.refuse = func(c call) (int, string) {
		if !c.has("POST", "/messages") || left == 0 {
			return 0, ""
		}
		left--
		switch left {
		case 0:
			return 429, `{"message":"You are being rate limited.","retry_after":0.01,"global":false}`
		case 1:
			return 429, `<html>slow down</html>`
		case 2:
			return 500, `{}`
		}
		return 502, `<html>bad gateway</html>`
	}
	l := live(t, f)
	l.slash(alice, "challenge", nil)
	l.posted("whoever joins first")
}

func TestARoomThatIsGoneEndsTheTries(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.refuse = func(c call) (int, string) {
		if c.has("POST", "/messages") {
			return 404, `{"message":"Unknown Channel","code":10003}`
		}
		return 0, ""
	}
	l := live(t, f)
	l.slash(alice, "challenge", nil)
	l.posted("callback")
	err := verdict(func() error {
		_, err := l.chat.create(t.Context(), place, body{Mentions: mentions{Parse: []string{}}}, nil)
		return err
	}())
	var never *bot.Never
	if !errors.As(err, &never) || !never.Gone {
		t.Errorf("the verdict is %v", err)
	}
}

func TestTextsAreSpelledAndCut(t *testing.T) {
	t.Parallel()
	text, users := spell(bot.Text{
		{Words: "a_b*c <@1> @everyone "},
		{Words: "bob", Person: 2},
		{Words: "e4", Style: bot.Code},
		{Words: " x", Style: bot.Bold},
		{Moment: time.Unix(1000, 0)},
	}, func(storage.PersonID) (string, bool) { return "22", true })
	if want := "a\\_b\\*c \\<@\u200b1\\> @\u200beveryone <@22>`e4`** x**<t:1000:f> (<t:1000:R>)"; text != want || fmt.Sprint(users) != "[22]" {
		t.Errorf("spelled %q, mentions %v", text, users)
	}
	long := strings.Repeat(strings.Repeat("x", 99)+"\n", 50)
	parts := pages(long)
	for _, p := range parts {
		if length(p) > maxContent {
			t.Errorf("a part of %d", length(p))
		}
	}
	if got := strings.Join(parts, "\n"); strings.TrimRight(got, "\n") != strings.TrimRight(long, "\n") {
		t.Error("something is lost between the parts")
	}
}
