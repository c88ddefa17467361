package telegram

import (
	"fmt"
	"testing"

	"chimera/bot/fake"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestWhoeverChallengesTheBotPlaysIt(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	text := "/challenge @ChimeraBot chess white"
	mentioned := func(m map[string]any) {
		m["entities"] = append(m["entities"].([]map[string]any), map[string]any{"type": "mention", "offset": 11, "length": 11})
	}
	l.Say(group, alice, text+" 3d", mentioned)
	l.posted("Games against me are unrated and have no time limit: leave “3d” out.")
	l.Say(group, alice, text, mentioned)
	l.posted("sendPhoto", "Chess #1", "alice (White) vs Chimera 3 (Black)", "no time limit", "Level 3 plays about as well as a casual player.")
	l.Say(group, alice, "/profile @ChimeraBot")
	l.posted("I don't know anyone called")
	l.Say(group, alice, "/block @ChimeraBot")
	l.posted("I don't know anyone called", "block @name")
}

func TestAGameAgainstTheBotByButtonsInPrivate(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/start")
	hello := l.posted("Hello!", "Play me")
	h := &hand{l: l, who: alice, message: hello}
	l.Press(1, alice, hello, h.find(func(b fake.Button) bool { return b.Text == "Play me" }).Data)
	board := l.posted("sendPhoto", "chat_id:1", "Combine Chess #1", "Chimera 3 (White) vs alice (Black)", "<b>1. ")
	if labels := l.labels(board); labels != "Move Flip Resign More" {
		t.Errorf("the buttons are %q", labels)
	}
	l.Say(1, alice, "e5")
	next := l.posted("sendPhoto", "chat_id:1", "<b>2. ", `href="tg://user?id=1"`)
	if next == board || l.labels(next) != "Move Flip Resign More" {
		t.Errorf("the buttons are %q", l.labels(next))
	}
	err := l.store.View(t.Context(), func(r storage.Reader) error {
		if waiting, err := r.Thinking(); err != nil || len(waiting) > 0 {
			return fmt.Errorf("%v wait: %w", waiting, err)
		}
		return nil
	})
	if err == nil {
		err = l.store.Check(t.Context(), func(fault string) { t.Error(fault) })
	}
	if err != nil {
		t.Fatal(err)
	}
}

// silent fails if anything was said with one of these words.
func (l *life) silent(t *testing.T, words ...string) {
	t.Helper()
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		for _, w := range words {
			if c.Has("sendMessage", w) {
				t.Errorf("%q was said: %v", w, c)
			}
		}
	}
}

func TestAChallengeThatNobodyJoinsForAnHourOffersTheBotOnItsMessage(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Say(group, alice, "/challenge@ChimeraBot stealth black")
	challenge := l.posted("sendMessage", "looking for an opponent")
	l.greet(alice)
	l.Say(1, alice, "/challenge chess white")
	private := l.posted("sendMessage", "chat_id:1", "pass the code on")
	l.stopped()
	l = live(t, f, disk)
	fake.Forsaken(t, l.store, l.chat.bot.Maintenance)
	l.shown("editMessageReplyMarkup", fmt.Sprint("message_id:", challenge), "Play me")
	l.shown("editMessageReplyMarkup", fmt.Sprint("message_id:", private), "Play me")
	if labels := l.labels(challenge); labels != "Join Cancel Play me" {
		t.Errorf("the buttons are %q", labels)
	}
	if labels := l.labels(private); labels != "Cancel Play me Share" {
		t.Errorf("the buttons in private are %q", labels)
	}
	instead := (&hand{l: l, who: alice, message: challenge}).find(func(b fake.Button) bool { return b.Text == "Play me" })
	l.Press(group, bob, challenge, instead.Data)
	l.Wait("an answer to bob", func() bool {
		return count(l.Calls, "answerCallbackQuery", "Challenge #1 isn't yours") > 0
	})
	l.Press(group, alice, challenge, instead.Data)
	l.posted("sendPhoto", "Stealth Bomber Chess #1", "Chimera 3 (White) vs alice (Black)", "no time limit")
	l.shown("editMessageText", fmt.Sprint("message_id:", challenge), "Chimera 3 (White) vs alice (Black)")
	l.Say(group, bob, "/accept #1")
	l.posted("You have no challenge")
}
