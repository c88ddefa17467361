package discord

import (
	"regexp"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

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

func TestASpectatorsBoardHasNothingForPlayers(t *testing.T) {
	l, thread := inGame(t)
	shown := l.Press(thread, carol, l.buttonOf("Flip"))
	l.answered(shown, "board.png")
	var labels []string
	for _, b := range l.buttons(shown) {
		labels = append(labels, b.Label)
	}
	if got := strings.Join(labels, " "); got != "Flip More" {
		t.Errorf("the buttons are %s", got)
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

func TestSettingsAreChosenFromMenus(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash("502", alice, "settings"), `"options"`, `"label": "theme"`, `"description": "colours of boards"`)
	press := func(label string) string { return l.Press("502", alice, l.buttonOf(label)) }
	l.answered(press("theme"), `"type": 7`, "colours of boards", `"label": "night"`)
	l.answered(press("night"), `"type": 7`, "`theme night`", `"options"`)
	l.answered(press("timezone"), "`timezone UTC`", `"label": "Back"`)
	l.answered(press("Back"), `"type": 7`, "`theme night`")
	server := subcommand("settings", "server")
	l.answered(l.Interact("502", alice, isCommand, server, asManager), `"label": "days"`)
	l.answered(l.Interact("502", alice, isComponent, map[string]any{"custom_id": "choose 0", "component_type": 3, "values": []any{l.buttonOf("days").Data}}, asManager), `"label": "14"`)
	five := l.buttonOf("5")
	l.answered(l.Press("502", bob, five), "Only managers")
	l.answered(l.Interact("502", alice, isComponent, map[string]any{"custom_id": five.Data, "component_type": 2}, asManager), "`days 5`")
	l.answered(l.Interact("502", bob, isCommand, server), "`days 5`")
}

// TestTheRulesAreChosenFromAMenu goes on to a game from there.
func TestTheRulesAreChosenFromAMenu(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash("501", alice, "rules"), `"options"`, `"label": "Chess"`, `"description": "pieces absorb the powers of what they capture"`)
	press := func(label string) string { return l.Press("501", alice, l.buttonOf(label)) }
	l.answered(press("Stealth Bomber Chess"), `"type": 7`, "board.png", "set of powers", `"label": "Play me"`)
	l.answered(press("Back"), `"type": 7`, `"attachments": []`, `"options"`)
	press("Stealth Bomber Chess")
	l.Press("501", alice, l.buttonOf("Play me"))
	l.posted("Stealth Bomber Chess #1", "Chimera 3")
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
	l.answered(l.Slash("502", bob, "games"), "#1 <#"+thread+"> Chess", `"components": []`)
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

func TestSuggestedMovesAreToldInWords(t *testing.T) {
	l, thread := inGame(t)
	l.answered(l.Interact(thread, alice, isAutocomplete, typing("move", "move", "f")), `"name": "f3 – The pawn moves from f2 to f3."`, `"value": "f3"`)
}
