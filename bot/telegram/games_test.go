package telegram

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chimera/bot/fake"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// begins lets alice and bob begin a game, and is the number of its first board.
func begins(l *life, v *rules.Variant) int {
	l.greeted(bob)
	l.Say(group, alice, "/challenge@ChimeraBot @bob "+v.Key+" white")
	l.Say(group, bob, "accept", replyTo(l.posted("alice challenges", "Accept")))
	return l.posted("sendPhoto", "to move by", "Move")
}

// inGame is a bot with a game of chess that alice and bob have begun in the group, and the number of its first board.
func inGame(t *testing.T) (l *life, board int) {
	t.Helper()
	l = live(t, newFake(t), &kvtest.Disk{})
	return l, begins(l, variants.All()[0])
}

// ways are those by which people move in a group.
func ways() []func(l *life, by person, p fake.Ply, ply, board int, v *rules.Variant) {
	return []func(l *life, by person, p fake.Ply, ply, board int, v *rules.Variant){
		func(l *life, by person, p fake.Ply, _, _ int, _ *rules.Variant) { l.Say(group, by, "/move "+p.Text) },
		func(l *life, by person, p fake.Ply, _, _ int, _ *rules.Variant) {
			l.Say(group, by, "/move@ChimeraBot "+p.Text)
		},
		func(l *life, by person, p fake.Ply, _, board int, _ *rules.Variant) {
			l.Say(group, by, p.Text, replyTo(board))
		},
		func(l *life, by person, p fake.Ply, ply, board int, v *rules.Variant) { // by the buttons of the picker
			h := &hand{l: l, who: by, message: board}
			h.tap("Move")
			from, to := v.Shape.Name(p.From), v.Shape.Name(p.To)
			h.push(h.find(func(b fake.Button) bool { return strings.HasSuffix(b.Text, from) }))
			target := fmt.Sprintf("pick 1 %d %s %s 0", ply, from, to)
			b := h.find(func(b fake.Button) bool { return b.Text == p.Label || b.Data == target })
			if h.push(b); b.Data == target {
				b = h.find(func(b fake.Button) bool { return b.Text == p.Label })
				h.push(b)
			}
			if strings.HasPrefix(b.Data, "sure ") {
				h.tap("Confirm")
			}
		},
	}
}

// TestWholeGamesByEachWayToMove plays each game to its end. No message is edited too often.
func TestWholeGamesByEachWayToMove(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			l := live(t, newFake(t), &kvtest.Disk{})
			l.Say(alice.ID, alice, "/start")
			board := begins(l, v)
			for ply, p := range fake.WholeGame(t, v) {
				ways()[ply/2%len(ways())](l, []person{alice, bob}[ply%2], p, ply, board, v)
				next := l.posted("sendPhoto", "<b>"+html.EscapeString(p.Numbered)+"</b>. ")
				l.Lock()
				if edits := len(l.edits(board)); edits > maxEdits+1 { // with that which takes the buttons off
					t.Errorf("%d edits for %s, want at most %d", edits, p.Numbered, maxEdits+1)
				}
				l.Unlock()
				board = next
			}
			l.posted("sendPhoto", "Rematch")
			l.silent(t, "went wrong", "isn't")
			if strings.Contains(l.log.String(), "level=ERROR") {
				t.Error("an error was logged")
			}
		})
	}
}

func TestTheButtonsOfABoardComeBack(t *testing.T) {
	l, board := inGame(t)
	const first = "Move Flip Draw Resign More"
	h := &hand{l: l, who: alice, message: board}
	for _, label := range []string{"More", "Back", "Move", "Back", "Move", "Back"} {
		h.push(h.find(func(b fake.Button) bool { return b.Text == label }))
	}
	h.push(h.find(func(b fake.Button) bool { return b.Text == "Move" }))
	l.posted("sendMessage", "Which piece moves")
	l.Press(group, carol, board, "back 1 0")
	l.Press(group, carol, board, "more 1 0")
	l.posted("What else", "score", fmt.Sprintf(`"message_id":%d,`, board))
	if got := l.labels(board); got != first {
		t.Errorf("in the end there are %s", got)
	}
}

// hand is somebody who presses buttons below a message.
type hand struct {
	l       *life
	who     person
	message int
	chat    int64 // 0 for the group
	seen    int   // calls that were looked at
}

// push presses a button.
func (h *hand) push(b fake.Button) {
	h.l.Lock()
	h.seen = len(h.l.Calls)
	h.l.Unlock()
	h.l.Press(cmp.Or(h.chat, group), h.who, h.message, b.Data)
}

// tap presses the button of a label.
func (h *hand) tap(label string) {
	h.l.t.Helper()
	h.push(h.find(func(b fake.Button) bool { return b.Text == label }))
}

// find waits for the buttons below the message after the last press, and turns their
// pages to the one that is wanted.
func (h *hand) find(wanted func(fake.Button) bool) (found fake.Button) {
	h.l.t.Helper()
	for {
		var buttons []fake.Button
		h.l.Wait("buttons", func() bool {
			for _, c := range slices.Backward(h.l.Calls[h.seen:]) {
				if c.Number == h.message || c.Edits(h.message) {
					buttons = c.Buttons()
					if len(buttons) == 0 { // they were taken away, as it goes on below another
						continue
					}
					return true
				}
				whispered := c.Number < 0 && c.Has(fmt.Sprintf(`"receiver_user_id":%d`, h.who.ID))
				if whispered || c.Number != 0 && c.Has(fmt.Sprintf(`"message_id":%d,`, h.message)) { // it goes on in another
					h.message, buttons = c.Number, c.Buttons()
					return true
				}
			}
			return false
		})
		if i := slices.IndexFunc(buttons, wanted); i >= 0 {
			return buttons[i]
		}
		i := slices.IndexFunc(buttons, func(b fake.Button) bool { return b.Text == "▶" })
		if i < 0 {
			h.l.t.Fatalf("no such button among %v", buttons)
		}
		h.push(buttons[i])
	}
}

// edits are the labels of the buttons that a message was given, one edit after the other. The owner
// has locked.
func (l *life) edits(message int) (all []string) {
	for _, c := range l.Calls {
		if c.Method == "editMessageReplyMarkup" && c.Fields["message_id"] == strconv.Itoa(message) {
			all = append(all, labelsOf(c))
		}
	}
	return all
}

// TestWhoPressesTwiceIsAnsweredOnce picks a move with a heavy thumb.
func TestWhoPressesTwiceIsAnsweredOnce(t *testing.T) {
	l, board := inGame(t)
	for i, data := range []string{"pick 1 0 - - 0", "pick 1 0 e2 - 0", "sure 1 0 e2e4"} {
		for range 3 {
			l.Press(group, alice, board, data)
		}
		l.Wait("the edit", func() bool { return len(l.edits(board)) > i })
	}
	l.Wait("all to be confirmed", func() bool { return l.Pending() == 0 })
	l.Lock()
	if edits := l.edits(board); len(edits) != 3 || edits[2] != "Confirm Back" {
		t.Errorf("the edits are %q", edits)
	}
	for _, c := range l.Calls {
		if c.Number > board {
			t.Errorf("it went on below: %v", c)
		}
	}
	l.Unlock()
	l.Press(group, alice, board, "play 1 0 e2e4")
	l.posted("sendPhoto", "1. e4")
	l.Wait("the dead buttons to go", func() bool {
		edits := l.edits(board)
		return edits[len(edits)-1] == ""
	})
}

// TestAPickerThatWentOnBelowLosesItsButtonsToo uses a board's edits up.
func TestAPickerThatWentOnBelowLosesItsButtonsToo(t *testing.T) {
	l, board := inGame(t)
	leads := func(messages ...int) {
		l.Wait("what leads to a move to be remembered", func() bool {
			var noted []int
			for _, m := range l.chat.state.Boards(t.Context(), address(group, 0).ID, 1) {
				noted = append(noted, messageOf(address(group, 0), m).id)
			}
			return slices.Equal(noted, messages)
		})
	}
	leads(board)
	for i, data := range []string{"pick 1 0 - - 0", "pick 1 0 e2 - 0", "pick 1 0 - - 0"} {
		l.Press(group, alice, board, data)
		l.Wait("the edit", func() bool { return len(l.edits(board)) > i })
	}
	l.Press(group, alice, board, "more 1 0")
	below := l.posted("sendMessage", "What else")
	leads(board, below)
	l.Say(group, alice, "e4", replyTo(board))
	next := l.posted("sendPhoto", "1. e4")
	leads(next)
	for _, message := range []int{board, below} {
		l.Wait("the dead buttons to go", func() bool {
			edits := l.edits(message)
			return len(edits) > 0 && edits[len(edits)-1] == ""
		})
	}
}

// TestAMoveCostsTwoCommits plays by commands in a group: that a move was played is stored, and
// that it was said.
func TestAMoveCostsTwoCommits(t *testing.T) {
	f := newFake(t)
	engine := &fake.Counted{DB: new(kvtest.Disk).Open("db"), Stays: true}
	l := liveOn(t, f, engine)
	l.Say(2, bob, "/start")
	l.posted("challenge")
	l.Say(group, alice, "/challenge @bob chess white")
	l.posted("alice challenges", "Accept")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "to move by", "Move")
	l.stopped()
	l = liveOn(t, f, engine)
	commits, memories := engine.Commits.Load(), engine.Memories.Load()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, move := range moves {
		l.Say(group, []person{alice, bob}[ply%2], "/move "+move)
		l.posted("sendPhoto", []string{"1. e4", "1… e5", "2. Nf3", "2… Nc6", "3. Bb5", "3… a6", "4. Ba4", "4… Nf6"}[ply])
	}
	l.stopped()
	engine.Costs(t, len(moves), commits, memories)
}

func TestWhoeverChallengesTheBotPlaysIt(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	text := "/challenge @ChimeraBot chess white"
	mentioned := func(m map[string]any) {
		m["entities"] = append(m["entities"].([]map[string]any), map[string]any{"type": "mention", "offset": 11, "length": 11})
	}
	l.Say(group, alice, text+" 3d", mentioned)
	l.posted("Games against me are unrated and have no time limit. Write /play to begin one.")
	l.Say(group, alice, text, mentioned)
	l.posted("sendPhoto", "Chess #1", "alice (White) vs Chimera 3 (Black)", "no time limit", "Level 3 plays about as well as a casual player.")
	l.Say(group, alice, "/profile @ChimeraBot")
	l.posted("I don't know anyone called")
	l.Say(group, alice, "/block @ChimeraBot")
	l.posted("I don't know anyone called", "block @name")
}

// silent fails if anything was said with one of these words.
func (l *life) silent(t *testing.T, words ...string) {
	t.Helper()
	for _, c := range l.calls(0) {
		for _, w := range words {
			if c.Has("sendMessage", w) {
				t.Errorf("%q was said: %v", w, c)
			}
		}
	}
}

func TestAChallengeThatNobodyJoinsForAnHourOffersTheBotOnItsMessage(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	l.Say(group, alice, "/challenge@ChimeraBot stealth black")
	challenge := l.posted("sendMessage", "looking for an opponent")
	l.greeted(alice)
	l.Say(1, alice, "/challenge chess white")
	private := l.posted("sendMessage", "chat_id:1", "Send your opponent")
	l.stopped()
	l = live(t, f, disk)
	fake.Forsaken(t, l.store, l.chat.bot.Maintenance.Tick)
	l.shown("editMessageReplyMarkup", fmt.Sprint("message_id:", challenge), "Play me")
	l.shown("editMessageReplyMarkup", fmt.Sprint("message_id:", private), "Play me")
	if labels := l.labels(challenge); labels != "Join Cancel Play me" {
		t.Errorf("the buttons are %q", labels)
	}
	if labels := l.labels(private); labels != "Cancel Play me Share" {
		t.Errorf("the buttons in private are %q", labels)
	}
	instead := (&hand{l: l, who: alice, message: challenge}).find(func(b fake.Button) bool { return b.Text == "Play me" })
	l.Press(group, bob, challenge, instead.Data)
	l.requested("answerCallbackQuery", "Challenge #1 isn't yours")
	l.Press(group, alice, challenge, instead.Data)
	l.posted("sendPhoto", "Stealth Bomber Chess #1", "Chimera 3 (White) vs alice (Black)", "no time limit")
	l.shown("editMessageText", fmt.Sprint("message_id:", challenge), "Chimera 3 (White) vs alice (Black)")
	l.Say(group, bob, "/accept #1")
	l.posted("There's nothing for you to answer or withdraw in #1")
}

func TestALessonGoesOnInItsMessage(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/learn chess")
	lesson := l.posted("sendPhoto", "chat_id:1", "<b>Chess</b>, step 1 of 6", "Hint")
	at := fmt.Sprint("message_id:", lesson, " ")
	h := &hand{l: l, who: alice, message: lesson, chat: 1}
	h.tap("Hint")
	l.shown("editMessageMedia", at, "Chess", "The bishop on a6 attacks f1")
	h.tap("Hint")
	l.shown("editMessageMedia", at, "king")
	h.tap("Hint")
	l.shown("editMessageMedia", at, "to see what happens")
	h.tap("O-O-O")
	l.shown("editMessageMedia", at, "The king has left the open file", "Next")
	h.tap("Next")
	l.shown("editMessageMedia", at, "step 2 of 6")
	l.Say(1, alice, "exd6")
	l.posted("sendPhoto", "chat_id:1", "This is called en passant", "Next")
}

func TestThePuzzleOfTheDayIsAnsweredInPrivate(t *testing.T) {
	l := managed(t)
	l.Say(group, alice, "/settings here puzzle 18:00")
	l.posted("Puzzle of the day: 18:00 (UTC)")
	l.Say(group, alice, "/settings here game chess")
	l.posted("Usual game: Chess")
	fake.TellDaily(t, l.store, l.chat.bot.Training.TellDue)
	told := l.posted("sendPhoto", "chat_id:-500 ", "Puzzle of the day</b>: Chess", "White to move and win.", "Find the move.")
	if labels := l.labels(told); labels != "Move" {
		t.Errorf("the buttons are %q", labels)
	}
	h := &hand{l: l, who: bob, message: told}
	refuses(l.double, refused(403, "Forbidden: bot can't initiate conversation with a user"), "sendChatAction ")
	h.tap("Move")
	code := l.led()
	l.Look(nil)
	l.Say(bob.ID, bob, "/start "+code)
	mine := &hand{l: l, who: bob, chat: bob.ID, message: l.posted("sendPhoto", "chat_id:2 ", "Puzzle of the day</b>: Chess", "White to move and win.")}
	mine.tap("Rd1")
	mine.push(mine.find(func(b fake.Button) bool { return b.Text == "Rd7" }))
	l.shown("editMessageMedia", "chat_id:2 ", "Rd7", "Try again")
	for _, c := range l.calls(0) {
		if c.Number > mine.message && c.Has("chat_id:2 ") {
			t.Errorf("there is another message: %v", c)
		}
	}
	l.Say(bob.ID, bob, "Rd8")
	l.posted("chat_id:2 ", "Rd8#</b>, that", "1 puzzle of the day")
	l.Say(group, alice, "/top puzzles")
	l.posted("chat_id:-500 ", "1. bob: 1 puzzle")
	for _, c := range l.calls(0) {
		if c.Has("chat_id:-500 ") && (c.Has("Rd7") || c.Has("Rd8") || c.Has("that's it")) {
			t.Errorf("the group sees %v", c)
		}
	}
}

func TestAMergeMovesWhereTheGroupWantsThat(t *testing.T) {
	l := managed(t)
	l.Say(group, alice, "/settings here motion on")
	l.posted("Animated moves: on")
	l.Say(group, alice, "/challenge combine white")
	h := &hand{l: l, who: bob, message: l.posted("sendMessage", "Combine Chess")}
	h.tap("Join")
	l.posted("sendPhoto", "chat_id:-500 ", "to move")
	l.Say(group, alice, "/move R~Nb1")
	moving := l.posted("sendAnimation", "chat_id:-500 ", "board.gif", "R~Nb1")
	if h.message = moving; h.find(func(b fake.Button) bool { return b.Text == "Move" }).Data == "" {
		t.Error("nobody can move below a board that moves")
	}
	l.Say(group, bob, "/move e5")
	l.posted("sendPhoto", "chat_id:-500 ", "e5")
}

// TestNewGameAsksInThePlaceOfTheHello goes there and back, and on to a challenge.
func TestNewGameAsksInThePlaceOfTheHello(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/start")
	hello := l.posted("Hello!", "startgroup=group")
	page, first := fmt.Sprint("message_id:", hello, " "), l.labels(hello)
	h := &hand{l: l, who: alice, message: hello, chat: 1}
	h.tap("New game")
	l.shown("editMessageText", page, "Which game? It will be an open challenge", "Stealth Bomber Chess", "Back")
	h.tap("Back")
	l.shown("editMessageText", page, "Hello!", "startgroup=group", "New game")
	if labels := l.labels(hello); labels != first {
		t.Errorf("the buttons are %q, and were %q at first", labels, first)
	}
	h.tap("New game")
	h.tap("Stealth Bomber Chess")
	l.shown("editMessageText", page, "How much time?", "7 days per move", "Back")
	h.tap("Back")
	h.tap("Combine Chess")
	h.tap("7 days per move")
	l.posted("sendMessage", "alice is looking for an opponent", "Combine Chess", "7 days per move")
	l.never("it was asked elsewhere", "answerCallbackQuery", "Which game")
	l.never("it was asked elsewhere", "sendMessage", "Which game")
}

// TestTheRulesAreChosenByButtons reads those of two games, and plays the second.
func TestTheRulesAreChosenByButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/rules")
	list := l.posted("sendMessage", "<b>Stealth Bomber Chess</b> (<code>stealth</code>): pieces absorb the powers of what they capture")
	h := &hand{l: l, who: alice, message: list, chat: 1}
	h.tap("Chess")
	h.message = l.posted("sendPhoto", "Chess, by FIDE", "Play me", "Back")
	if labels := l.labels(h.message); labels != "Learn Play me Back" {
		t.Errorf("the buttons are %q", labels)
	}
	h.tap("Back")
	l.shown("editMessageCaption", fmt.Sprint("message_id:", h.message, " "), "Which game?", "Stealth Bomber Chess")
	h.tap("Stealth Bomber Chess")
	h.message = l.posted("sendPhoto", "Play me", "Back", fmt.Sprintf(`"message_id":%d,`, h.message))
	l.posted("sendMessage", "a piece gains the powers of what it captures")
	h.tap("Play me")
	l.posted("sendPhoto", "Stealth Bomber Chess #1", "Chimera 3")
}

// TestAChallengeSaysWhoHasJoinedAndWhereItIsPlayed joins one in a supergroup, where messages have
// addresses, and one by its code.
func TestAChallengeSaysWhoHasJoinedAndWhereItIsPlayed(t *testing.T) {
	const super = -1001234567890
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(super, alice, "/challenge chess white")
	open := l.posted("#1: alice is looking for an opponent")
	l.Press(super, bob, open, "join 1 -")
	board := l.posted("sendPhoto", "Chess #1")
	l.shown("editMessageText", fmt.Sprint("message_id:", open, " "), "bob accepts the challenge.", "<b>Chess #1</b>: alice (White) vs bob (Black)", fmt.Sprint("https://t.me/c/1234567890/", board))
	if labels := l.labels(open); labels != "" {
		t.Errorf("the buttons are %q", labels)
	}
	l.Say(1, alice, "/challenge stealth white")
	open = l.posted("chat_id:1 ", "#2: alice is looking for an opponent")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#2: alice is looking for an opponent"))
	l.shown("editMessageText", fmt.Sprint("message_id:", open, " "), "bob accepts the challenge.", "<b>Stealth Bomber Chess #2</b>: alice (White) vs bob (Black)")
}

// TestWhoComesByALinkIsWelcome comes with a code that is good, with one that is not, and with one
// for the second time.
func TestWhoComesByALinkIsWelcome(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/challenge stealth white")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#1: alice is looking for an opponent"))
	l.posted("sendMessage", "chat_id:2 ", "Welcome!", "<code>/rules stealth</code> explains Stealth Bomber Chess", "/help")
	l.posted("sendPhoto", "chat_id:2 ", "Stealth Bomber Chess #1")
	l.Say(3, carol, "/start ABCDEFGHJKLM")
	told := l.posted("chat_id:3 ", "That challenge isn't open any more", "\n\nHello!")
	if labels := l.labels(told); labels != "Play me New game Rules My games" {
		t.Errorf("the buttons are %q", labels)
	}
	l.Say(3, carol, "/version")
	l.posted("chat_id:3 ", "text:Chimera")
	l.Say(1, alice, "/challenge chess white")
	l.Say(2, bob, "/start "+l.code("chat_id:1 ", "#2: alice is looking for an opponent"))
	l.posted("sendPhoto", "chat_id:2 ", "Chess #2")
	l.Say(2, bob, "/start ABCDEFGHJKLM")
	l.posted("chat_id:2 ", "That challenge isn't open any more")
	count := map[string]int{}
	for _, c := range l.calls(0) {
		switch {
		case c.Number == 0:
		case c.Has("chat_id:3 "):
			count["to carol"]++
		case c.Has("chat_id:2 ", "Welcome!"):
			count["welcome"]++
		}
	}
	if count["to carol"] != 2 || count["welcome"] != 1 {
		t.Errorf("greetings and answers: %v", count)
	}
}

// TestHowManyMessagesAGameTakes plays one from the challenge to the result, with a draw and a
// takeback that are declined on the way, and compares how much is said with what is wanted.
func TestHowManyMessagesAGameTakes(t *testing.T) {
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7"}
	numbered := []string{"1. e4", "1… e5", "2. Nf3", "2… Nc6", "3. Bb5", "3… a6", "4. Ba4", "4… Nf6", "5. O-O", "5… Be7"}
	for _, private := range []bool{false, true} {
		l := live(t, newFake(t), &kvtest.Disk{})
		rooms := [2]int64{group, group}
		if private {
			rooms = [2]int64{alice.ID, bob.ID}
		}
		say := func(who int, text string) { l.Say(rooms[who], []person{alice, bob}[who], text) }
		heard := func(who int, parts ...string) { l.shown(append(parts, fmt.Sprintf("chat_id:%d ", rooms[who]))...) }
		if private {
			say(0, "/challenge chess white")
			say(1, "/start "+l.code("chat_id:1", "is looking for an opponent"))
		} else {
			say(0, "/challenge chess white")
			heard(1, "is looking for an opponent")
			say(1, "/accept")
		}
		heard(0, "photo", "move")
		heard(1, "photo", "move")
		for ply, move := range moves {
			say(ply%2, "/move "+move)
			heard(0, numbered[ply])
			heard(1, numbered[ply])
		}
		say(0, "/draw")
		heard(1, "draw", "Accept")
		say(1, "/decline")
		heard(0, "declines")
		say(1, "/takeback")
		heard(0, "takeback", "Accept")
		say(0, "/decline")
		heard(1, "declines")
		say(0, "/resign")
		heard(0, "Yes")
		say(0, "/resign")
		heard(0, "Rematch")
		heard(1, "Rematch")
		l.stopped()
		said, edited := 0, 0
		for _, c := range l.Calls {
			switch {
			case c.Number != 0:
				said++
			case strings.HasPrefix(c.Method, "editMessage"):
				edited++
			}
		}
		t.Logf("private %t: %d messages, %d edits", private, said, edited)
		if most := map[bool]int{false: 16, true: 19}[private]; said > most {
			t.Errorf("private %t: there are %d messages, want at most %d", private, said, most)
		}
	}
}

// shown waits for a message of the bot's, new or edited, with these parts.
func (l *life) shown(parts ...string) {
	l.t.Helper()
	l.Wait(fmt.Sprint("a message with ", parts), func() bool {
		for _, c := range l.Calls {
			if (c.Number != 0 || strings.HasPrefix(c.Method, "editMessage")) && c.Has(parts...) {
				return true
			}
		}
		return false
	})
}

// reviewed makes sure that a review is there when it is asked for: it may take longer than anybody
// waits for it.
func (l *life) reviewed() {
	l.t.Helper()
	if _, going, err := l.chat.bot.Thinker.Review(l.t.Context(), 0, 1, time.Minute); err != nil || going != nil {
		l.t.Fatalf("%v, %+v", err, going)
	}
}

func TestWhoReviewsAGameOfAGroupDoesSoInPrivate(t *testing.T) {
	l, _ := inGame(t)
	for i, text := range []string{"f3", "e5", "g4"} {
		l.Say(group, []person{alice, bob}[i%2], "/move "+text)
		l.posted("sendPhoto", []string{"1. f3", "1… e5", "2. g4"}[i])
	}
	l.Say(group, bob, "/move Qh4")
	h := &hand{l: l, who: bob, message: l.posted("sendPhoto", "wins by checkmate", "Review")}
	l.reviewed()
	h.tap("Review")
	l.shown("sendPhoto", "chat_id:2", "accuracy", "2. g4 (alice)")
	l.never("the group is told", fmt.Sprint("chat_id:", group, " "), "accuracy")
}
