package telegram

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// reviewed makes sure that a review is there when it is asked for: it may take longer than anybody
// waits for it.
func (l *life) reviewed() {
	l.t.Helper()
	if _, going, err := l.chat.bot.Thinker.Review(l.t.Context(), 0, 1, time.Minute); err != nil || going != nil {
		l.t.Fatalf("%v, %+v", err, going)
	}
}

// reviews looks at the review of the first game, which has ended, by the command and by buttons.
func (l *life) reviews() {
	l.t.Helper()
	l.reviewed()
	l.Say(alice.ID, alice, "/review")
	review := l.posted("sendPhoto", fmt.Sprint("chat_id:", alice.ID), "accuracy", "moment 1 - 0")
	at := fmt.Sprint("message_id:", review, " ")
	h := &hand{l: l, who: alice, message: review, chat: alice.ID}
	h.push(h.find(func(b fake.Button) bool { return strings.HasPrefix(b.Data, "moment 1 - 0") }))
	l.shown("editMessageMedia", at, "moment 1 of", "Back")
	h.tap("Back")
	l.shown("editMessageMedia", at, "accuracy", "moment 1 - 0")
}

func TestWhoReviewsAGameOfAGroupDoesSoInPrivate(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	begins(l, variants.All()[0])
	for i, text := range []string{"f3", "e5", "g4"} {
		l.Say(group, []person{alice, bob}[i%2], "/move "+text)
		l.posted("sendPhoto", []string{"1. f3", "1… e5", "2. g4"}[i])
	}
	l.Say(group, bob, "/move Qh4")
	h := &hand{l: l, who: bob, message: l.posted("sendPhoto", "wins by checkmate", "Review")}
	l.reviewed()
	h.tap("Review")
	l.shown("sendPhoto", "chat_id:2", "accuracy", "2. g4 (alice)")
	l.never("the group is told", fmt.Sprint("chat_id:", group, " "), "accuracy")
}
