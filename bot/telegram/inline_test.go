package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
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
	l.Lock()
	before := len(l.Calls)
	l.Unlock()
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
	for _, who := range []person{alice, bob} {
		l.Say(who.ID, who, "hello")
		l.posted("Hello!", fmt.Sprintf("chat_id:%d ", who.ID))
	}
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
	l.Wait("a word", func() bool {
		return count(l.Calls, "answerCallbackQuery", "your own challenge") > 0
	})
	l.PressPosted(bob, "posted-1", join.Data)
	l.posted("sendPhoto", "chat_id:2 ", "Stealth Bomber Chess #1")
	l.posted("sendPhoto", "chat_id:1 ", "Stealth Bomber Chess #1", "alice</a> (White) to move")
	l.shown("editMessageText", "inline_message_id:posted-1", "accepts the challenge", "<b>Stealth Bomber Chess #1</b>: alice (White) vs bob (Black)")
	done := make(chan struct{})
	l.chat.later("inline", func(context.Context) { close(done) }) // after all changes
	<-done
	if n := l.changed("posted-1"); n != 1 {
		t.Errorf("the posted message was changed %d times", n)
	}
	l.PressPosted(carol, "posted-1", join.Data)
	l.Wait("a word", func() bool {
		return count(l.Calls, "answerCallbackQuery", "open any more") > 0
	})
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Number != 0 && c.Has("looking for an opponent") {
			t.Errorf("alice was told of her own: %v", c)
		}
	}
}

func TestWhoHasNeverPressedStartJoinsAPostedChallengeInTheirOwnChat(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	if all := l.offered(alice, "chess"); len(all) != 1 || !strings.Contains(all[0].Title, "Start") {
		t.Errorf("offered are %v", all)
	}
	l.Say(alice.ID, alice, "hello")
	l.posted("Hello!")
	join := l.offered(alice, "chess white")[0].Markup.Rows[0][0]
	l.PressPosted(carol, "posted-2", join.Data)
	code := l.led()
	l.Say(carol.ID, carol, "/start "+code)
	l.posted("sendPhoto", "chat_id:3 ", "Chess #1")
	l.posted("sendPhoto", "chat_id:1 ", "Chess #1")
	l.shown("editMessageText", "inline_message_id:posted-2", "accepts the challenge", "<b>Chess #1</b>: alice (White) vs carol (Black)")
}

// greeted are people who have a private chat with the bot.
func (l *life) greeted(people ...person) {
	l.t.Helper()
	for _, who := range people {
		l.Say(who.ID, who, "hello")
		l.posted("Hello!", fmt.Sprintf("chat_id:%d ", who.ID))
	}
}

// joins lets somebody press what stands below a posted message, and waits for a word on that.
func (l *life) joins(who person, message, data string) (word string) {
	l.t.Helper()
	l.Lock()
	before := len(l.Calls)
	l.Unlock()
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
func (l *life) changed(message string) (times int) {
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Has("inline_message_id:" + message) {
			times++
		}
	}
	return times
}

// begun is how many games have begun.
func (l *life) begun() int {
	l.t.Helper()
	all, err := l.store.Games(l.t.Context())
	if err != nil {
		l.t.Fatal(err)
	}
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
	for _, who := range []person{alice, bob} {
		l.Say(who.ID, who, "hello")
		l.posted("Hello!", fmt.Sprintf("chat_id:%d ", who.ID))
	}
	good := l.offered(alice, "chess white")[0].Markup.Rows[0][0].Data
	for i, data := range []string{"1 chess 3d white rated", strings.Replace(good, "white", "black", 1), "x", ""} {
		l.PressPosted(bob, "posted-3", data)
		l.Wait("a word", func() bool {
			n := count(l.Calls, "answerCallbackQuery", "open any more")
			return n > i
		})
	}
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Method == "sendPhoto" {
			t.Errorf("a game has begun: %v", c)
		}
	}
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
