package telegram

import (
	"fmt"
	"strings"
	"testing"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

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
	l.posted("chat_id:-500", "<code>days 5</code>")
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
	f.Lock()
	f.Refuse = func(c call) *refusal {
		if closed && c.Fields["chat_id"] == fmt.Sprint(alice.ID) {
			return refused(403, "Forbidden: bot can't initiate conversation with a user")
		}
		return nil
	}
	f.Unlock()
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
	id := l.posted("<code>claim ask</code>", "<code>/settings quiet 22-7</code>")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if c.Number == id && (strings.Contains(c.Fields["text"], "/claim") || strings.Contains(c.Fields["text"], "/vacation")) {
			t.Error(c.Fields["text"])
		}
	}
}

// TestAVacationIsSaidOnce takes one in a group, and one in a private chat.
func TestAVacationIsSaidOnce(t *testing.T) {
	said := func(l *life, chat int64, words string) (n int) {
		l.Lock()
		defer l.Unlock()
		for _, c := range l.Calls {
			if c.Number != 0 && c.Has(fmt.Sprintf("chat_id:%d ", chat), words) {
				n++
			}
		}
		return n
	}
	l := live(t, newFake(t), &kvtest.Disk{})
	begins(l, variants.All()[0])
	l.Say(group, alice, "/vacation 3d")
	l.posted("alice is on vacation")
	l.Say(group, alice, "/version")
	l.posted("chat_id:-500", "text:Chimera")
	if n := said(l, group, "on vacation"); n != 1 {
		t.Errorf("a group hears of it %d times", n)
	}
	l.Say(3, carol, "/challenge chess")
	l.Say(2, bob, "/start "+l.code("chat_id:3", "carol is looking for an opponent"))
	l.posted("sendPhoto", "chat_id:3")
	l.posted("sendPhoto", "chat_id:2")
	l.Say(3, carol, "/vacation 3d")
	l.posted("chat_id:2", "carol is on vacation")
	l.posted("chat_id:3", "You're on vacation")
	l.Say(3, carol, "/vacation off")
	l.posted("chat_id:2", "carol is back")
	l.posted("chat_id:3", "You aren't on vacation")
	if n := said(l, 3, "carol is on") + said(l, 3, "carol is back"); n != 0 {
		t.Errorf("carol is told of themselves %d times", n)
	}
}
