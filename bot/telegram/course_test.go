package telegram

import (
	"fmt"
	"testing"

	"chimera/storage/kv/kvtest"
)

func TestALessonGoesOnInItsMessage(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/learn chess")
	lesson := l.posted("sendPhoto", "chat_id:1", "<b>Chess</b>, step 1 of 6", "Hint")
	at := fmt.Sprint("message_id:", lesson, " ")
	h := &hand{l: l, who: alice, message: lesson, chat: 1}
	h.tap("Hint")
	l.shown("editMessageMedia", at, "Chess", "The bishop on a6 attacks f1")
	h.tap("Hint")
	l.shown("editMessageMedia", at, "Play it to see what happens")
	h.tap("O-O-O")
	l.shown("editMessageMedia", at, "The king has left the open file", "Next")
	h.tap("Next")
	l.shown("editMessageMedia", at, "step 2 of 6")
	l.Say(1, alice, "exd6")
	l.posted("sendPhoto", "chat_id:1", "This is called en passant", "Next")
}

func TestWhoLearnsInAGroupDoesSoInPrivate(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.greet(alice)
	l.Say(group, alice, "/learn chess")
	l.posted("sendPhoto", "chat_id:1", "step 1 of 6")
	l.Wait("a sign in the group", func() bool {
		return count(l.Calls, "setMessageReaction", fmt.Sprint("chat_id:", group)) > 0
	})
	l.Say(1, alice, "O-O-O")
	l.posted("sendPhoto", "chat_id:1", "The king has left the open file", "Next")
}
