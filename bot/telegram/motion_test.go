package telegram

import (
	"testing"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

func TestAMergeMovesWhereTheGroupWantsThat(t *testing.T) {
	f := newFake(t)
	f.Admins = []int64{alice.ID}
	l := live(t, f, &kvtest.Disk{})
	l.Say(group, alice, "/settings here motion on")
	l.posted("<code>motion on</code>")
	l.Say(group, alice, "/challenge combine white")
	h := &hand{l: l, who: bob, message: l.posted("sendMessage", "Combine Chess")}
	h.tap("Join")
	l.posted("sendPhoto", "chat_id:-500 ", "to move")
	l.Say(group, alice, "/move R~Nb1")
	moving := l.posted("sendAnimation", "chat_id:-500 ", "board.gif", "R~Nb1")
	if h.message = moving; h.find(func(b fake.Button) bool { return b.Text == "Move" }).Data == "" {
		t.Error("nobody can move below a board that moves")
	}
	l.Say(group, bob, "/move e5")
	l.posted("sendPhoto", "chat_id:-500 ", "e5")
}
