package discord

import (
	"fmt"
	"testing"
	"time"
)

// shut lets Discord refuse the bot's words in some channels, and counts what it refuses.
func (f *double) shut(no map[string]refusal) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = func(c call) *refusal {
		for channel, no := range no {
			if c.Has("POST channels/" + channel + "/messages") {
				f.refused++
				return &no
			}
		}
		return nil
	}
}

var notToThisPerson = *refused(403, nil, `{"message":"Cannot send messages to this user","code":50007}`)

func TestAFloodWhereTheBotMayNotAnswerStopsNobodyElse(t *testing.T) {
	l, thread := inGame(t)
	const elsewhere = "502"
	l.shut(map[string]refusal{elsewhere: forbidden, "7" + carol.ID: notToThisPerson})
	for i := range 600 {
		l.Say(elsewhere, carol, fmt.Sprint("<@999> help ", i))
	}
	l.Say("503", carol, "<@999> version") // has waited for all that
	for i, move := range []string{"f3", "e5", "g4"} {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+move))
		l.posted("POST channels/"+thread+"/messages", "board.png", move)
	}
	l.Say(elsewhere, alice, "<@999> help")
	l.posted("POST channels/7"+alice.ID, "<#"+elsewhere+">", "Send Messages")
	l.Lock()
	defer l.Unlock()
	if l.refused > 2 {
		t.Errorf("Discord has refused %d requests", l.refused)
	}
}

func TestWhoWritesInManyRoomsWithoutAnAnswerIsNotAnsweredForAWhile(t *testing.T) {
	l := ready(t)
	all := map[string]refusal{"7" + carol.ID: notToThisPerson}
	const rooms = 60
	for i := range rooms {
		all[fmt.Sprint(5100+i)] = forbidden
	}
	l.shut(all)
	inServer := func(m map[string]any) { m["guild_id"] = server }
	for i := range rooms {
		l.Say(fmt.Sprint(5100+i), carol, "<@999> help", inServer)
	}
	l.Wait("an end", func() bool { return l.chat.tired(carol.ID, ofPerson) })
	l.Say("5100", alice, "<@999> help", inServer)
	l.posted("POST channels/7"+alice.ID, "<#5100>", "Send Messages")
	if l.chat.tired(server, ofServer) {
		t.Error("the server was not the one")
	}
	l.answered(l.Slash("5100", carol, "version"), "Chimera")
}

func TestWhatWasRefusedIsTriedAgainWhenPermissionsChange(t *testing.T) {
	l := ready(t)
	l.shut(map[string]refusal{room0: forbidden})
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/7"+alice.ID, "Send Messages")
	l.shut(nil)
	l.Say(room0, bob, "<@999> version")
	l.posted("POST channels/7"+bob.ID, "Send Messages")
	l.Lock()
	l.Dispatch("CHANNEL_UPDATE", map[string]any{"id": room0, "guild_id": server, "type": 0})
	l.Unlock()
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
	l.shut(map[string]refusal{"7" + carol.ID: notToThisPerson})
	l.Say(room0, carol, "<@999> mydata")
	l.posted("POST channels/"+room0, "Use the slash command instead")
	l.shut(nil)
	l.Say("7"+carol.ID, carol, "version")
	l.posted("POST channels/7"+carol.ID, "Chimera")
	l.chat.known.Add(room0, denial{errCard, time.Now().Add(-l.chat.pace.refused)})
	if l.chat.refused(room0) != nil {
		t.Error("it is refused for ever")
	}
}

func TestEveryChangeOfPermissionsEndsWhatWasRefusedBeforeThoughNotAtOnce(t *testing.T) {
	a := &Adapter{pace: usual(), refusals: refusals{known: cache[denial]()}}
	for range 3 {
		a.refuse(room0, errCard)
		if a.pace.denied = time.Hour; a.refused(room0) == nil {
			t.Error("it is asked again though nothing has changed")
		}
		a.forgive()
		if a.refused(room0) == nil {
			t.Error("by changing them all the time one is not refused any more")
		}
		if a.pace.denied = 0; a.refused(room0) != nil {
			t.Error("it is refused though permissions have changed")
		}
	}
}

func TestManyWhoWriteInOneClosedRoomDoNotTireTheServer(t *testing.T) {
	l := ready(t)
	l.shut(map[string]refusal{"5100": forbidden})
	inServer := func(m map[string]any) { m["guild_id"] = server }
	for i := range 3 {
		by := []who{alice, bob, carol}[i]
		l.Say("5100", by, "<@999> version", inServer)
		l.posted("POST channels/7"+by.ID, "Send Messages")
	}
	once := &Adapter{refusals: refusals{spent: cache[time.Time]()}}
	once.tire(server, ofServer)
	want, _ := once.spent.Get(server)
	if got, _ := l.chat.spent.Get(server); got.Sub(want) > ofServer.Every/2 {
		t.Error("the server is tired by what Discord was not asked")
	}
}
