package telegram

import (
	"fmt"
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
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if found := deepLink.FindStringSubmatch(c.Fields["text"]); c.Number == id && found != nil {
			return found[1]
		}
	}
	l.t.Fatalf("no code in message %d", id)
	return ""
}

func TestAChallengeIsJoinedFromAnotherChat(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/challenge chess white")
	code := l.code("alice is looking for an opponent", "Join")
	l.Say(3, carol, "/accept #1")
	l.posted("chat_id:3", "was made in another chat")
	l.Say(3, carol, "/start AAAAAAAAAAAA")
	l.posted("chat_id:3", "open any more, or its code is wrong")
	l.posted("chat_id:3", "I play chess games") // and so much for a welcome
	l.Say(3, carol, "/start "+code)
	l.posted("sendPhoto", "chat_id:-500", `href="tg://user?id=1"`)
	l.posted("sendPhoto", "chat_id:3", "<b>alice</b> (White) to move")
	l.Say(2, bob, "/start "+code)
	l.posted("chat_id:2", "open any more, or its code is wrong")
	l.Say(group, alice, "/move e4")
	l.posted("sendPhoto", "chat_id:3", "1. e4", `href="tg://user?id=3"`)
	l.posted("sendPhoto", "chat_id:-500", "1. e4", "<b>carol</b> (Black) to move")
	l.Say(3, carol, "e5")
	l.posted("sendPhoto", "chat_id:-500", "1… e5")
	l.shown("editMessageMedia", "chat_id:3", "1… e5", "board.png")
	l.Say(3, carol, "/draw")
	l.shown("editMessageMedia", "chat_id:-500", "offers", "Accept")
	l.Say(group, alice, "/accept")
	l.posted("sendPhoto", "chat_id:3", "Draw by agreement")
	l.Say(3, carol, "/rematch")
	l.posted("chat_id:-500", "carol challenges", "Accept")
	l.Say(group, alice, "/accept")
	l.posted("sendPhoto", "chat_id:3", "Chess #2")
	l.posted("sendPhoto", "chat_id:-500", "Chess #2")
}

func TestCodesAreToldToTheAskerAlone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(group, alice, "/challenge chess")
	l.posted("alice is looking for an opponent")
	l.Say(group, alice, "/link #1")
	l.posted("chat_id:1", "joins challenge #1")
	l.Say(group, alice, "/link")
	l.posted("chat_id:1", "your other account")
	refuses(l.double, refused(403, "Forbidden: bot can't initiate conversation with a user"), "chat_id:2 ")
	l.Say(group, bob, "/link")
	l.posted("chat_id:-500", "Only you should see the answer", "t.me/ChimeraBot")
	l.never("everybody was told", "chat_id:-500", "your other account")
	l.never("everybody was told", "chat_id:-500", "joins challenge")
	if strings.Contains(l.log.String(), "link-") {
		t.Error("a code is in the log")
	}
}

func TestWhereThereIsOnePlatformNoAccountIsLinked(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.chat.bot.Only(Platform)
	l.Say(3, carol, "/link")
	l.posted("chat_id:3", "no other account to link")
}

// TestAChallengeToSomebodyUnknownWaitsForThem is accepted by a button, declined by a command, and
// neither by others.
func TestAChallengeToSomebodyUnknownWaitsForThem(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	dora := person{ID: 4, Name: "Dora_1"}
	l.Say(group, alice, "/challenge @dora_1 chess white")
	asked := l.posted("chat_id:-500 ", "alice challenges @dora_1: <b>Chess</b>", "Accept", "Decline")
	l.Press(group, carol, asked, "join 1 -")
	l.Wait("a word for carol", func() bool {
		return count(l.Calls, "answerCallbackQuery", "is for somebody else") > 0
	})
	l.Say(group, carol, "/accept@ChimeraBot")
	l.posted("sendMessage", "chat_id:-500 ", "is for somebody else")
	l.Say(group, alice, "/games@ChimeraBot")
	l.posted("sendMessage", "to @dora_1")
	l.Press(group, dora, asked, "join 1 -")
	l.posted("sendPhoto", "chat_id:-500 ", "Chess #1", "alice (White) vs Dora_1 (Black)")
	l.Say(group, alice, "/challenge @erin_2 stealth")
	asked = l.posted("alice challenges @erin_2")
	l.Say(group, person{ID: 5, Name: "erin_2"}, "/decline@ChimeraBot")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "erin_2 declines")
	l.Say(1, alice, "/block @nobody_3")
	l.posted("chat_id:1 ", "@nobody_3")
}
