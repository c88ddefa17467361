package telegram

import (
	"regexp"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

var deepLink = regexp.MustCompile(`https://t\.me/ChimeraBot\?start=([A-Za-z0-9_-]{1,64})"`)

// code is what the newest message with these parts lets people begin a chat with.
func (l *life) code(parts ...string) string {
	l.t.Helper()
	id := l.posted(append(parts, "?start=")...)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		if found := deepLink.FindStringSubmatch(c.fields["text"]); c.number == id && found != nil {
			return found[1]
		}
	}
	l.t.Fatalf("no code in message %d", id)
	return ""
}

func TestAChallengeIsJoinedFromAnotherChat(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.say(group, alice, "/challenge @dora chess white")
	code := l.code("alice challenges @dora", "whom I do not know", "Join")
	l.say(3, carol, "/accept #1")
	l.posted("chat_id:3", "was made in another chat")
	l.say(3, carol, "/start AAAAAAAAAAAA")
	l.posted("chat_id:3", "wrong, used or expired")
	l.say(3, carol, "/start "+code)
	l.posted("sendPhoto", "chat_id:-500", `href="tg://user?id=1"`)
	l.posted("sendPhoto", "chat_id:3", "<b>alice</b> (White) is to move")
	l.say(2, bob, "/start "+code)
	l.posted("chat_id:2", "wrong, used or expired")
	l.say(group, alice, "/move e4")
	l.posted("sendPhoto", "chat_id:3", "1. e4", `href="tg://user?id=3"`)
	l.posted("sendPhoto", "chat_id:-500", "1. e4", "<b>carol</b> (Black) is to move")
	l.say(3, carol, "e5")
	l.posted("sendPhoto", "chat_id:-500", "1… e5")
	l.posted("sendPhoto", "chat_id:3", "1… e5")
	l.say(3, carol, "/draw")
	l.posted("chat_id:-500", "offers", "Accept")
	l.say(group, alice, "/accept")
	l.posted("sendPhoto", "chat_id:3", "Draw by agreement")
	l.say(3, carol, "/rematch")
	l.posted("chat_id:-500", "carol challenges", "Accept")
	l.say(group, alice, "/accept")
	l.posted("sendPhoto", "chat_id:3", "Chess #2")
	l.posted("sendPhoto", "chat_id:-500", "Chess #2")
}

func TestCodesAreToldToTheAskerAlone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.say(group, alice, "/challenge chess")
	l.posted("alice challenges")
	l.say(group, alice, "/link #1")
	l.posted("chat_id:1", "joins challenge #1")
	l.say(group, alice, "/link")
	l.posted("chat_id:1", "both accounts are one person")
	l.refuse = func(c call) *refusal {
		if c.fields["chat_id"] == "2" {
			return &refusal{403, `{"ok":false,"error_code":403,"description":"Forbidden: bot can't initiate conversation with a user"}`}
		}
		return nil
	}
	l.say(group, bob, "/link")
	l.posted("chat_id:-500", "for you alone", "t.me/ChimeraBot")
	for _, c := range l.calls {
		if c.has("chat_id:-500") && (c.has("both accounts") || c.has("joins challenge")) {
			t.Errorf("everybody was told: %v", c)
		}
	}
	if strings.Contains(l.log.String(), "link-") {
		t.Error("a code is in the log")
	}
}
