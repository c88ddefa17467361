package discord

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/storage/kv/kvtest"
)

func TestWhatTheBotLacksIsSaidToWhoActs(t *testing.T) {
	l := ready(t)
	with := func(permissions string, kind int) string {
		return l.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1}, func(i map[string]any) {
			i["app_permissions"] = permissions
			i["channel"] = map[string]any{"id": room0, "type": kind}
		})
	}
	all := with("309237746688", 0)
	l.answered(with("1024", 0))
	l.posted("POST interactions/", "I need **Send Messages**")
	l.answered(with("34816", int(discordgo.ChannelTypeGuildPublicThread))) // those two are not enough in a thread
	l.posted("POST interactions/", "View Channel and Send Messages in Threads")
	l.answered(with("8", 0)) // an administrator may do everything
	l.answered(all)
	if n := l.count("POST interactions/", "nobody else can see"); n != 2 {
		t.Errorf("warned %d times", n)
	}
}

func TestTheGameGoesOnPrivatelyWhereTheBotMayNotWriteAnyMore(t *testing.T) {
	l, thread := inGame(t)
	faults := 3
	l.deny(forbidden, "POST channels/"+room0+"/", "POST channels/"+thread+"/")
	l.Lock()
	denied := l.Refuse
	l.Refuse = func(c call) *refusal {
		if c.Has("users/@me/channels") && faults > 0 {
			faults--
			return refused(500, nil, `{"message":"500","code":0}`)
		}
		return denied(c)
	}
	l.Unlock()
	l.answered(l.Slash(thread, alice, "move", "move=f3"))
	for _, w := range []who{alice, bob} {
		l.posted("POST channels/7"+w.ID, "I can't post in <#"+room0+">", "Send Messages")
		l.posted("POST channels/7"+w.ID, "1. f3", "board.png")
	}
}

func TestWithoutTheHistoryTheBotAnswersPlainly(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1000, *refused(403, nil, `{"message":"Cannot reply without permission to read message history","code":160002}`), "message_reference")
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
}

func TestAThreadIsWaitedForALittle(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1, *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":false}`), "/threads")
	l := live(t, f, &kvtest.Disk{})
	l.posted("channels/"+l.begun()+"/messages", "board.png")
}

func TestAPanicIsAnswered(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) {
		broken := a.bot.Services
		broken.Users = nil
		a.bot = bot.New(broken, a.log, "")
	})
	l.Ready()
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "went wrong")
	l.answered(l.Slash(room0, alice, "version"), "went wrong")
}
