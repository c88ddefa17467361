package discord

import (
	"testing"

	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

func TestAGameAgainstTheBotByCommands(t *testing.T) {
	l := ready(t)
	l.dismissed(l.Slash(room0, alice, "play", "game=chess", "level=1", "colour=black"))
	thread := l.posted("POST channels/"+room0+"/threads", "Chimera 1 – alice: Chess #1")
	l.posted("POST channels/"+thread+"/messages", "Chimera 1 (White) vs alice (Black)", "**1. ", "no time limit", "just learned the moves")
	l.dismissed(l.Slash(thread, alice, "move", "move=e5"))
	l.posted("POST channels/"+thread+"/messages", "**2. ", "<@11>")
	l.Slash(thread, alice, "takeback")
	l.posted("POST channels/"+thread+"/messages", "Takeback accepted: 2 half-moves undone.", "**1. ")
	l.Slash(thread, alice, "draw")
	l.posted("POST channels/"+thread+"/messages", "Chimera 1 declines the draw")
	l.Slash(thread, alice, "resign")
	l.Slash(thread, alice, "resign")
	l.posted("POST channels/"+thread+"/messages", "Chimera 1 wins by resignation", "Rematch")
	if n := l.count("POST channels/" + thread + "/messages"); n > 6 { // one more where the bot thought for long
		t.Errorf("%d messages tell of it", n)
	}
	rematch := l.Press(thread, alice, l.buttonOf("Rematch"))
	again := l.posted("POST channels/"+room0+"/threads", "Chess #2")
	l.posted("POST", rematch, "You'll find it in <#"+again+">")
}

func TestAGameAgainstTheBotByButtons(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash(room0, alice, "help"), "Play me")
	l.Press(room0, alice, l.buttonOf("Play me"))
	thread := l.posted("POST channels/"+room0+"/threads", "Chimera 3 – alice: Combine Chess #1")
	l.posted("POST channels/"+thread+"/messages", "Chimera 3 (White) vs alice (Black)", "casual player", "Move")
	l.answered(l.Press(thread, alice, l.buttonOf("More")), "Legal moves", "Back")
	l.none("the form for conditional moves is offered, though the bot answers at once", "Conditional moves")
	l.Say(thread, alice, "e5")
	l.posted("POST channels/"+thread+"/messages", "**2. ") // with what comes before it, where it comes soon
	for range 2 {
		l.Slash(room0, alice, "play")
	}
	l.posted("POST channels/"+room0+"/threads", "#3")
	l.answered(l.Slash(room0, alice, "play"), "You already have 3 games against me in progress")
	if err := l.store.Check(t.Context(), func(fault string) { t.Error(fault) }); err != nil {
		t.Fatal(err)
	}
}

func TestWhoeverChallengesTheBotPlaysIt(t *testing.T) {
	l := ready(t)
	me := fake.User{ID: fake.DiscordID, Name: "Chimera"}
	mention := "<@" + me.ID + ">"
	named := func(m map[string]any) { m["mentions"] = []any{me.Told()} }
	l.Say(room0, alice, "challenge "+mention+" chess white", named)
	l.posted("POST channels/", "Chess #1", "alice (White) vs Chimera 3 (Black)")
	l.Say(room0, alice, mention+" challenge "+mention+" stealth white rated", named)
	l.posted("POST channels/"+room0+"/messages", "Games against me are unrated and have no time limit")
	data := map[string]any{
		"id": "1", "name": menuChallenge, "type": 2, "target_id": me.ID, "resolved": map[string]any{"users": map[string]any{me.ID: me.Told()}},
	}
	l.Interact(room0, bob, isCommand, data)
	l.posted("POST channels/", "Combine Chess #2", "Chimera 3 (White) vs bob (Black)")
}

func TestAChallengeThatNobodyJoinsForAnHourOffersTheBotOnItsMessage(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Ready()
	l.Slash(room0, alice, "challenge", "game=stealth", "colour=black")
	challenge := l.posted("POST channels/"+room0+"/messages", "looking for an opponent", "Join")
	l.stopped()
	l = live(t, f, disk)
	l.Ready()
	fake.Forsaken(t, l.store, l.chat.bot.Maintenance)
	l.posted("PATCH channels/"+room0+"/messages/"+challenge, "Join", "Cancel", "Play me")
	instead := l.buttonOf("Play me")
	l.answered(l.Press(room0, bob, instead), "Challenge #1 isn't yours")
	l.answered(l.Press(room0, alice, instead), `"type": 6`)
	thread := l.posted("POST channels/"+room0+"/messages/"+challenge+"/threads", "Stealth Bomber Chess #1")
	l.posted("POST channels/"+thread+"/messages", "Chimera 3 (White) vs alice (Black)", "no time limit")
	l.posted("PATCH channels/"+room0+"/messages/"+challenge, `"components": []`, "played in")
	l.answered(l.Slash(room0, bob, "accept", "game=#1"), "You have no challenge")
	if n := l.count("POST channels/" + room0 + "/messages "); n != 1 {
		t.Errorf("%d messages stand in the channel", n)
	}
}
