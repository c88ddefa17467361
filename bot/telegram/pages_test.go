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
	l.never("it was asked elsewhere", "answerCallbackQuery", "Which game")
	l.never("it was asked elsewhere", "sendMessage", "Which game")
}

// TestTheRulesAreChosenByButtons reads those of two games, and plays the second.
func TestTheRulesAreChosenByButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/rules")
	list := l.posted("sendMessage", "<b>Stealth Bomber Chess</b> (<code>stealth</code>): pieces absorb the powers of what they capture")
	h := &hand{l: l, who: alice, message: list, chat: 1}
	h.tap("Chess")
	h.message = l.posted("sendPhoto", "Chess, by FIDE", "Play me", "Back")
	if labels := l.labels(h.message); labels != "Learn Play me Back" {
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

// TestGamesListsChallengesWithTheirButtons has one of alice's, one to them, and then one alone.
func TestGamesListsChallengesWithTheirButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greet(bob)
	l.Say(1, alice, "/challenge stealth")
	l.posted("chat_id:1 ", "#1: alice is looking for an opponent")
	l.Say(2, bob, "/challenge @alice chess white")
	l.posted("chat_id:1 ", "#2: bob challenges")
	l.Say(1, alice, "/games")
	list := l.posted("chat_id:1 ", "#2 challenge from bob", "#1 open challenge")
	if labels := l.labels(list); labels != "Accept #2 Decline #2 Cancel #1" {
		t.Errorf("the buttons are %q", labels)
	}
	h := &hand{l: l, who: alice, message: list, chat: 1}
	h.tap("Accept #2")
	l.posted("sendPhoto", "chat_id:2 ", "Chess #2")
	l.Say(1, alice, "/games")
	list = l.posted("chat_id:1 ", "#2 Chess vs bob", "#1 open challenge")
	if labels := l.labels(list); labels != "Cancel" {
		t.Errorf("the buttons are %q", labels)
	}
}

// TestAChallengeSaysWhoHasJoinedAndWhereItIsPlayed joins one in a supergroup, where messages have
// addresses, and one by its code.
func TestAChallengeSaysWhoHasJoinedAndWhereItIsPlayed(t *testing.T) {
	const super = -1001234567890
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(super, alice, "/challenge chess white")
	open := l.posted("#1: alice is looking for an opponent")
	l.Press(super, bob, open, "join 1 -")
	board := l.posted("sendPhoto", "Chess #1")
	l.shown("editMessageText", fmt.Sprint("message_id:", open, " "), "bob accepts the challenge.", "<b>Chess #1</b>: alice (White) vs bob (Black)", fmt.Sprint("https://t.me/c/1234567890/", board))
	if labels := l.labels(open); labels != "" {
		t.Errorf("the buttons are %q", labels)
	}
	l.Say(1, alice, "/challenge stealth white")
	open = l.posted("chat_id:1 ", "#2: alice is looking for an opponent")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#2: alice is looking for an opponent"))
	l.shown("editMessageText", fmt.Sprint("message_id:", open, " "), "bob accepts the challenge.", "<b>Stealth Bomber Chess #2</b>: alice (White) vs bob (Black)")
}

// TestWhoComesByALinkIsWelcome comes with a code that is good, with one that is not, and with one
// for the second time.
func TestWhoComesByALinkIsWelcome(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/challenge stealth white")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#1: alice is looking for an opponent"))
	l.posted("sendMessage", "chat_id:2 ", "Welcome!", "<code>/rules stealth</code> explains Stealth Bomber Chess", "/help")
	l.posted("sendPhoto", "chat_id:2 ", "Stealth Bomber Chess #1")
	l.Say(3, carol, "/start ABCDEFGHJKLM")
	told := l.posted("chat_id:3 ", "That challenge isn't open any more", "\n\nHello!")
	if labels := l.labels(told); labels != "Play me New game Rules My games" {
		t.Errorf("the buttons are %q", labels)
	}
	l.Say(3, carol, "/version")
	l.posted("chat_id:3 ", "text:Chimera")
	l.Say(1, alice, "/challenge chess white")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#2: alice is looking for an opponent"))
	l.posted("sendPhoto", "chat_id:2 ", "Chess #2")
	l.Say(2, bob, "/start ABCDEFGHJKLM")
	l.posted("chat_id:2 ", "That challenge isn't open any more")
	l.Lock()
	defer l.Unlock()
	count := map[string]int{}
	for _, c := range l.Calls {
		switch {
		case c.Number == 0:
		case c.Has("chat_id:3 "):
			count["to carol"]++
		case c.Has("chat_id:2 ", "Welcome!"):
			count["welcome"]++
		}
	}
	if count["to carol"] != 2 || count["welcome"] != 1 {
		t.Errorf("greetings and answers: %v", count)
	}
}
