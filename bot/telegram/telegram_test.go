package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// life is a bot that runs against a fake Telegram.
type life struct {
	*double
	t     testing.TB
	store *storage.Store
	chat  *Adapter
	stop  func() error
	ended chan error // how Run ended
	log   fake.Log
}

func live(t *testing.T, f *double, disk *kvtest.Disk, change ...func(*Config)) *life {
	t.Helper()
	return liveOn(t, f, disk.Open("db"), change...)
}

// managed is a bot in groups that alice manages.
func managed(t *testing.T) *life {
	t.Helper()
	f := newFake(t)
	f.Admins = []int64{alice.ID}
	return live(t, f, &kvtest.Disk{})
}

func liveOn(t testing.TB, f *double, engine kv.DB, change ...func(*Config)) *life {
	t.Helper()
	l := &life{double: f, t: t}
	log := slog.New(slog.NewTextHandler(&l.log, nil))
	store, b := fake.NewBot(t, engine, f.Now, log)
	l.store = store
	config := Config{Token: token, APIURL: f.URL}
	for _, c := range change {
		c(&config)
	}
	var err error
	l.chat, err = New(config, b, log)
	kvtest.Must(t, err)
	if l.chat.grace = 200 * time.Millisecond; f.App {
		b.ServePages("https://chess.example")
	}
	l.chat.pause = func(ctx context.Context, wait time.Duration) error {
		if wait > endless/2 {
			return adapter.Pause(ctx, wait)
		}
		return adapter.Pause(ctx, min(wait, 10*time.Millisecond))
	}
	post := bot.NewOutbox(b, f.Now, log, map[string]bot.Outlet{Platform: loose{l.chat}})
	l.ended = make(chan error, 1)
	l.stop = fake.Run(t, store, &l.log, "secret", func(ctx context.Context) { l.ended <- l.chat.Run(ctx, post) },
		func(ctx context.Context) { _ = post.Run(ctx) },              // ends with the context
		func(ctx context.Context) { _ = b.Thinker.Run(ctx, log, 1) }) // likewise
	return l
}

// endless is for how long nothing is said where a test has Telegram ask for that; shorter
// pauses are cut.
const endless = time.Hour

// flooded is a refusal that asks to wait.
func flooded(wait time.Duration) *refusal {
	seconds := int(wait / time.Second)
	return refused(http.StatusTooManyRequests, fmt.Sprint("Too Many Requests: retry after ", seconds), fmt.Sprintf(`"retry_after":%d`, seconds))
}

// loose is an outlet without limits, so that tests need not wait.
type loose struct{ *Adapter }

func (loose) Limits(storage.Address) []outbox.Limit { return nil }

// stopped ends the bot.
func (l *life) stopped() {
	l.t.Helper()
	kvtest.Must(l.t, l.stop())
}

// greeted are people who have a private chat with the bot.
func (l *life) greeted(people ...person) {
	l.t.Helper()
	for _, who := range people {
		l.Say(who.ID, who, "/start")
		l.posted("Hello!", fmt.Sprintf("chat_id:%d ", who.ID))
	}
}

// calls are the requests from a number on.
func (l *life) calls(from int) []call {
	l.Lock()
	defer l.Unlock()
	return slices.Clone(l.Calls[from:])
}

// requested waits for a request with these parts.
func (l *life) requested(parts ...string) {
	l.t.Helper()
	l.Wait(fmt.Sprint("a request with ", parts), func() bool { return count(l.Calls, parts...) > 0 })
}

// never fails if there was a request with these parts.
func (l *life) never(fault string, parts ...string) {
	l.t.Helper()
	for _, c := range l.calls(0) {
		if c.Has(parts...) {
			l.t.Errorf("%s: %v", fault, c)
		}
	}
}

// posted is the number of the last message the bot has sent with these parts.
func (l *life) posted(parts ...string) int {
	l.t.Helper()
	return l.Posted(parts...)
}

func TestAReplyMeansTheChallengeThatItAnswers(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(bob)
	l.Say(group, alice, "/challenge @bob chess white")
	first := l.posted("#1: alice challenges")
	l.Say(group, alice, "/challenge @bob stealth white")
	l.posted("#2: alice challenges")
	l.Say(group, bob, "accept", replyTo(first))
	board := l.posted("sendPhoto", "Chess #1")
	l.Say(group, bob, "accept", replyTo(board))
	l.posted("sendPhoto", "Stealth Bomber Chess #2")
}

func TestUnaddressedTextIsAMoveOrNothing(t *testing.T) {
	l, _ := inGame(t)
	l.Say(group, carol, "e4")
	l.Say(group, alice, "what a nice day")
	l.Say(group, alice, "e9")
	l.Say(group, alice, "e4")
	l.posted("sendPhoto", "1. e4")
	l.never("talk was answered", "don't know “what")
	l.never("talk was answered", "e9")
}

func TestRefusalsOfTelegramAreObeyed(t *testing.T) {
	for _, method := range []string{"sendPhoto", "sendMessage", "getUpdates", "getMe", "deleteWebhook", "setMyCommands", "answerCallbackQuery", "editMessageReplyMarkup"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			left := 3
			f.Refuse = func(c call) *refusal {
				if c.Method != method || left == 0 {
					return nil
				}
				left--
				return []*refusal{
					flooded(0),
					{Status: http.StatusBadGateway, Body: "<html>502 Bad Gateway</html>"},
					refused(500, "Internal"),
				}[left]
			}
			l := live(t, f, &kvtest.Disk{})
			board := begins(l, variants.All()[0])
			for range 3 {
				l.Press(group, alice, board, "pick 1 0 - - 0")
			}
			l.Say(group, alice, "e4", replyTo(board))
			l.posted("sendPhoto", "1. e4")
			l.Wait("what was refused", func() bool {
				return left == 0 && (method == "getUpdates" || count(l.Calls, method+" ") > 0)
			})
		})
	}
}

func TestAGroupThatMigratesIsFollowed(t *testing.T) {
	const moved = -100777
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	begins(l, variants.All()[0])
	refuses(f, refused(400, "Bad Request: group chat was upgraded", fmt.Sprintf(`"migrate_to_chat_id":%d`, moved)), fmt.Sprintf("chat_id:%d ", group))
	l.Say(group, alice, "/move e4")
	l.posted("sendPhoto", "1. e4", fmt.Sprint(moved))
	l.Say(moved, bob, "/move e5")
	l.posted("sendPhoto", "1… e5", fmt.Sprint(moved))
}

func TestAGroupThatSaysSoIsFollowed(t *testing.T) {
	const moved = -100777
	for name, news := range map[string]struct {
		chat  int64
		field string
		other int64
	}{
		"from there": {moved, "migrate_from_chat_id", group},
		"to there":   {group, "migrate_to_chat_id", moved},
	} {
		t.Run(name, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			begins(l, variants.All()[0])
			l.Say(news.chat, alice, "", func(m map[string]any) { m[news.field] = news.other })
			l.Wait("the news to be heard", func() bool { return l.Pending() == 0 })
			l.Say(1, alice, "#1 e4")
			l.posted("sendPhoto", "1. e4", fmt.Sprint("chat_id:", moved))
			l.Say(moved, bob, "/move e5")
			l.posted("sendPhoto", "1… e5", fmt.Sprint("chat_id:", moved))
		})
	}
}

func TestTelegramSaysHowLongToWait(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	f.Look(func(c call) *refusal {
		if strings.HasPrefix(c.Method, "send") {
			return flooded(7 * time.Second)
		}
		return nil
	})
	board := diagram.Of(startOf(t), nil, rules.White)
	for name, n := range map[string]message.Message{
		"a text":    {Text: words.Text{{Words: "hello"}}},
		"a picture": {Text: words.Text{{Words: "hello"}}, Board: &board},
		"a film":    {Text: words.Text{{Words: "hello"}}, Replay: func() ([]diagram.Diagram, error) { return []diagram.Diagram{board}, nil }},
	} {
		_, err := l.chat.Send(t.Context(), bot.Delivery{Place: storage.Place{Address: address(group, 0)}, Note: n})
		var later *outbox.Later
		if !errors.As(err, &later) || later.After != 7*time.Second || later.Everywhere {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func startOf(t *testing.T) *rules.Position {
	t.Helper()
	pos, err := variants.All()[0].Position("")
	kvtest.Must(t, err)
	return pos
}

// TestAPictureIsUploadedOnce looks for the name that Telegram gave a board in what sends
// the same board again.
func TestAPictureIsUploadedOnce(t *testing.T) {
	l, _ := inGame(t)
	for _, text := range []string{"/board", "/board #1", "/board flip", "/board #1 flip", "/version"} {
		l.Say(group, alice, text)
	}
	l.posted("text:Chimera")
	l.Lock()
	defer l.Unlock()
	var photos []string
	var numbers []int
	for _, c := range l.Calls {
		if c.Has("sendPhoto", "reply_parameters") {
			photos, numbers = append(photos, c.Fields["photo"]), append(numbers, c.Number)
		}
	}
	const upload = "file board.png"
	if len(photos) != 4 || photos[1] == upload || photos[2] != upload || photos[3] != fmt.Sprint("file", numbers[2]) {
		t.Errorf("the photos are %q", photos)
	}
}

func TestAPressIsAnsweredBeforeAnythingElse(t *testing.T) {
	l, board := inGame(t)
	pressed := func(data string, parts ...string) (before []call) {
		l.Lock()
		seen := len(l.Calls)
		l.Unlock()
		l.Press(group, alice, board, data)
		l.Wait("what a press brings", func() bool {
			for i, c := range l.Calls[seen:] {
				if c.Has(parts...) {
					before = slices.Clone(l.Calls[seen : seen+i])
					return true
				}
			}
			return false
		})
		return before
	}
	answered := func(c call) bool { return c.Method == "answerCallbackQuery" }
	if before := pressed("pick 1 0 - - 0", "editMessageReplyMarkup", fmt.Sprint("message_id:", board, " ")); !slices.ContainsFunc(before, answered) {
		t.Errorf("before the edit there is only %v", before)
	}
	if before := pressed("flip 1 0", "editMessageMedia"); !slices.ContainsFunc(before, answered) {
		t.Errorf("before the board there is only %v", before)
	}
	l.Say(group, alice, "e4", replyTo(board))
	l.posted("sendPhoto", "1. e4")
	for _, data := range []string{"pick 1 0 - - 0", "resign 1 0", "play 1 0 e2e4"} {
		pressed(data, "answerCallbackQuery", "has been played", "show_alert:true")
	}
}

func TestAChatThatIsClosedToTheBotIsTold(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	l.greeted(bob)
	l.Say(1, alice, "hello")
	l.Say(group, alice, "/challenge @bob chess white")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "to move by")
	refuses(f, refused(403, "Forbidden: bot was kicked"), fmt.Sprintf("chat_id:%d ", group))
	l.Say(1, alice, "#1 e4")
	l.posted("sendPhoto", "1. e4", "chat_id:2") // where the opponent can read it
}

func TestAnotherProgramThatAsksOnceEndsNothing(t *testing.T) {
	f := newFake(t)
	left := 3
	f.Refuse = func(c call) *refusal {
		if c.Method == "getUpdates" && left > 0 {
			left--
			return refused(http.StatusConflict, "Conflict: terminated by other getUpdates request")
		}
		return nil
	}
	l := live(t, f, &kvtest.Disk{})
	l.Say(1, alice, "/version")
	l.posted("text:Chimera")
	if n := strings.Count(l.log.String(), "another program asks for updates too"); n != 1 {
		t.Errorf("the log has %d words about it: %s", n, l.log.String())
	}
}

func TestATokenThatIsNotGoodAnyMoreEndsTheBotForGood(t *testing.T) {
	for _, method := range []string{"getUpdates", "sendMessage"} {
		f := newFake(t)
		f.Refuse = func(c call) *refusal {
			if c.Method == method {
				return refused(401, "Unauthorized")
			}
			return nil
		}
		l := live(t, f, &kvtest.Disk{})
		l.Say(1, alice, "/version")
		var never *outbox.Never
		if err := <-l.ended; !errors.As(err, &never) || !strings.Contains(err.Error(), "not good any more") {
			t.Errorf("%s: it ended with %v", method, err)
		}
	}
}

func TestAWrongTokenIsSaid(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{}, func(c *Config) { c.Token = "12345:other" })
	var never *outbox.Never
	if err := <-l.ended; !errors.As(err, &never) || !strings.Contains(err.Error(), "token is wrong") {
		t.Errorf("it ended with %v", err)
	}
}

func TestTheWebhookBelievesOnlyTelegram(t *testing.T) {
	l := hooked(t)
	update := `{"update_id":7,"message":{"message_id":1,"date":1,"text":"help","chat":{"id":1,"type":"private"},"from":{"id":1,"first_name":"alice"}}}`
	for secret, want := range map[string]int{"": 401, "wrong": 401, "s3": 200} {
		if status := l.brings(secret, update); status != want {
			t.Errorf("with the secret %q the answer is %d, want %d", secret, status, want)
		}
	}
	l.posted("Start a game")
	for what, c := range map[string]struct {
		update string
		want   int
	}{
		"what is too long":             {`{"update_id":8,"message":{"text":"` + strings.Repeat("x", maxHook) + `"}}`, 400},
		"what is no update":            {"help", 400},
		"what the library cannot read": {`{"update_id":9,"message":{"message_id":1,"date":1,"forward_origin":{"type":"new"}}}`, 200},
	} {
		if status := l.brings("s3", c.update); status != c.want {
			t.Errorf("%s is answered with %d, want %d", what, status, c.want)
		}
	}
	l.stopped()
	if status := l.brings("s3", update); status != http.StatusServiceUnavailable {
		t.Errorf("what comes too late is answered with %d", status)
	}
}

// hooked is a bot to which Telegram brings updates.
func hooked(t *testing.T) *life {
	t.Helper()
	l := live(t, newFake(t), &kvtest.Disk{}, func(c *Config) {
		c.WebhookURL, c.WebhookListen, c.WebhookSecret = "https://example.org/hook", "127.0.0.1:0", "s3"
	})
	l.requested("setWebhook ")
	return l
}

// brings is how an update is answered that somebody brings who knows a secret.
func (l *life) brings(secret, update string) (status int) {
	l.t.Helper()
	r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/hook", strings.NewReader(update))
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	w := httptest.NewRecorder()
	l.chat.at("/hook").ServeHTTP(w, r)
	return w.Code
}

// TestTheWebhookMayHaveAnyPath has paths that a router would take for patterns, or clean.
func TestTheWebhookMayHaveAnyPath(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(c *Config) { c.WebhookSecret = "s3" })
	ask := func(path, method, to string) int {
		address, err := url.Parse("https://example.org" + path)
		kvtest.Must(t, err)
		w := httptest.NewRecorder()
		l.chat.at(address.Path).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, to, nil))
		return w.Code
	}
	const nobody = http.StatusUnauthorized // as the hook says to who does not know the secret
	for path, to := range map[string]string{
		"": "/", "/": "/", "/hook": "/hook", "/{": "/{", "/a{b": "/a%7Bb", "/{x...}": "/%7Bx...%7D", "/../hook": "/../hook", "//": "//",
	} {
		if status := ask(path, http.MethodPost, to); status != nobody {
			t.Errorf("at %q, %q is answered with %d", path, to, status)
		}
		if status := ask(path, http.MethodGet, to); status != http.StatusMethodNotAllowed {
			t.Errorf("at %q, to get %q is answered with %d", path, to, status)
		}
		if status := ask(path, http.MethodPost, "/other"); status != http.StatusNotFound {
			t.Errorf("at %q, another path is answered with %d", path, status)
		}
	}
}

func TestMarksThatDoNotFitTheTextAreNoWords(t *testing.T) {
	text := []uint16{'/', 'h', 'i'}
	for _, e := range []models.MessageEntity{
		{Offset: math.MaxInt, Length: 3}, {Offset: 1, Length: math.MaxInt}, {Offset: -1, Length: 2}, {Offset: 2, Length: -1}, {Offset: 1, Length: 3},
	} {
		if words := wordsOf(text, e); words != "" {
			t.Errorf("%+v is %q", e, words)
		}
	}
	if words := wordsOf(text, models.MessageEntity{Offset: 1, Length: 2}); words != "hi" {
		t.Errorf("a mark that fits is %q", words)
	}
}

func TestTopicsOfAGroupAreHeldTogether(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	post := bot.NewOutbox(l.chat.bot, func() time.Time { return now }, slog.New(slog.DiscardHandler), map[string]bot.Outlet{Platform: l.chat})
	post.Hold(address(group, 9), &outbox.Later{After: time.Minute, Err: errors.New("429")})
	for place, want := range map[storage.Address]time.Duration{address(group, 0): time.Minute, address(group, 4): time.Minute, address(1, 0): 0} {
		if wait := post.Take(place); wait != want {
			t.Errorf("what is said at %v waits %v, want %v", place, wait, want)
		}
	}
}

func TestWhatIsToldAtTheStartWaitsAsLongAsTelegramAsks(t *testing.T) {
	for _, method := range []string{"getMe", "setMyCommands", "deleteWebhook"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			refuse := true
			f.Refuse = func(c call) *refusal {
				if c.Method == method && refuse {
					refuse = false
					return flooded(15 * time.Minute)
				}
				return nil
			}
			l := live(t, f, &kvtest.Disk{})
			l.Wait(method, func() bool {
				return count(f.Calls, method+" ") > 0
			})
			if said := l.log.String(); !strings.Contains(said, `"again in"=15m0s`) {
				t.Error(said)
			}
		})
	}
}

func TestCommandsAreSaidOnce(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Say(1, alice, "help")
	l.posted("Start a game")
	set := make(chan struct{})
	l.chat.answers.Add("commands", func() { close(set) })
	<-set
	_ = l.stop()
	again := live(t, f, disk)
	again.Say(1, alice, "version")
	again.posted("Chimera")
	n := 0
	for _, c := range l.calls(0) {
		if c.Method == "setMyCommands" {
			n++
			var all []map[string]string
			if err := json.Unmarshal([]byte(c.Fields["commands"]), &all); err != nil || len(all) > 100 {
				t.Errorf("%d commands: %v", len(all), err)
			}
		}
	}
	if want := 3 * len(phrase.Languages()); n != want {
		t.Errorf("commands were set %d times, want %d: once for each of three kinds of chats in each language", n, want)
	}
}

type (
	double  = fake.Telegram
	call    = fake.Call
	refusal = fake.Refusal
	person  = fake.Person
)

const token = fake.Token

func newFake(t testing.TB) *double { return fake.NewTelegram(t) }

var alice, bob, carol = person{ID: 1, Name: "alice"}, person{ID: 2, Name: "bob"}, person{ID: 3, Name: "carol"}

const group = -500

// replyTo lets a message answer one of the bot's.
func replyTo(message int) func(map[string]any) { return fake.ReplyTo(message) }

// refused is an answer of Telegram's that refuses, and says why, and perhaps what to do.
func refused(status int, why string, parameters ...string) *refusal {
	return &refusal{Status: status, Body: fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%q,"parameters":{%s}}`, status, why, strings.Join(parameters, ","))}
}

// refuses lets Telegram refuse all requests with these parts from now on.
func refuses(f *double, no *refusal, parts ...string) {
	f.Look(func(c call) *refusal {
		if c.Has(parts...) {
			return no
		}
		return nil
	})
}

// count is how many of some requests have these parts.
func count(calls []call, parts ...string) (n int) {
	for _, c := range calls {
		if c.Has(parts...) {
			n++
		}
	}
	return n
}

// asChat lets a message be written by a chat: the group itself, for an administrator who
// does not show themselves, or a channel.
func asChat(chat int64) func(map[string]any) {
	return func(m map[string]any) {
		m["from"] = map[string]any{"id": 1087968824, "is_bot": true, "first_name": "Group", "username": "GroupAnonymousBot"}
		m["sender_chat"] = map[string]any{"id": chat, "type": "supergroup", "title": "Chess friends"}
	}
}

func TestAnAdministratorWhoRemainsAnonymousIsAnswered(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, person{}, "/settings here days 5", asChat(group))
	l.posted("chat_id:-500", "Days per move: 5")
	l.Say(group, person{}, "/help", asChat(group))
	l.posted("chat_id:-500", "Start a game")
	for _, text := range []string{"/challenge chess", "/mydata", "/settings", "/settings here annul #1", "/games", "/if e5 then Nf3"} {
		l.Say(group, person{}, text, asChat(group))
		l.posted("chat_id:-500", "Remain anonymous", fmt.Sprintf(`"message_id":%d,`, l.lastSaid()))
	}
	l.Say(group, person{}, "a nice day", asChat(group))
	l.Say(group, bob, "/challenge chess")
	l.posted("bob is looking for an opponent", "5 days")
	l.never("there was a challenge", "Chess friends is")
}

// lastSaid is the number of the message that was written last.
func (l *life) lastSaid() int {
	l.Lock()
	defer l.Unlock()
	return l.Last()
}

func TestWhoWritesAsAChannelManagesNothing(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, person{}, "/settings here days 5", asChat(-777))
	l.posted("chat_id:-500", "Only managers")
	l.Say(group, person{}, "/challenge chess", asChat(-777))
	l.posted("chat_id:-500", "while you write as a channel")
}

func TestAConditionalMoveIsNotTakenWhereItCannotBeAnswered(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	board := begins(l, variants.All()[0])
	closed := true
	f.Look(func(c call) *refusal {
		if closed && c.Fields["chat_id"] == fmt.Sprint(alice.ID) {
			return refused(403, "Forbidden: bot can't initiate conversation with a user")
		}
		return nil
	})
	l.Say(group, alice, "e4", replyTo(board))
	l.posted("sendPhoto", "1. e4")
	l.Say(group, alice, "/if e5 then Nf3")
	l.posted("chat_id:-500", "can't write to you in private yet", "t.me/ChimeraBot")
	l.Say(group, bob, "/move e5")
	l.posted("sendPhoto", "1… e5", "to move by")
	l.Say(group, alice, "/move d4")
	l.posted("sendPhoto", "2. d4")
	l.Lock()
	closed = false
	l.Unlock()
	l.Say(group, alice, "/if exd4 then Qxd4")
	l.posted("chat_id:1", "Others here can read what you wrote")
	l.Say(group, alice, "/if")
	l.posted("chat_id:1", "only you can see them")
	l.Say(group, bob, "/move exd4")
	l.posted("sendPhoto", "3. Qxd4", "had planned")
}

func TestTheGreetingInAGroupDoesNotAskForAGroup(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/start@ChimeraBot group")
	l.posted("chat_id:-500", "Hello!", "<code>/challenge @friend</code>")
	l.never("it was asked for one", "Add me to a group")
}

func TestSettingsAreNoCommands(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/settings")
	id := l.posted("(<code>claim</code>): ask me", "<code>/settings quiet 22-7</code>")
	for _, c := range l.calls(0) {
		if c.Number == id && (strings.Contains(c.Fields["text"], "/claim") || strings.Contains(c.Fields["text"], "/vacation")) {
			t.Error(c.Fields["text"])
		}
	}
}
