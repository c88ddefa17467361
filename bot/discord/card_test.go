package discord

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/storage/kv/kvtest"
)

func TestAChallengeMessageTellsWhatBecameOfIt(t *testing.T) {
	disk := &kvtest.Disk{}
	f := newFake(t)
	l := live(t, f, disk)
	challenge := func(options ...string) string {
		before := l.count("POST channels/"+room0+"/messages ", "challenges <@12>")
		l.answered(l.Slash(room0, alice, "challenge", append(options, "opponent=@bob", "game=chess", "colour=white")...))
		l.Wait("a challenge", func() bool {
			n := 0
			for _, c := range l.Calls {
				if c.Has("POST channels/"+room0+"/messages ", "challenges <@12>") {
					n++
				}
			}
			return n > before
		})
		return l.posted("POST channels/"+room0+"/messages ", "challenges <@12>")
	}
	said := func(message, outcome string) {
		t.Helper()
		l.posted("PATCH channels/"+room0+"/messages/"+message, `"components": []`, "challenges <@12>", `\n**`+outcome+"**")
	}
	l.Ready()
	message := challenge()
	l.Slash(room0, bob, "decline")
	said(message, "Declined")
	message = challenge()
	l.Slash(room0, alice, "cancel")
	said(message, "Withdrawn")
	message = challenge()
	if l.count("declines challenge")+l.count("withdraws challenge") > 0 {
		t.Error("it was said again in a message of its own")
	}
	l.stopped()
	f.End()
	l = live(t, f, disk)
	l.Ready()
	l.Slash(room0, bob, "accept")
	said(message, "Accepted")
	l.posted("PATCH channels/"+room0+"/messages/"+message, "<#"+message+">")
	for _, w := range []who{alice, bob} {
		l.posted("PUT channels/" + message + "/thread-members/" + w.ID)
		l.posted("POST channels/"+message+"/messages", "board.png", "<@"+w.ID+">", `"`+w.ID+`"`)
	}
}

func TestAChallengeThatIsNotFoundOnlyLosesItsButtons(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1000, *refused(404, nil, `{"message":"Unknown Message","code":10008}`), "GET channels/"+room0+"/messages/")
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess"))
	message := l.posted("POST channels/"+room0+"/messages", "challenges <@12>")
	l.Slash(room0, bob, "decline")
	l.posted("PATCH channels/"+room0+"/messages/"+message, `"components": []`, `"content": "**Declined**."`)
}

func TestWhatBecameOfAChallengeIsPostedWhereItCannotBeEdited(t *testing.T) {
	f := newFake(t)
	f.refuseTimes(1000, *refused(403, nil, `{"message":"Missing Access","code":50001}`), "PATCH channels/"+room0+"/messages/")
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess"))
	l.posted("POST channels/"+room0+"/messages", "challenges <@12>")
	l.Slash(room0, bob, "decline")
	l.posted("POST channels/"+room0+"/messages", "bob declines challenge #1")
}

func TestWhoHasChallengedPrivatelyIsToldThatItWasDeclined(t *testing.T) {
	l := ready(t)
	private := func(m map[string]any) { delete(m, "guild_id") }
	l.Say("602", bob, "hello", private)
	l.posted("POST channels/602/messages")
	l.Say("601", alice, "challenge <@12> chess", private)
	l.posted("POST channels/602/messages", "alice challenges")
	l.Say("602", bob, "decline", private)
	l.posted("PATCH channels/602/messages", "**Declined**")
	l.posted("POST channels/601/messages", "bob declines challenge #1")
}

func TestWithoutEmbedLinksNoWordOfAChallengeOrABoardIsLost(t *testing.T) {
	f := newFake(t)
	f.Deny = discordgo.PermissionEmbedLinks
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	thread := l.posted("POST channels/"+room0+"/messages ", "<@12>", `"custom_id": "join`)
	l.posted("PATCH channels/"+room0+"/messages/"+thread, `"content": "#1: alice challenges <@12>`)
	l.Slash(room0, bob, "accept")
	l.posted("PATCH channels/"+room0+"/messages/"+thread, `"content": "#1: alice challenges <@12>`, `\n**Accepted**`)
	l.posted("PATCH channels/"+thread+"/messages/", "**Chess #1**")
	l.Say(thread, alice, "f3")
	l.posted("POST channels/"+thread+"/messages", "**1. f3**", "board.png", `"embeds": []`)
	l.Say(room0, alice, "<@999> challenge chess")
	l.posted("POST channels/"+room0+"/messages", "alice is looking for an opponent", `"embeds": []`)
}

func TestTheLobbyListsWhatIsOpenInOtherChannels(t *testing.T) {
	l := ready(t)
	const elsewhere = "505"
	l.Slash(room0, alice, "challenge", "game=stealth", "days=2")
	challenge := l.posted("POST channels/"+room0+"/messages ", "looking for an opponent")
	l.answered(l.Slash(elsewhere, bob, "lobby"), "#1 challenge from alice: **Stealth Bomber Chess**", `"custom_id": "join 1 -"`)
	l.answered(l.Slash(elsewhere, alice, "lobby", "game=stealth"), "Nobody is looking for an opponent here")
	l.Press(elsewhere, bob, pressable{Message: challenge, Data: "join 1 -", Flags: 64})
	l.posted("to move by")
}
