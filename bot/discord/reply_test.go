package discord

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

// among is a chat of alice and bob in which the bot is not.
const among = fake.Private

// toAll waits for an answer to an interaction that everyone sees.
func (l *life) toAll(interaction string, parts ...string) {
	l.t.Helper()
	c := l.Posted(append([]string{"token" + interaction}, parts...)...)
	if strings.Contains(c.Text, `"flags": 6`) {
		l.t.Errorf("only the asker sees %s", c.Text)
	}
}

// begunAmong begins a game of chess in a private chat: alice plays White.
func (l *life) begunAmong() {
	l.t.Helper()
	l.Ready()
	for !l.chat.speaks.Load() { // or interactions would be handed over to the process that speaks
		runtime.Gosched()
	}
	l.toAll(l.Slash(among, alice, "challenge", "opponent=@bob", "game=chess", "colour=white", "days=2"), "alice challenges <@12>", "Accept")
	l.toAll(l.Press(among, bob, l.buttonOf("Accept")), "board.png", "<@11>", "<@12>", "Move")
}

func TestTwoFriendsPlayInTheirPrivateChatWithoutTheBot(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.begunAmong()
	for i, text := range []string{"f3", "e5"} {
		l.toAll(l.Slash(among, []who{alice, bob}[i], "move", "move="+text), "/callback", "board.png", []string{"1. f3", "1… e5"}[i], "<@"+[]string{bob.ID, alice.ID}[i]+">")
	}
	picking := l.Press(among, alice, l.buttonOf("Move"))
	l.answered(picking, `"flags": 6`)
	piece := l.buttonOf("g2")
	piece.Made = picking
	l.Press(among, alice, piece)
	target := l.buttonOf("g4")
	target.Made = picking
	l.Press(among, alice, target)
	confirm := l.buttonOf("Confirm")
	confirm.Made = picking
	l.toAll(l.Press(among, alice, confirm), "board.png", "2. g4")
	l.posted("DELETE webhooks/" + fake.DiscordID + "/token" + picking + "/messages/@original")
	l.answered(l.Slash(among, alice, "move", "move=Qd2"), "bob is thinking", `"flags": 6`)
	l.toAll(l.Slash(among, bob, "move", "move=Qh4"), "wins by checkmate", "Rematch")
	l.toAll(l.Press(among, bob, l.buttonOf("Rematch")), "bob challenges <@11>")
	l.none("requests were made to a channel in which the bot is not", "channels/"+among)
	l.answered(l.Slash(among, alice, "help"), "I can only answer")
	l.answered(l.Slash(among, alice, "board", "game=#1"), `"flags": 6`, "Show everyone")
}

func TestWhatHappensBetweenAnswersIsToldPrivately(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.begunAmong()
	l.chat.newest.Purge() // a quarter of an hour has passed
	l.Say("6"+alice.ID, alice, "#1 e4")
	l.posted("POST channels/6"+alice.ID+"/messages", "1. e4", "board.png")
	l.posted("POST channels/7"+bob.ID+"/messages", "1. e4", "board.png")
	l.posted("POST channels/7"+bob.ID+"/messages", "what happens there in between")
	l.toAll(l.Slash(among, bob, "move", "move=e5"), "/callback", "1… e5")
}

func TestWhatReachesNotAllWaitsForTheNextAnswer(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1000, *refused(403, nil, `{"message":"Cannot send messages to this user due to having no mutual guilds","code":50278}`), "POST channels/7"+bob.ID)
	l := live(t, f, &kvtest.Disk{})
	l.begunAmong()
	l.chat.newest.Purge()
	l.Say("6"+alice.ID, alice, "#1 e4")
	l.posted("POST channels/6"+alice.ID+"/messages", "1. e4", "board.png")
	shown := l.Slash(among, bob, "games")
	l.answered(shown, "Chess", `"flags": 6`)
	l.toAll(shown, "POST webhooks/", "1. e4", "board.png")
	l.toAll(l.Slash(among, bob, "move", "move=e5"), "1… e5")
	if strings.Contains(l.log.String(), "cannot be said") {
		t.Error("something is reported as lost")
	}
}

func TestAnAnswerToAllComesOnceOverAKillAndACut(t *testing.T) {
	disk := &kvtest.Disk{}
	f := newFake(t)
	l := live(t, f, disk, func(a *Adapter) { a.pace.first = time.Second })
	l.begunAmong()
	l.killedAt(func() { l.Slash(among, alice, "move", "move=e4") }, "/callback", "1. e4")
	f.End()
	l = live(t, f, disk)
	l.Ready()
	l.toAll(l.Slash(among, bob, "move", "move=e5"), "1… e5")
	if n := l.count("1. e4", "board.png"); n != 1 {
		t.Errorf("the move was shown %d times", n)
	}
}

func TestAServerWithoutTheBotIsAnsweredToo(t *testing.T) {
	l := ready(t)
	f := l.double
	f.refuseTimes(1000, *refused(403, nil, `{"code":50001,"message":"Missing Access"}`), "channels/")
	alone := func(i map[string]any) {
		i["authorizing_integration_owners"] = map[string]any{"1": alice.ID}
		i["app_permissions"] = "0"
	}
	id := l.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1}, alone)
	l.toAll(id, "looking for an opponent", "Join")
	id = l.Interact(room0, bob, isComponent, map[string]any{"custom_id": l.buttonOf("Join").Data, "component_type": 2}, alone)
	l.toAll(id, "board.png")
	l.none("requests were made to a channel in which the bot is not", "channels/"+room0)
}

func TestWhatIsPromisedToWhoPressesDoesNotHoldUpWhatEveryoneHears(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.ack = 0 })
	l.begunAmong()
}
