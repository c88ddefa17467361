package discord

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/storage/kv/kvtest"
)

// refuseOnce refuses the first request with these parts.
func (f *double) refuseOnce(no refusal, parts ...string) {
	f.refuseTimes(1, no, parts...)
}

// refuseTimes refuses a number of requests with these parts.
func (f *double) refuseTimes(times int, no refusal, parts ...string) {
	f.Look(func(c call) *refusal {
		if times > 0 && c.Has(parts...) {
			times--
			f.refused++
			return &no
		}
		return nil
	})
}

// refusing is a bot whose Discord refuses a number of requests with these parts from the beginning.
func refusing(t *testing.T, times int, no refusal, parts ...string) *life {
	t.Helper()
	f := newFake(t)
	f.refuseTimes(times, no, parts...)
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	return l
}

func TestRefusalsThatPass(t *testing.T) {
	for name, no := range map[string]refusal{
		"429":             *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":false}`),
		"429, global":     *refused(429, map[string]string{"X-RateLimit-Global": "true", "Retry-After": "0.02"}, `{"message":"slow","retry_after":0.02,"global":true}`),
		"429, a page":     *refused(429, map[string]string{"Content-Type": "text/html", "Retry-After": "0.02"}, `<html>1015</html>`),
		"403, a page":     *refused(403, map[string]string{"Content-Type": "text/html", "Retry-After": "0.02"}, `<html>1015</html>`),
		"500":             *refused(500, nil, `{"message":"500","code":0}`),
		"502, a page":     *refused(502, map[string]string{"Content-Type": "text/html"}, `<html>bad gateway</html>`),
		"503":             *refused(503, nil, ``),
		"headers of none": *refused(200, map[string]string{"X-RateLimit-Remaining": "x", "X-RateLimit-Reset-After": "y", "X-RateLimit-Reset": "z"}, `{"id":"77"}`),
	} {
		t.Run(name, func(t *testing.T) {
			l, thread := inGame(t)
			l.refuseOnce(no, "POST channels/"+thread+"/messages")
			l.answered(l.Slash(thread, alice, "move", "move=f3"))
			l.Wait("the first board", func() bool { return l.refused > 0 })
			if no.Status != http.StatusOK {
				l.posted("POST channels/"+thread+"/messages", "1. f3")
			}
			l.answered(l.Slash(thread, bob, "move", "move=e5"))
			l.posted("POST channels/"+thread+"/messages", "1… e5")
			if n := l.count("POST channels/"+thread+"/messages", "1. f3"); n > 1 {
				t.Errorf("said %d times", n)
			}
		})
	}
}

func TestAnswersThatAreRefusedAreTriedAgain(t *testing.T) {
	l := ready(t)
	l.refuseTimes(2, *refused(500, nil, `{"message":"500","code":0}`), "POST interactions/")
	l.answered(l.Slash(room0, alice, "version"), "Chimera")
	l.refuseOnce(*refused(503, nil, ``), "POST channels/"+room0)
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
}

func TestAnswersAreTriedForAsLongAsDiscordWaits(t *testing.T) {
	l := ready(t)
	l.refuseTimes(8, *refused(500, nil, `{"message":"500","code":0}`), "POST interactions/")
	l.answered(l.Slash(room0, alice, "version"), "Chimera")
	l.refuseTimes(8, *refused(503, nil, ``), "POST interactions/")
	l.answered(l.Interact(room0, alice, isAutocomplete, typing("help", "command", "tak")), "takeback")
	q := &reply{a: l.chat, i: &interaction{ID: "1", Token: "t"}, at: time.Now().Add(-time.Hour)}
	tries := 0
	l.Look(func(c call) *refusal {
		tries++
		return refused(500, nil, `{"message":"500","code":0}`)
	})
	q.first(t.Context(), replied, discordgo.InteractionResponseChannelMessageWithSource, nil, &post{})
	l.Lock()
	defer l.Unlock()
	if tries != 1 {
		t.Errorf("what is too late was tried %d times", tries)
	}
}

func TestThePageOfAProxyIsNotInTheLog(t *testing.T) {
	l := ready(t)
	page := "<html>" + strings.Repeat("<p>bad gateway</p>\n", 500)
	l.refuseTimes(1000, *refused(502, map[string]string{"Content-Type": "text/html"}, page), "GET guilds/")
	l.Say(room0, alice, "<@999> settings here days 2")
	l.posted("POST channels/"+room0, "manage")
	_ = l.stop() // it was cut off
	if log := l.log.String(); !strings.Contains(log, "502") || strings.Count(log, "bad gateway") > 30 {
		t.Error(log)
	}
}

func TestWhatTakesLongIsPromised(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.ack = 20 * time.Millisecond })
	l.Ready()
	l.posted("PUT applications")
	hold := make(chan struct{})
	l.under(func() { l.Hold = hold })
	l.Say(room0, alice, "<@999> settings here days 2") // asks who she is, which takes long
	id := l.Slash(room0, alice, "version")
	l.answered(id, `"type": 5`, `"flags": 64`)
	press := l.Press(room0, alice, pressable{Data: "flip 7 0", Message: "1"})
	l.answered(press, `"type": 6`)
	l.under(func() { l.Hold = nil })
	close(hold)
	l.posted("PATCH webhooks/999/token"+id+"/messages/@original", "Chimera")
	l.posted("POST webhooks/999/token"+press, "no game #7", `"flags": 68`)
}

func TestAChannelInWhichOldMessagesCannotBeEditedIsLeftAlone(t *testing.T) {
	l, thread := inGame(t)
	tries := 0
	l.Look(func(c call) *refusal {
		if c.Has("PATCH channels/" + thread + "/messages/") {
			tries++
			l.Calls = append(l.Calls, c)
			return refused(429, nil, `{"message":"Maximum number of edits to messages older than 1 hour reached","retry_after":0.001,"global":false,"code":30046}`)
		}
		return nil
	})
	for i, move := range []string{"f3", "e5", "g4", "a6", "a3"} {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+move))
		l.posted("PATCH channels/" + thread + "/messages/")
	}
	l.posted("3. a3", "board.png")
	l.Lock()
	defer l.Unlock()
	if tries != 1 {
		t.Errorf("tried %d times", tries)
	}
}

// shut lets Discord refuse the bot's words in some channels, and counts what it refuses.
func (f *double) shut(no map[string]refusal) {
	f.Look(func(c call) *refusal {
		for channel, no := range no {
			if c.Has("POST channels/" + channel + "/messages") {
				f.refused++
				return &no
			}
		}
		return nil
	})
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
	l.under(func() { l.Dispatch("CHANNEL_UPDATE", map[string]any{"id": room0, "guild_id": server, "type": 0}) })
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
	a := &Adapter{pace: usual(), known: cache[denial]()}
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
	once := &Adapter{spent: cache[time.Time]()}
	once.tire(server, ofServer)
	want, _ := once.spent.Get(server)
	if got, _ := l.chat.spent.Get(server); got.Sub(want) > ofServer.Every/2 {
		t.Error("the server is tired by what Discord was not asked")
	}
}

func TestOnlySoManyOldMessagesWaitToLoseTheirButtons(t *testing.T) {
	var a Adapter
	a.sweeping.Store(maxSweeps)
	a.sweep(room0, adapter.Ref{Channel: room0, ID: "1"}, "")
	if waiting := a.sweeping.Load(); waiting != maxSweeps {
		t.Errorf("%d wait", waiting)
	}
}
