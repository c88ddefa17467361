package discord

import (
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/fake"
	"chimera/storage/kv/kvtest"
)

var gone = *refused(404, nil, `{"message":"Unknown Channel","code":10003}`)

var forbidden = *refused(403, nil, `{"message":"Missing Permissions","code":50013}`)

func TestAGameInTheChannelWhereThreadsCannotBe(t *testing.T) {
	for name, no := range map[string]refusal{
		"not permitted":  forbidden,
		"too many":       *refused(400, nil, `{"message":"Maximum number of active threads reached","code":160006}`),
		"not of threads": *refused(400, nil, `{"message":"Cannot execute action on this channel type","code":50024}`),
	} {
		t.Run(name, func(t *testing.T) {
			l := refusing(t, 1000, no, "/threads")
			l.begun()
			l.posted("POST channels/"+room0+"/messages", "board.png")
			l.Say(room0, alice, "good luck")
			l.Say(room0, alice, "f3")
			l.posted("POST channels/"+room0+"/messages", "1. f3")
			l.Say(room0, alice, "g4") // not hers to move, so it is talk
			l.Say(room0, bob, "e5")
			l.posted("POST channels/"+room0+"/messages", "1… e5")
			l.none("answers to talk", "message_reference")
		})
	}
}

func TestThreadsOff(t *testing.T) {
	l := ready(t)
	l.Say(room0, alice, "<@999> settings here threads off")
	l.posted("Threads for games: off.")
	l.begun()
	l.posted("POST channels/"+room0+"/messages", "board.png")
	l.none("a thread was opened", "POST", "/threads")
}

func TestAChallengeThatIsGoneLeavesAThreadOfItsOwn(t *testing.T) {
	l := refusing(t, 1, *refused(404, nil, `{"message":"Unknown Message","code":10008}`), "POST", "/messages/", "/threads")
	l.begun()
	l.posted("POST channels/"+room0+"/threads", `"type": 11`)
}

func TestAThreadThatIsDeleted(t *testing.T) {
	l, thread := inGame(t)
	l.under(func() {
		l.Dispatch("THREAD_DELETE", map[string]any{"id": thread, "parent_id": room0, "guild_id": server, "type": 11})
	})
	l.Say(thread, carol, "<@999> version") // handled after the thread was
	l.posted("Chimera")
	l.Say(room0, alice, "f3")
	l.posted("POST channels/"+room0+"/messages", "1. f3")
}

func TestAThreadThatTurnsOutToBeGone(t *testing.T) {
	l, thread := inGame(t)
	l.refuseTimes(1000, gone, "channels/"+thread)
	l.Say(thread, alice, "f3")
	l.posted("POST channels/"+room0+"/messages", "1. f3")
}

func TestAThreadThatIsLockedIsOpenedAgain(t *testing.T) {
	l, thread := inGame(t)
	l.refuseOnce(*refused(400, nil, `{"message":"Thread is archived","code":50083}`), "POST channels/"+thread+"/messages")
	l.Say(thread, alice, "f3")
	l.posted("PATCH channels/"+thread+" ", `"archived": false`)
	l.posted("POST channels/"+thread+"/messages", "1. f3")
}

func TestAChannelThatIsGoneIsToldPrivately(t *testing.T) {
	l := ready(t)
	for _, w := range []struct {
		room string
		who  who
	}{{"601", alice}, {"602", bob}} {
		l.Say(w.room, w.who, "version")
		l.posted("POST channels/"+w.room, "Chimera")
	}
	thread := l.begun()
	l.deny(gone, "channels/"+room0, "channels/"+thread)
	l.Slash(thread, alice, "move", "move=f3")
	l.posted("POST channels/602/messages", "1. f3")
}

func TestAChannelThatIsDeletedIsToldPrivately(t *testing.T) {
	l, thread := inGame(t)
	l.deny(gone, "channels/"+room0, "channels/"+thread)
	l.under(func() { l.Dispatch("CHANNEL_DELETE", map[string]any{"id": room0, "guild_id": server, "type": 0}) })
	for _, w := range []who{alice, bob} {
		l.posted("POST channels/7"+w.ID, "is gone")
	}
	l.answered(l.Slash("502", alice, "move", "move=f3", "game=#1"))
	l.posted("POST channels/7"+bob.ID, "1. f3", "board.png", "Your move (Black)")
}

func TestAChallengeMadePrivatelyReachesWhoIsMeant(t *testing.T) {
	l := ready(t)
	l.Slash("601", alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	l.posted("POST channels/7"+bob.ID, "alice challenges <@12>", "Accept")
	l.Press("7"+bob.ID, bob, l.buttonOf("Accept"))
	l.posted("POST channels/7"+bob.ID, "board.png")
	l.posted("POST channels/601", "board.png", `\nYour move (White)`)
	l.refuseTimes(1000, *refused(403, nil, `{"message":"Cannot send messages to this user","code":50007}`), "users/@me/channels")
	l.answered(l.Slash("601", alice, "challenge", "opponent=@carol"), "tell carol about")
}

func TestBotsDoNotPlay(t *testing.T) {
	l := ready(t)
	l.answered(l.Interact(room0, alice, isCommand, map[string]any{
		"name": menuChallenge, "type": 2, "target_id": "77",
		"resolved": map[string]any{"users": map[string]any{"77": map[string]any{"id": "77", "username": "tool", "bot": true}}},
	}), "is a bot")
}

func TestOddOptionsAreNamed(t *testing.T) {
	l, thread := inGame(t)
	l.answered(l.Slash(thread, alice, "move", "move=e4", "game=zzz"), "by its number")
	l.answered(l.Slash(thread, alice, "version", "unknown=yes"))
	l.answered(l.Interact(room0, alice, isCommand, setting("mine", "value=night")), "Choose the name")
}

func TestARematchThatIsDeclinedIsDeclinedInTheThread(t *testing.T) {
	l, thread := inGame(t)
	resign := l.buttonOf("Resign")
	l.Press(thread, bob, resign)
	l.Press(thread, bob, l.buttonOf("Yes"))
	l.posted("POST channels/"+thread+"/messages", "wins by resignation")
	l.Press(thread, alice, l.buttonOf("Rematch"))
	offer := l.posted("POST channels/"+thread+"/messages", "alice challenges <@12>", "#2")
	l.Press(thread, bob, l.buttonOf("Decline"))
	l.posted("PATCH channels/"+thread+"/messages/"+offer, "**Declined**")
}

func TestAVacationIsToldInTheThreadToTheOpponent(t *testing.T) {
	l, thread := inGame(t)
	l.Slash(room0, alice, "vacation", "days=2")
	l.posted("POST channels/"+thread+"/messages", "<@12>: alice is on vacation", "#1", `"12"`)
	l.Slash(room0, alice, "vacation", "days=0")
	l.posted("POST channels/"+thread+"/messages", "<@12>: alice is back", "#1", `"12"`)
}

func TestGamesInOneRoomAndItsThreads(t *testing.T) {
	l := ready(t)
	l.Say(room0, alice, "<@999> settings here rooms not-here")
	l.posted("Games can start everywhere here.")
	l.Say(room0, alice, "<@999> settings here rooms here")
	l.posted("Where games start: here.")
	within := func(i map[string]any) {
		i["channel"] = map[string]any{"id": "5011", "type": discordgo.ChannelTypeGuildPublicThread, "parent_id": room0}
	}
	challenge := map[string]any{"name": "challenge", "type": 1, "options": openChallenge}
	l.dismissed(l.Interact("5011", alice, isCommand, challenge, within))
	l.answered(l.Interact("502", alice, isCommand, challenge), "other channels")
	l.Say(room0, alice, "<@999> settings here rooms not-here")
	l.posted("the only place")
}

func TestPrivately(t *testing.T) {
	l := ready(t)
	l.Say("601", alice, "challenge chess white")
	l.posted("POST channels/601/messages", "is looking for an opponent", "Send your opponent", "Cancel")
	l.Say(room0, alice, "<@999> mydata")
	l.posted("POST channels/7"+alice.ID+"/messages", "mydata.json")
	l.posted("POST channels/"+room0, "sent it to you in our private chat")
	l.refuseTimes(1000, *refused(403, nil, `{"message":"Cannot send messages to this user","code":50007}`), "users/@me/channels")
	l.Say(room0, bob, "<@999> mydata")
	l.Say(room0, bob, "<@999> mydata")
	l.posted("POST channels/"+room0, "Use the slash command instead")
	l.Say(room0, bob, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
	l.under(func() {
		if l.refused != 1 {
			t.Errorf("Discord has refused it %d times", l.refused)
		}
	})
	l.answered(l.Slash(room0, alice, "mydata"), "mydata.json", `"flags": 68`)
}

func TestWhatIsSuggested(t *testing.T) {
	l := ready(t)
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=combine", "colour=white", "rated=false")
	l.Slash(room0, bob, "accept")
	thread := l.posted("POST", "/threads")
	l.posted("board.png")
	for _, c := range []struct {
		room                  string
		who                   who
		command, option, text string
		want                  string
	}{
		{thread, alice, "move", "move", "", `~`},
		{thread, alice, "move", "move", "nf", `"value": "Nf3"`},
		{thread, alice, "move", "move", "f3", `"name": "f3 – Pawn from f2 to f3."`},
		{thread, alice, "move", "move", "1. knight F", `"value": "Nf3"`},
		{room0, alice, "move", "move", "n f", `"value": "Nf3"`},
		{room0, bob, "move", "move", "e", "It isn't your turn in #1: alice"},
		{thread, bob, "move", "move", "zzz", "It isn't your turn in #1: alice"},
		{room0, alice, "resign", "game", "bob", `"value": "#1"`},
		{room0, carol, "resign", "game", "", `"choices": []`},
		{room0, alice, "how", "piece", "rook-kn", `"value": "rook-knight"`},
		{room0, alice, "how", "game", "stealth", `"value": "stealth"`},
		{room0, alice, "help", "command", "tak", `"value": "takeback"`},
		{room0, alice, "nonsense", "nonsense", "x", `"choices": []`},
	} {
		found := l.Posted("POST interactions/"+l.Interact(c.room, c.who, isAutocomplete, typing(c.command, c.option, c.text))+"/", `"type": 8`, c.want).Text
		if c.want == "~" && strings.Index(found, `~`) > 120 {
			t.Errorf("moves that combine come later: %.300s", found)
		}
	}
	// each can be chosen as it stands
	l.answered(l.Slash(room0, alice, "how", "piece=rook-knight", "game=combine"), "board.png")
	l.answered(l.Slash(room0, alice, "board", "game=#1", "flip=true"), "board.png")
	l.answered(l.Slash(room0, alice, "vacation", "days=2"), "vacation")
	l.answered(l.Slash(room0, alice, "vacation", "days=0"), "vacation")
	l.answered(l.Slash(room0, alice, "top", "game=chess", "period=ever", "scope=world"))
	l.answered(l.Slash(room0, alice, "top", "period=combiner", "scope=server"), "most merges")
	l.answered(l.Slash(room0, alice, "top", "period=ever", "month=2026-10"), "go together")
	l.answered(l.Slash(room0, alice, "compare", "person=@bob"))
	l.answered(l.Interact(room0, alice, isCommand, setting("mine", "setting=theme", "value=night")), "Board colours: night.")
	l.answered(l.Interact(room0, bob, isCommand, setting("server", "setting=days", "value=5")), "manage")
}

func TestADrawOfferThatAMoveEndsSaysSo(t *testing.T) {
	l, thread := inGame(t)
	l.Slash(thread, bob, "draw")
	offer := l.posted("POST channels/"+thread+"/messages", "draw", "Decline")
	l.Slash(thread, alice, "move", "move=e4")
	l.posted("PATCH channels/"+thread+"/messages/"+offer, `"components": []`, "**Not open any more**")
}

func TestTheFirstHelloIsInTheLanguageOfItsServer(t *testing.T) {
	l := ready(t)
	l.under(func() { l.Dispatch("GUILD_CREATE", map[string]any{"id": server, "preferred_locale": "de"}) })
	l.Say(room0, bob, "<@999>")
	l.posted("POST channels/"+room0+"/messages", "Hallo! ", "Neue Partie")
	l.under(func() { l.Dispatch("GUILD_UPDATE", map[string]any{"id": server, "preferred_locale": "fr"}) })
	l.Say(room0, carol, "<@999> hello!")
	l.posted("POST channels/"+room0+"/messages", "Salut", "Nouvelle partie")
	l.Say(room0, carol, "<@999> play chess")
	l.posted("POST channels/"+room0+"/threads", "carol, Échecs #1")
	l.Say(room0, carol, "<@999> block ana")
	l.posted("POST channels/713/messages", "Je ne connais personne", "personne:@nom")
}

func TestWhatTheBotLacksIsSaidToWhoActs(t *testing.T) {
	l := ready(t)
	with := func(permissions string, kind int) string {
		return l.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1, "options": openChallenge}, func(i map[string]any) {
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
	l := refusing(t, 1000, *refused(403, nil, `{"message":"Cannot reply without permission to read message history","code":160002}`), "message_reference")
	l.Say(room0, alice, "<@999> version")
	l.posted("POST channels/"+room0, "Chimera")
}

func TestAThreadIsWaitedForALittle(t *testing.T) {
	l := refusing(t, 1, *refused(429, nil, `{"message":"slow","retry_after":0.02,"global":false}`), "/threads")
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

func TestPermissionsInAChannel(t *testing.T) {
	f := newFake(t)
	l := live(t, f, &kvtest.Disk{})
	l.posted("PUT applications/")
	for _, c := range []struct{ server, channel, want uint64 }{
		{discordgo.PermissionSendMessages, 0, discordgo.PermissionViewChannel | discordgo.PermissionSendMessages},
		{discordgo.PermissionSendMessages | discordgo.PermissionSendMessagesInThreads, discordgo.PermissionSendMessages | discordgo.PermissionViewChannel, discordgo.PermissionSendMessagesInThreads},
	} {
		l.under(func() { l.May, l.Deny = c.server, c.channel })
		if has, err := l.chat.rest.UserChannelPermissions(fake.DiscordID, room0); err != nil || has != int64(c.want) {
			t.Errorf("%b may in the server, %b denied in the channel: %b, %v", c.server, c.channel, has, err)
		}
	}
	if has, err := l.chat.rest.UserChannelPermissions(fake.Owner, room0); err != nil || !manages(has) {
		t.Errorf("the owner of a server does not manage it: %b, %v", has, err)
	}
	if has, err := l.chat.rest.UserChannelPermissions(bob.ID, room0); err != nil || manages(has) {
		t.Errorf("everybody manages the server: %b, %v", has, err)
	}
	if l := lacks(discordgo.PermissionAdministrator, discordgo.PermissionSendMessages); len(l) > 0 {
		t.Errorf("an administrator lacks %v", l)
	}
}

func TestNoEmptyThreadIsLeftWhereTheBotMayNotWriteInThreads(t *testing.T) {
	f := newFake(t)
	f.Deny = discordgo.PermissionSendMessagesInThreads
	l := live(t, f, &kvtest.Disk{})
	l.begins()
	l.posted("POST channels/"+room0+"/messages", "board.png", "no thread", "**Send Messages in Threads**")
	l.Say(room0, alice, "f3")
	l.posted("POST channels/"+room0+"/messages", "1. f3")
	l.none("threads were opened", "/threads ")
}

// TestAGameReturnsToItsThread takes a permission from the bot for a while.
func TestAGameReturnsToItsThreadWhenTheBotMayWriteThereAgain(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.refused = 0 })
	thread := l.begun()
	deny := func(rooms ...string) {
		for i, r := range rooms {
			rooms[i] = "POST channels/" + r + "/"
		}
		l.deny(forbidden, rooms...)
	}
	deny(thread)
	l.answered(l.Slash(thread, alice, "move", "move=f3"))
	l.posted("POST channels/"+room0+"/messages", "1. f3", "board.png", "**Send Messages in Threads**")
	deny()
	l.answered(l.Slash(thread, bob, "move", "move=e5"))
	l.posted("POST channels/"+thread+"/messages", "1… e5", "board.png")
	deny(thread, room0)
	l.answered(l.Slash(thread, alice, "move", "move=a3"))
	l.posted("POST channels/7"+bob.ID, "2. a3", "board.png")
	deny()
	l.Say(thread, bob, "a6")
	l.posted("POST channels/"+thread+"/messages", "2… a6", "board.png")
	l.Say(thread, alice, "a4")
	l.posted("POST channels/"+thread+"/messages", "3. a4", "board.png")
	l.none("boards came privately too", "POST channels/7", "2… a6")
	l.none("boards came privately too", "POST channels/7", "3. a4")
}

func TestABoardInCharactersWhereFilesAreForbidden(t *testing.T) {
	l := refusing(t, 1000, forbidden, "board.png", "POST channels/")
	thread := l.begins()
	l.posted("POST channels/"+thread, "```", "♜\ufe0e  ♞\ufe0e  ♝", "Attach Files")
	id := l.Interact(thread, alice, isCommand, map[string]any{"name": "move", "type": 1, "options": []any{map[string]any{"name": "move", "type": 3, "value": "f3"}}}, func(i map[string]any) {
		i["app_permissions"] = "274877910016" // View Channel, Send Messages, Send Messages in Threads
		i["channel"] = map[string]any{"id": thread, "type": discordgo.ChannelTypeGuildPublicThread}
	})
	l.dismissed(id)
	l.posted("POST channels/"+thread, "1. f3", "♙", "Attach Files")
	l.none("the board was shown, and it is said that it was not", "nobody else can see")
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if strings.Contains(c.Path, thread+"/messages") && len([]rune(c.Text)) > 4000 {
			t.Errorf("%d characters", len(c.Text))
		}
	}
}
