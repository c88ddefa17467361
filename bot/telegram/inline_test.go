package telegram

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/bot/limit"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// result is what somebody can post in any chat.
type result struct {
	ID, Title, Description string
	Content                struct {
		Text string `json:"message_text"`
	} `json:"input_message_content"`
	Markup struct {
		Rows [][]struct {
			Text string
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	} `json:"reply_markup"`
}

// offered is what somebody is offered who writes something behind the bot's name.
func (l *life) offered(who person, text string) (all []result) {
	l.t.Helper()
	before := len(l.calls(0))
	l.Ask(who, text)
	l.Wait("an answer to "+text, func() bool {
		i := slices.IndexFunc(l.Calls[before:], func(c call) bool { return c.Method == "answerInlineQuery" })
		if i < 0 {
			return false
		}
		c := l.Calls[before+i]
		if c.Fields["is_personal"] != "true" || c.Fields["cache_time"] != "1" {
			l.t.Errorf("it is kept for others, or for long: %v", c)
		}
		if err := json.Unmarshal([]byte(c.Fields["results"]), &all); err != nil {
			l.t.Error(err)
		}
		return true
	})
	return all
}

func TestAChallengeIsPostedInAnyChatAndJoinedThere(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	if all := l.offered(alice, ""); len(all) != len(variants.All()) {
		t.Errorf("there are %d games", len(all))
	}
	if all := l.offered(alice, "com"); len(all) < 3 {
		t.Errorf("there are %v", all)
	}
	all := l.offered(alice, "stealth 5d white")
	if len(all) != 1 || all[0].Title != "Stealth Bomber Chess" || !strings.Contains(all[0].Content.Text, "alice is looking for an opponent") || !strings.Contains(all[0].Description, "5 days per move") {
		t.Fatalf("offered are %v", all)
	}
	join := all[0].Markup.Rows[0][0]
	if join.Text != "Join" || len(join.Data) > maxData {
		t.Errorf("the button is %v", join)
	}
	l.PressPosted(alice, "posted-1", join.Data)
	l.requested("answerCallbackQuery", "your own challenge")
	l.PressPosted(bob, "posted-1", join.Data)
	l.posted("sendPhoto", "chat_id:2 ", "Stealth Bomber Chess #1")
	l.posted("sendPhoto", "chat_id:1 ", "Stealth Bomber Chess #1", "Your move (White)")
	l.shown("editMessageMedia", "inline_message_id:posted-1", "accepts the challenge", "Stealth Bomber Chess #1", "alice (White) vs bob (Black)")
	done := make(chan struct{})
	l.chat.later("inline", func(context.Context) { close(done) }) // after all changes
	<-done
	if n := l.changed("posted-1"); n != 1 {
		t.Errorf("the posted message was changed %d times", n)
	}
	l.PressPosted(carol, "posted-1", join.Data)
	l.requested("answerCallbackQuery", "open any more")
	for _, c := range l.calls(0) {
		if c.Number != 0 && c.Has("looking for an opponent") {
			t.Errorf("alice was told of her own: %v", c)
		}
	}
}

func TestWhoHasNeverPressedStartJoinsAPostedChallengeInTheirOwnChat(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	if all := l.offered(alice, "chess"); len(all) > 0 {
		t.Errorf("alice can post %v", all)
	}
	l.requested("answerInlineQuery", `"text":"Press Start first`, `"start_parameter":"hello"`)
	l.Say(alice.ID, alice, "/start hello")
	l.posted("Hello!")
	join := l.offered(alice, "chess white")[0].Markup.Rows[0][0]
	l.PressPosted(carol, "posted-2", join.Data)
	code := l.led()
	l.Say(carol.ID, carol, "/start "+code)
	l.posted("sendPhoto", "chat_id:3 ", "Chess #1")
	l.posted("sendPhoto", "chat_id:1 ", "Chess #1")
	l.shown("editMessageMedia", "inline_message_id:posted-2", "accepts the challenge", "Chess #1", "alice (White) vs carol (Black)")
}

// joins lets somebody press what stands below a posted message, and waits for a word on that.
func (l *life) joins(who person, message, data string) (word string) {
	l.t.Helper()
	before := len(l.calls(0))
	l.PressPosted(who, message, data)
	l.Wait("a word to "+who.Name, func() bool {
		i := slices.IndexFunc(l.Calls[before:], func(c call) bool { return c.Method == "answerCallbackQuery" })
		if i >= 0 {
			word = l.Calls[before+i].Fields["text"]
		}
		return i >= 0
	})
	return word
}

// changed is how often a posted message was.
func (l *life) changed(message string) int { return count(l.calls(0), "inline_message_id:"+message) }

// begun is how many games have begun.
func (l *life) begun() int {
	l.t.Helper()
	all, err := l.store.Games(l.t.Context())
	kvtest.Must(l.t, err)
	return len(all)
}

func TestAPostedChallengeIsJoinedOnceWhoeverCopiesItsButton(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob, carol)
	data := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	if word := l.joins(bob, "alices", data); word != "" {
		t.Errorf("bob is told %q", word)
	}
	for n := range 5 {
		for _, who := range []person{bob, carol} {
			if word := l.joins(who, fmt.Sprint("own-", n), data); !strings.Contains(word, "open any more") {
				t.Errorf("%s is told %q below another message", who.Name, word)
			}
		}
	}
	l.shown("editMessageReplyMarkup", "inline_message_id:own-4", `{"inline_keyboard":[]}`)
	if n := l.begun(); n != 1 {
		t.Errorf("%d games have begun", n)
	}
}

// TestACopiedButtonOpensTheSameChallengeNowhereElse lets somebody press first who is not met, so that
// the challenge waits.
func TestACopiedButtonOpensTheSameChallengeNowhereElse(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	data := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	l.joins(carol, "alices", data)
	if word := l.joins(bob, "own", data); !strings.Contains(word, "open any more") {
		t.Errorf("bob is told %q below another message", word)
	}
	if word := l.joins(bob, "alices", data); word != "" {
		t.Errorf("bob is told %q", word)
	}
	l.posted("sendPhoto", "chat_id:2 ", "Chess #1")
}

func TestAPostedChallengeEnds(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	offered := l.offered(alice, "chess white")[0]
	if text := offered.Content.Text; !strings.HasSuffix(text, "Open for 2 days.") {
		t.Errorf("it says %q", text)
	}
	p, ok := l.chat.posting(offered.Markup.Rows[0][0].Data)
	if !ok {
		t.Fatal("the button is not known again")
	}
	p.at = p.at.Add(-postedFor - time.Minute)
	if word := l.joins(bob, "posted", l.chat.carried(p)); !strings.Contains(word, "it was open for 2 days") || !strings.Contains(word, "@ChimeraBot") {
		t.Errorf("bob is told %q", word)
	}
	l.shown("editMessageReplyMarkup", "inline_message_id:posted", `{"inline_keyboard":[]}`)
	if n := l.begun(); n != 0 {
		t.Errorf("%d games have begun", n)
	}
}

func TestWhoHasManyOpenChallengesHasNoMoreByPosting(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	data := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	for range limit.Challenges {
		l.Say(alice.ID, alice, "/challenge chess white")
	}
	l.posted(fmt.Sprintf("#%d: alice is looking", limit.Challenges))
	if word := l.joins(bob, "posted", data); !strings.Contains(word, "open any more") {
		t.Errorf("bob is told %q", word)
	}
}

func TestABlockedPersonDoesNotJoinAPostedChallenge(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob, carol)
	l.Say(alice.ID, alice, "/block @bob")
	l.posted("chat_id:1 ", "bob")
	data := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	if word := l.joins(bob, "posted", data); word == "" || l.begun() > 0 {
		t.Errorf("bob is told %q", word)
	}
	if word := l.joins(carol, "posted", data); word != "" {
		t.Errorf("carol is told %q", word)
	}
	l.posted("sendPhoto", "chat_id:3 ", "Chess #1")
}

func TestNobodyMakesAPostedChallengeInTheNameOfAnother(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice, bob)
	good := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	for i, data := range []string{"1 chess 3d white rated", strings.Replace(good, "white", "black", 1), "x", ""} {
		l.PressPosted(bob, "posted-3", data)
		l.Wait("a word", func() bool {
			return count(l.Calls, "answerCallbackQuery", "open any more") > i
		})
	}
	l.never("a game has begun", "sendPhoto ")
}

func TestOnesOwnChallengeIsHandedOnByAButton(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/challenge chess white")
	l.posted("chat_id:1 ", "is looking for an opponent", "Share", "https://t.me/share/url?text=Play%20me%3A%20Chess%2C%20alice%20plays%20White%2C%20rated%2C%203%20days%20per%20move.", "ChimeraBot%3Fstart%3D")
	l.Say(group, alice, "/challenge chess white")
	id := l.posted("chat_id:-500 ", "is looking for an opponent")
	if got := l.labels(id); got != "Join Cancel" {
		t.Errorf("the buttons are %q", got)
	}
}

// TestAChallengeAloneAsksForTheGameAndTheTime presses the buttons of that question in a group.
func TestAChallengeAloneAsksForTheGameAndTheTime(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/challenge@ChimeraBot")
	asked := l.posted("Which game?", "Stealth Bomber Chess")
	h := &hand{l: l, who: alice, message: asked}
	h.push(h.find(func(b fake.Button) bool { return b.Text == "Stealth Bomber Chess" }))
	h.push(h.find(func(b fake.Button) bool { return b.Text == "7 days per move" }))
	l.posted("sendMessage", "alice is looking for an opponent", "Stealth Bomber Chess", "7 days per move", "Join")
	l.Press(group, alice, asked, "open 0 - chess 0d")
	l.posted("sendMessage", "alice is looking for an opponent", "no time limit", "Join")
}

// led is the code with which somebody who has pressed a button is led into the chat with the bot.
func (l *life) led() (code string) {
	l.t.Helper()
	l.Wait("a way into the chat", func() bool {
		for _, c := range l.Calls {
			if _, after, ok := strings.Cut(c.Fields["url"], "https://t.me/ChimeraBot?start="); ok && c.Method == "answerCallbackQuery" {
				code = after
			}
		}
		return code != ""
	})
	return code
}

var deepLink = regexp.MustCompile(`https://t\.me/ChimeraBot\?start=([A-Za-z0-9_-]{1,64})"`)

// code is what the newest message with these parts lets people begin a chat with.
func (l *life) code(parts ...string) string {
	l.t.Helper()
	id := l.posted(append(parts, "?start=")...)
	for _, c := range l.calls(0) {
		if found := deepLink.FindStringSubmatch(c.Fields["text"]); c.Number == id && found != nil {
			return found[1]
		}
	}
	l.t.Fatalf("no code in message %d", id)
	return ""
}

func TestCodesAreToldToTheAskerAlone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/challenge chess")
	l.posted("alice is looking for an opponent")
	l.Say(group, alice, "/link #1")
	l.posted("chat_id:1", "joins challenge #1")
	l.Say(group, alice, "/link")
	l.posted("chat_id:1", "your other account")
	l.Say(group, alice, "/settings")
	l.posted("chat_id:1 ", "Your settings")
	refuses(l.double, refused(403, "Forbidden: bot can't initiate conversation with a user"), "chat_id:2 ")
	l.Say(group, bob, "/link")
	l.posted("chat_id:-500", "Only you should see the answer", "t.me/ChimeraBot")
	l.never("everybody was told", "chat_id:-500", "your other account")
	l.never("everybody was told", "chat_id:-500", "joins challenge")
	if strings.Contains(l.log.String(), "link-") {
		t.Error("a code is in the log")
	}
}

func TestWhatIsWishedForInASentenceIsToldToTheAskerAloneWhereItsCommandWouldBe(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greeted(alice)
	mentioned := func(m map[string]any) {
		m["entities"] = []map[string]any{{"type": "mention", "offset": 0, "length": len("@ChimeraBot")}}
	}
	l.Say(group, alice, "@ChimeraBot lösche mein Konto", mentioned)
	l.posted("chat_id:1 ", "Daten löschen?")
	l.Say(group, alice, "@ChimeraBot what should I play?", mentioned)
	l.posted("chat_id:1 ", "You have no game here")
	l.never("everybody was told", "chat_id:-500", "Daten")
	l.never("everybody was told", "chat_id:-500", "no game")
}

// TestAChallengeToSomebodyUnknownWaitsForThem is accepted by a button, declined by a command, and
// neither by others.
func TestAChallengeToSomebodyUnknownWaitsForThem(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	dora := person{ID: 4, Name: "Dora_1"}
	l.Say(group, alice, "/challenge @dora_1 chess white")
	asked := l.posted("chat_id:-500 ", "alice challenges @dora_1: <b>Chess</b>", "Accept", "Decline")
	l.Press(group, carol, asked, "join 1 -")
	l.requested("answerCallbackQuery", "is for somebody else")
	l.Say(group, carol, "/accept@ChimeraBot")
	l.posted("sendMessage", "chat_id:-500 ", "is for somebody else")
	l.Say(group, alice, "/games@ChimeraBot")
	l.posted("sendMessage", "to @dora_1")
	l.Press(group, dora, asked, "join 1 -")
	l.posted("sendPhoto", "chat_id:-500 ", "Chess #1", "alice (White) vs Dora_1 (Black)")
	l.Say(group, alice, "/challenge @erin_2 stealth")
	asked = l.posted("alice challenges @erin_2")
	l.Say(group, person{ID: 5, Name: "erin_2"}, "/decline@ChimeraBot")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "erin_2 declines")
	l.Say(1, alice, "/block @nobody_3")
	l.posted("chat_id:1 ", "@nobody_3")
}

// says is Telegram's word on who somebody is, signed for the bot of a token.
func says(token string, facts map[string]string) string {
	query := url.Values{}
	var lines []string
	for name, value := range facts {
		query.Set(name, value)
		lines = append(lines, name+"="+value)
	}
	slices.Sort(lines)
	query.Set("hash", hex.EncodeToString(sign(sign([]byte("WebAppData"), token), strings.Join(lines, "\n"))))
	return query.Encode()
}

// TestTelegramsExampleIsTaken has what a Telegram client sent to a bot whose token was made public
// with it, in the documentation of the package telegram-mini-apps/init-data-golang.
func TestTelegramsExampleIsTaken(t *testing.T) {
	const token = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8"
	const word = "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2"
	p, _, ok := SignedIn(token, word, time.Unix(1662771648, 0))
	if !ok || p.Address.ID != "279058397" || p.Name != "Vladislav Kibenko" || p.Mention != "@vdkfrost" || p.Locale != "ru" {
		t.Errorf("%+v, %v", p, ok)
	}
}

func TestTelegramsWordHoldsForAnHourForItsOwnBotAndAsItIs(t *testing.T) {
	const token = "123:abc"
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	facts := func(age time.Duration, user string) map[string]string {
		return map[string]string{"auth_date": strconv.FormatInt(now.Add(-age).Unix(), 10), "user": user, "query_id": "a%41", "signature": "x"}
	}
	const ann = `{"id":7,"first_name":"Ann & \"Bea\"","username":"ann"}`
	good := says(token, facts(0, ann))
	for name, c := range map[string]struct {
		word string
		ok   bool
	}{
		"new":                  {good, true},
		"nearly an hour old":   {says(token, facts(time.Hour, ann)), true},
		"an hour old":          {says(token, facts(time.Hour+time.Second, ann)), false},
		"from the future":      {says(token, facts(-time.Hour, ann)), false},
		"of another bot":       {says("123:abd", facts(0, ann)), false},
		"about somebody else":  {strings.Replace(good, "7", "8", 1), false},
		"with more in it":      {good + "&chat_type=group", false},
		"without a hash":       {good[:strings.Index(good, "&hash=")], false},
		"with another hash":    {strings.Replace(good, "hash=", "hash=00", 1), false},
		"about nobody":         {says(token, facts(0, "{}")), false},
		"about a bot":          {says(token, facts(0, `{"id":7,"is_bot":true,"first_name":"x"}`)), false},
		"not even words":       {"%zz", false},
		"nothing":              {"", false},
		"without its time":     {says(token, map[string]string{"user": ann}), false},
		"with two of its time": {says(token, facts(2*time.Hour, ann)) + "&auth_date=" + strconv.FormatInt(now.Unix(), 10), false},
	} {
		p, _, ok := SignedIn(token, c.word, now)
		if ok != c.ok || ok && (p.Address != address(7, 0) || p.Name != `Ann & "Bea"`) {
			t.Errorf("%s: %+v, %v", name, p, ok)
		}
	}
}

// TestTheSameWordHasTheSameMarkHoweverItIsWritten writes Telegram's word in another order, and in capitals.
func TestTheSameWordHasTheSameMarkHoweverItIsWritten(t *testing.T) {
	const token = "123:abc"
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	facts := map[string]string{"auth_date": strconv.FormatInt(now.Unix(), 10), "user": `{"id":7,"first_name":"Ann"}`, "query_id": "1"}
	word := says(token, facts)
	parts := strings.Split(word, "&")
	slices.Reverse(parts)
	for i, part := range parts {
		if sum, ok := strings.CutPrefix(part, "hash="); ok {
			parts[i] = "hash=" + strings.ToUpper(sum)
		}
	}
	_, mark, ok := SignedIn(token, word, now)
	_, again, ok2 := SignedIn(token, strings.Join(parts, "&"), now)
	if !ok || !ok2 || mark != again {
		t.Errorf("%q, %v, and %q, %v", mark, ok, again, ok2)
	}
	facts["query_id"] = "2"
	if _, other, ok := SignedIn(token, says(token, facts), now); !ok || other == mark {
		t.Errorf("another word has the mark %q, %v", other, ok)
	}
}
