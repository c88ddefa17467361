package discord

import (
	"context"
	"encoding/json"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/rules/phrase"
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
	l := refusing(t, 1000, *refused(403, nil, `{"message":"Cannot send messages to this user due to having no mutual guilds","code":50278}`), "POST channels/7"+bob.ID)
	l.begunAmong()
	l.chat.newest.Purge()
	l.Say("6"+alice.ID, alice, "#1 e4")
	l.posted("POST channels/6"+alice.ID+"/messages", "1. e4", "board.png")
	shown := l.Slash(among, bob, "games")
	l.answered(shown, "Chess", `"flags": 32832`)
	l.toAll(shown, "POST webhooks/", "1. e4", "board.png")
	l.toAll(l.Slash(among, bob, "move", "move=e5"), "1… e5")
	if strings.Contains(l.log.String(), "cannot be said") {
		t.Error("something is reported as lost")
	}
}

func TestAnAnswerToAllComesOnceOverAKillAndACut(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.first = time.Second })
	l.begunAmong()
	l.killedAt(func() { l.Slash(among, alice, "move", "move=e4") }, "/callback", "1. e4")
	l.End()
	l = l.again()
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
	id := l.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1, "options": openChallenge}, alone)
	l.toAll(id, "looking for an opponent", "Join")
	id = l.Interact(room0, bob, isComponent, map[string]any{"custom_id": l.buttonOf("Join").Data, "component_type": 2}, alone)
	l.toAll(id, "board.png")
	l.none("requests were made to a channel in which the bot is not", "channels/"+room0)
}

func TestWhatIsPromisedToWhoPressesDoesNotHoldUpWhatEveryoneHears(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{}, func(a *Adapter) { a.pace.ack = 0 })
	l.begunAmong()
}

func TestNothingIsLeftToDismissOfWhatEverybodySees(t *testing.T) {
	l, thread := inGame(t)
	l.dismissed(l.Slash(thread, alice, "move", "move=f3"))
	l.posted("POST channels/"+thread+"/messages", "1. f3")
	l.answered(l.Slash(thread, alice, "move", "move=e4"), "bob is thinking")
	l.Press(thread, bob, l.buttonOf("Move"))
	l.Press(thread, bob, l.buttonOf("e7"))
	l.Press(thread, bob, l.buttonOf("e5"))
	l.dismissed(l.Press(thread, bob, l.buttonOf("Confirm")))
	l.posted("POST channels/"+thread+"/messages", "1… e5")
}

func TestWhatIsSeenInAnotherChannelIsSaidToBeThere(t *testing.T) {
	l, thread := inGame(t)
	l.answered(l.Slash("502", alice, "move", "move=f3", "game=#1"), "Done! You'll find it in <#"+thread+">.")
	l.posted("POST channels/"+thread+"/messages", "1. f3")
}

func TestNothingIsLeftToDismissOfARematchOrAnAnswer(t *testing.T) {
	l, thread := inGame(t)
	resign := l.buttonOf("Resign")
	l.Press(thread, alice, resign)
	l.dismissed(l.Press(thread, alice, l.buttonOf("No")))
	l.Press(thread, alice, resign)
	l.Press(thread, alice, l.buttonOf("Yes"))
	l.posted("POST channels/"+thread+"/messages", "wins by resignation")
	pressed := l.Press(thread, alice, l.buttonOf("Rematch"))
	l.posted("POST channels/"+thread+"/messages", "alice challenges <@12>", "#2")
	l.answered(pressed, `"type": 6`)
	l.answered(l.Press("502", alice, pressable{Data: "rematch 1 -"}), "already offered")
	l.Press(thread, bob, l.buttonOf("Accept"))
	l.posted("POST channels/", "Chess #2", "board.png")
	l.none("answers only say that something is done", "POST", "Done")
}

func TestAnAnswerIsShownToEveryone(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.begun()
	l.answered(l.Slash("502", carol, "board", "game=#1"), `"flags": 64`, "Show everyone")
	shown := l.Press("502", carol, l.buttonOf("Show everyone"))
	l.dismissed(shown)
	answer := l.Posted("POST webhooks/999/token"+shown, "board.png", "Chess #1")
	if strings.Contains(answer.Text, `"flags": 64`) || strings.Contains(answer.Text, "Show everyone") {
		t.Errorf("it is shown so: %s", answer.Text)
	}
	l.answered(l.Slash("502", carol, "profile", "person=@bob"), "bob")
	l.answered(l.Slash("502", carol, "games"))
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if strings.Contains(c.Text, "Show everyone") && len(c.Files) == 0 {
			t.Errorf("there is nothing to show in %s", c.Text)
		}
	}
}

func TestAMoveAndConditionalMovesAreTypedIntoForms(t *testing.T) {
	l, thread := inGame(t)
	l.Press(thread, alice, l.buttonOf("Move"))
	typing := l.buttonOf("Type a move")
	l.answered(l.Press(thread, alice, typing), `"type": 9`, `"title": "Type a move"`, `"label": "Your move"`)
	l.answered(l.Submit(thread, alice, typing, "e5"), "e5")
	submitted := l.Submit(thread, alice, typing, "e4")
	l.dismissed(submitted)
	l.posted("POST channels/"+thread+"/messages", "1. e4", "board.png")
	l.Press(thread, alice, l.buttonOf("More"))
	planning := l.buttonOf("Conditional moves")
	l.answered(l.Press(thread, alice, planning), `"type": 9`)
	l.answered(l.Submit(thread, alice, planning, "e5 then Nf3"), "e5", "Nf3")
	l.Slash(thread, bob, "move", "move=e5")
	l.posted("POST channels/"+thread+"/messages", "2. Nf3")
}

func TestSettingsHaveAButtonBesideEachLine(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash("502", alice, "settings"), `"accessory": {`, `"label": "Time zone"`, "(`quiet`): off")
	press := func(label string) string { return l.Press("502", alice, l.buttonOf(label)) }
	l.answered(press("Boards"), `"type": 7`, `"accessory": {`, `"label": "Board colours"`, "Board colours (`theme`): usual")
	l.none("what is for Telegram is offered", `"label": "Boards in words"`)
	l.answered(press("Board colours"), `"type": 7`, "colours of boards", `"label": "night"`)
	l.answered(press("night"), `"type": 7`, "Done. Board colours: night.", `"label": "Back"`)
	l.answered(press("Back"), `"type": 7`, "(`theme`): night", `"accessory"`)
	l.answered(press("Back"), `"type": 7`, "(`quiet`): off", `"accessory"`)
	l.answered(press("Time zone"), "`timezone UTC`", `"label": "Back"`)
	l.answered(l.Interact("502", alice, isCommand, setting("server"), asManager), `"label": "Days per move"`)
	l.answered(l.managerPresses(l.buttonOf("Days per move")), `"label": "14"`)
	l.answered(l.managerPresses(l.buttonOf("5")), "Days per move: 5")
}

func TestSettingsAreFilledInTogether(t *testing.T) {
	l := ready(t)
	l.Slash("502", alice, "settings")
	form := l.buttonOf("Set several at once")
	l.answered(l.Press("502", alice, form), `"type": 9`, `"title": "Settings"`, `"type": 4`, `"type": 22`, `"label": "Wins on time: automatic"`)
	fill := func(b pressable, parts ...any) string {
		var all []any
		for _, p := range parts {
			all = append(all, map[string]any{"type": 18, "component": p})
		}
		return l.Interact("502", alice, fake.IsForm, map[string]any{"custom_id": b.Data, "components": all}, func(i map[string]any) {
			i["message"] = map[string]any{"id": b.Message, "flags": b.Flags, "channel_id": "502"}
			asManager(i)
		})
	}
	filled := fill(form,
		map[string]any{"type": 3, "custom_id": "reminders", "values": []any{"half"}}, map[string]any{"type": 4, "custom_id": "timezone", "value": "Europe/Nowhere"},
		map[string]any{"type": 22, "custom_id": "fill", "values": []any{"chat", "confirm"}},
	)
	l.answered(filled, `"type": 7`, "(`reminders`): half-time", "(`chat`): on", "(`leaderboard`): off", "(`confirm`): on", "(`timezone`): UTC")
	l.posted("POST webhooks/999/token"+filled, "I don't know the time zone “Europe/Nowhere”")
	l.Press("502", alice, l.buttonOf("Boards"))
	form = l.buttonOf("Set several at once")
	l.answered(l.Press("502", alice, form), `"type": 9`, `"custom_id": "theme"`)
	l.answered(fill(form, map[string]any{"type": 22, "custom_id": "fill", "values": []any{}}), `"type": 7`, "(`bars`): off", "(`theme`): usual")
	l.answered(l.Interact("502", alice, isCommand, setting("server"), asManager), "(`days`): 3")
	servers := l.buttonOf("Set several at once")
	l.answered(l.Press("502", bob, servers), "Only managers")
	l.answered(l.managerPresses(servers), `"type": 9`, `"custom_id": "game"`, `"custom_id": "days"`, `"custom_id": "puzzle"`, `"custom_id": "timezone"`, `"label": "Threads for games: on"`)
	l.answered(fill(servers, map[string]any{"type": 3, "custom_id": "days", "values": []any{"5"}}, map[string]any{"type": 22, "custom_id": "fill", "values": []any{"seasons"}}), `"type": 7`, "(`days`): 5", "(`threads`): off", "(`seasons`): on")
	l.answered(l.managerPresses(l.buttonOf("Boards")), "(`turning`): off")
	l.answered(l.managerPresses(l.buttonOf("Set several at once")), `"type": 9`, `"custom_id": "theme"`, `"label": "Animated moves: on"`)
	l.Look(func(c fake.Request) *fake.Refusal {
		if c.Has(`"type": 9`) {
			return refused(400, nil, `{"message":"Invalid Form Body","code":50035}`)
		}
		return nil
	})
	l.answered(l.Press("502", alice, form), `"type": 7`, "(`bars`): off")
	shown := l.Slash("502", alice, "settings")
	l.answered(shown, "(`chat`): on")
	if slices.ContainsFunc(l.buttons(shown), func(b pressable) bool { return b.Label == form.Label }) {
		t.Error("a form is offered that cannot be opened")
	}
}

func TestTheThreadOfAnEndedGameIsFoldedAwayAfterADay(t *testing.T) {
	l, thread := inGame(t)
	for i, move := range []string{"f3", "e5", "g4", "Qh4"} {
		l.dismissed(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+move))
	}
	l.posted("PATCH channels/"+thread+" ", `"auto_archive_duration": 1440`)
}

func TestGamesAreListedWithTheirThreads(t *testing.T) {
	l, thread := inGame(t)
	listed := l.Slash("502", alice, "games")
	l.answered(listed, "#1 <#"+thread+"> Chess", `"label": "Move"`)
	l.answered(l.Press("502", alice, l.buttons(listed)[0]), `"type": 7`, "Which piece")
	waits := l.Slash("502", bob, "games")
	l.answered(waits, "#1 <#"+thread+"> Chess")
	if all := l.buttons(waits); len(all) > 0 {
		t.Errorf("whose turn it is not has %v", all)
	}
}

func TestWhatIsToldPrivatelyOfAGameLeadsToItsThread(t *testing.T) {
	l := ready(t)
	l.Slash(room0, alice, "challenge", "game=chess", "colour=white")
	challenge := l.Posted("POST channels/"+room0+"/messages", "looking for an opponent")
	linked := l.Slash(room0, alice, "link", "code=#1")
	code := regexp.MustCompile("[A-Z0-9]{12}").FindStringSubmatch(l.Posted("POST interactions/"+linked, "joins challenge").Text)
	l.Say("6"+bob.ID, bob, "accept "+code[0])
	thread := l.posted("POST channels/" + room0 + "/messages/" + challenge.ID + "/threads")
	l.posted("POST channels/"+thread+"/messages", "board.png")
	l.posted("POST channels/6"+bob.ID+"/messages", "board.png")
	l.dismissed(l.Slash(thread, alice, "draw"))
	l.posted("POST channels/6"+bob.ID+"/messages", "a draw in #1 <#"+thread+">", "Accept")
}

func TestAReplayTakesItsTime(t *testing.T) {
	l, thread := inGame(t)
	for range 2 {
		l.Slash(thread, alice, "resign")
	}
	l.posted("POST channels/"+thread+"/messages", "wins by resignation")
	replay := l.Slash(thread, alice, "replay")
	l.answered(replay, `"type": 5`)
	l.posted("PATCH webhooks/999/token"+replay, "game.gif")
}

func TestWhatIsPromisedInAnAnswerTakesItsPlace(t *testing.T) {
	l := ready(t)
	const untold = 99 // a kind that the bot does not answer
	id := l.Interact(room0, carol, untold, map[string]any{})
	i := &interaction{ID: id, Token: "token" + id, ApplicationID: fake.DiscordID, ChannelID: room0, Type: isComponent}
	kvtest.Must(t, json.Unmarshal([]byte(`{"custom_id":"review 1 -"}`), &i.Data))
	q := newReply(l.chat, i, time.Now())
	q.hurry(t.Context())
	q.promiseNow(t.Context())
	q.answer(t.Context(), []message.Message{{Text: say("went-wrong").In(phrase.English)}}, false)
	shown := l.posted("POST webhooks/999/token"+id, "went wrong", `"flags": 68`)
	q.answerSoon(func(context.Context) (*message.Message, error) {
		return &message.Message{Text: say("between").In(phrase.English)}, nil
	})
	l.posted("PATCH webhooks/999/token"+id+"/messages/"+shown, "tell you here")
}

func TestAGameAgainstTheComputerHasAPrivateThreadWhereThatCanBe(t *testing.T) {
	l := ready(t)
	plays := func(level string) { l.Slash(room0, alice, "play", "game=chess", "level="+level, "colour=white") }
	plays("1")
	l.posted("POST channels/"+room0+"/threads", "Chess #1", `"type": 11`)
	l.under(func() { l.May |= discordgo.PermissionCreatePrivateThreads })
	plays("2")
	thread := l.posted("POST channels/"+room0+"/threads", "Chess #2", `"type": 12`)
	l.posted("PUT channels/" + thread + "/thread-members/" + alice.ID)
	l.Look(func(c fake.Request) *refusal {
		if c.Has("/threads", `"type": 12`) {
			return refused(400, nil, `{"message":"Cannot execute action on this channel type","code":50024}`)
		}
		return nil
	})
	plays("3")
	l.posted("POST channels/"+room0+"/threads", "Chess #3", `"type": 11`)
	l.none("the channel itself has a board", "POST channels/"+room0+"/messages")
}

func TestNoFormForConditionalMovesIsOfferedAgainstTheBot(t *testing.T) {
	l := ready(t)
	l.Slash(room0, alice, "play", "game=chess", "level=1", "colour=black")
	thread := l.posted("POST channels/"+room0+"/threads", "Chess #1")
	l.posted("POST channels/"+thread+"/messages", "to move", "Move")
	l.answered(l.Press(thread, alice, l.buttonOf("More")), "Legal moves", "Back")
	l.none("the form is offered, though the bot answers at once", "Conditional moves")
}
