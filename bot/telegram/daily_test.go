package telegram

import (
	"testing"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

func TestThePuzzleOfTheDayIsAnsweredInPrivate(t *testing.T) {
	f := newFake(t)
	f.Admins = []int64{alice.ID}
	l := live(t, f, &kvtest.Disk{})
	l.Say(group, alice, "/settings here puzzle 18:00")
	l.posted("puzzle", "18:00", "timezone")
	l.Say(group, alice, "/settings here game chess")
	l.posted("<code>game chess</code>")
	fake.TellDaily(t, l.store, l.chat.bot.Training)
	told := l.posted("sendPhoto", "chat_id:-500 ", "Puzzle of the day</b>: Chess", "White to move and win.", "Find the move.")
	if labels := l.labels(told); labels != "Move" {
		t.Errorf("the buttons are %q", labels)
	}
	h := &hand{l: l, who: bob, message: told}
	h.tap("Move")
	code := l.led()
	l.Say(bob.ID, bob, "/start "+code)
	mine := &hand{l: l, who: bob, chat: bob.ID, message: l.posted("sendPhoto", "chat_id:2 ", "Puzzle of the day</b>: Chess", "White to move and win.")}
	mine.tap("Move")
	mine.tap("Rd1")
	mine.push(mine.find(func(b fake.Button) bool { return b.Text == "Rd7" }))
	l.shown("editMessageMedia", "chat_id:2 ", "Rd7", "Try again")
	l.Lock()
	for _, c := range l.Calls {
		if c.Number > mine.message && c.Has("chat_id:2 ") {
			t.Errorf("there is another message: %v", c)
		}
	}
	l.Unlock()
	l.Say(bob.ID, bob, "Rd8")
	l.posted("chat_id:2 ", "Rd8#</b>, that", "1 puzzle of the day")
	l.Say(group, alice, "/top puzzles")
	l.posted("chat_id:-500 ", "1. bob: 1 puzzle")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Has("chat_id:-500 ") && (c.Has("Rd7") || c.Has("Rd8") || c.Has("that's it")) {
			t.Errorf("the group sees %v", c)
		}
	}
}
