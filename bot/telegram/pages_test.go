package telegram

import (
	"fmt"
	"testing"

	"chimera/storage/kv/kvtest"
)

// TestNewGameAsksInThePlaceOfTheHello goes there and back, and on to a challenge.
func TestNewGameAsksInThePlaceOfTheHello(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/start")
	hello := l.posted("Hello!", "startgroup=group")
	page, first := fmt.Sprint("message_id:", hello, " "), l.labels(hello)
	h := &hand{l: l, who: alice, message: hello, chat: 1}
	h.tap("New game")
	l.shown("editMessageText", page, "Which game? Whoever joins first", "Stealth Bomber Chess", "Back")
	h.tap("Back")
	l.shown("editMessageText", page, "Hello!", "startgroup=group", "New game")
	if labels := l.labels(hello); labels != first {
		t.Errorf("the buttons are %q, and were %q at first", labels, first)
	}
	h.tap("New game")
	h.tap("Stealth Bomber Chess")
	l.shown("editMessageText", page, "How much time for each move?", "7 days per move", "Back")
	h.tap("Back")
	h.tap("Combine Chess")
	h.tap("7 days per move")
	l.posted("sendMessage", "alice is looking for an opponent", "Combine Chess", "7 days per move")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Has("answerCallbackQuery", "Which game") || c.Has("sendMessage", "Which game") {
			t.Errorf("it was asked elsewhere: %v", c)
		}
	}
}

// TestTheRulesAreChosenByButtons reads those of two games, and plays the second.
func TestTheRulesAreChosenByButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/rules")
	list := l.posted("sendMessage", "<b>Stealth Bomber Chess</b> (<code>stealth</code>): pieces absorb the powers of what they capture")
	h := &hand{l: l, who: alice, message: list, chat: 1}
	h.tap("Chess")
	h.message = l.posted("sendPhoto", "Chess, by FIDE", "Play me", "Back")
	if labels := l.labels(h.message); labels != "Play me Back" {
		t.Errorf("the buttons are %q", labels)
	}
	h.tap("Back")
	l.shown("editMessageCaption", fmt.Sprint("message_id:", h.message, " "), "Which game?", "Stealth Bomber Chess")
	h.tap("Stealth Bomber Chess")
	h.message = l.posted("sendPhoto", "Play me", "Back", fmt.Sprintf(`"message_id":%d,`, h.message))
	l.posted("sendMessage", "A piece is a set of powers")
	h.tap("Play me")
	l.posted("sendPhoto", "Stealth Bomber Chess #1", "Chimera 3")
}

// TestASettingIsChosenInThePlaceOfTheList looks at the text, too.
func TestASettingIsChosenInThePlaceOfTheList(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/settings")
	list := l.posted("Your settings", "<code>theme usual</code>")
	page := fmt.Sprint("message_id:", list, " ")
	h := &hand{l: l, who: alice, message: list, chat: 1}
	h.tap("theme")
	l.shown("editMessageText", page, "colours of boards", "night")
	h.tap("night")
	l.shown("editMessageText", page, "Your settings", "<code>theme night</code>")
}
