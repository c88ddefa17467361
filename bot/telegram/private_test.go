package telegram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// inPrivate lets alice and bob begin a game, each in their own chat, and is the numbers of their
// first boards.
func inPrivate(l *life) (boards [2]int) {
	l.Say(1, alice, "/challenge chess white")
	l.Say(2, bob, "/start "+l.code("chat_id:1", "is looking for an opponent"))
	l.posted("sendMessage", "chat_id:2", "Welcome!")
	return [2]int{l.posted("sendPhoto", "chat_id:1", "Your move"), l.posted("sendPhoto", "chat_id:2", "to move by")}
}

// playing is a bot with such a game.
func playing(t *testing.T) (l *life, boards [2]int) {
	t.Helper()
	l = live(t, newFake(t), &kvtest.Disk{})
	return l, inPrivate(l)
}

// The pieces that can move first, on the buttons of boards in private chats.
const whites, blacks = "a2 Nb1 b2 c2 d2 e2 f2 Ng1 g2 h2", "a7 b7 Nb8 c7 d7 e7 f7 g7 Ng8 h7"

// labels are those of the buttons that a message was given last.
func (l *life) labels(message int) string {
	l.Lock()
	defer l.Unlock()
	return l.labelsNow(message)
}

// labelsNow is labels where the owner has locked.
func (l *life) labelsNow(message int) (labels string) {
	for _, c := range l.Calls {
		if c.Number == message || strings.HasPrefix(c.Method, "editMessage") && c.Fields["message_id"] == fmt.Sprint(message) {
			labels = labelsOf(c)
		}
	}
	return labels
}

// labelsOf are the labels of the buttons that a request shows.
func labelsOf(c call) string {
	var labels []string
	for _, b := range c.Buttons() {
		labels = append(labels, b.Text)
	}
	return strings.Join(labels, " ")
}

func TestOnesOwnMoveIsShownOnTheBoardThatIsThereAlready(t *testing.T) {
	l, boards := playing(t)
	if mine, theirs := l.labels(boards[0]), l.labels(boards[1]); mine != whites+" Flip Draw Resign More" || theirs != "Flip Draw Resign More" {
		t.Errorf("the buttons are %q and %q", mine, theirs)
	}
	l.Say(1, alice, "e4")
	l.shown("editMessageMedia", fmt.Sprint("message_id:", boards[0], " "), "1. e4")
	turn := l.posted("sendPhoto", "chat_id:2", "1. e4", "Your move (Black)")
	if mine, theirs := l.labels(boards[0]), l.labels(turn); mine != "Flip Draw Resign More" || theirs != blacks+" Flip Draw Resign More" {
		t.Errorf("the buttons are %q and %q", mine, theirs)
	}
	l.Say(2, bob, "e5")
	l.shown("editMessageMedia", fmt.Sprint("message_id:", turn, " "), "1… e5")
	l.posted("sendPhoto", "chat_id:1", "1… e5", "Your move (White)")
}

func TestAReplyToAPuzzleIsItsAnswerThoughAGameCalls(t *testing.T) {
	l, _ := playing(t)
	l.Say(2, bob, "/puzzle chess")
	puzzle := l.posted("sendPhoto", "chat_id:2 ", "puzzle")
	l.Say(1, alice, "e4")
	l.posted("sendPhoto", "chat_id:2 ", "Your move (Black)")
	l.Say(2, bob, "e5", replyTo(puzzle))
	l.posted("chat_id:2 ", "puzzle 1", "In #1 that move is possible")
}

func TestOnesOwnMoveIsANewMessageWhereTheBoardIsGone(t *testing.T) {
	l, _ := playing(t)
	refuses(l.double, refused(400, "Bad Request: message to edit not found"), "editMessageMedia ")
	l.Say(1, alice, "e4")
	l.posted("sendPhoto", "chat_id:1", "1. e4")
	l.posted("sendPhoto", "chat_id:2", "1. e4")
}

// TestAMoveTakesThreePressesInPrivate has bob choose that his needs no Confirm.
func TestAMoveTakesThreePressesInPrivate(t *testing.T) {
	l, boards := playing(t)
	h := &hand{l: l, who: alice, chat: 1, message: boards[0]}
	h.tap("e2")
	h.tap("e4")
	h.tap("Confirm")
	turn := l.posted("sendPhoto", "chat_id:2", "1. e4")
	l.Say(2, bob, "/settings confirm off")
	l.posted("chat_id:2 ", "Confirm moves by buttons: off")
	h = &hand{l: l, who: bob, chat: 2, message: turn}
	h.tap("e7")
	h.tap("e5")
	l.posted("sendPhoto", "chat_id:1", "1… e5")
}

// TestABoardIsFlippedWhereItIs presses twice: the second time it is turned back.
func TestABoardIsFlippedWhereItIs(t *testing.T) {
	l, boards := playing(t)
	before := len(l.calls(0))
	for i, data := range []string{"flip 1 0", "unflip 1 0"} {
		l.Press(2, bob, boards[1], data)
		l.Wait("the board to be turned", func() bool {
			return count(l.Calls, "editMessageMedia ", fmt.Sprint("message_id:", boards[1], " ")) > i
		})
	}
	var flips []string
	for _, c := range l.calls(before) {
		if c.Method == "editMessageMedia" {
			for _, b := range c.Buttons() {
				if b.Text == "Flip" {
					flips = append(flips, b.Data)
				}
			}
		}
		if strings.HasPrefix(c.Method, "send") {
			t.Errorf("something was posted: %v", c)
		}
	}
	if fmt.Sprint(flips) != "[unflip 1 0 flip 1 0]" {
		t.Errorf("the buttons do %q", flips)
	}
}

func TestABoardStaysInTheLanguageOfItsGroup(t *testing.T) {
	l, board := inGame(t)
	l.Say(carol.ID, carol, "/start", func(m map[string]any) { m["from"].(map[string]any)["language_code"] = "de" })
	l.posted("Hallo!")
	l.Press(group, carol, board, "flip 1 0")
	l.shown("editMessageMedia", fmt.Sprint("message_id:", board, " "), "alice (White)", "Flip")
	l.Press(group, carol, board, "draw 1 0")
	l.requested("answerCallbackQuery", "Du spielst nicht in")
}

func TestAHintForThePuzzleOfTheDayIsShownWhereItIs(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	l.Say(1, alice, "/puzzle daily")
	puzzle := l.posted("sendPhoto", "Puzzle of the day")
	h := &hand{l: l, who: alice, chat: 1, message: puzzle}
	h.tap("Hint")
	l.shown("editMessageMedia", fmt.Sprint("message_id:", puzzle, " "), "piece to move")
}

func TestAnOfferIsCancelledByWhoMadeIt(t *testing.T) {
	l, boards := playing(t)
	l.Say(1, alice, "/draw")
	theirs := l.posted("chat_id:2", "offers", "draw")
	mine := fmt.Sprint("message_id:", boards[0], " ")
	l.shown("editMessageMedia", mine, "offers", "draw")
	if mine, theirs := l.labels(boards[0]), l.labels(theirs); mine != whites+" Cancel Flip Draw Resign More" || theirs != "Accept Decline" {
		t.Errorf("the buttons are %q and %q", mine, theirs)
	}
	l.Press(1, alice, boards[0], "refuse-draw 1 0")
	l.shown("editMessageText", "chat_id:2", "withdraws")
	l.shown("editMessageMedia", mine, "withdraws")
}

// TestAnAnsweredQuestionBecomesItsAnswer declines a draw in a group and in private chats.
func TestAnAnsweredQuestionBecomesItsAnswer(t *testing.T) {
	l, _ := playing(t)
	l.Say(1, alice, "/draw")
	theirs := l.posted("chat_id:2", "offers", "draw")
	l.Press(2, bob, theirs, "refuse-draw 1 0")
	l.shown("editMessageText", fmt.Sprint("message_id:", theirs, " "), "declines")
	l.posted("sendMessage", "chat_id:1", "declines")
	l.Wait("the buttons to go", func() bool { return l.labelsNow(theirs) == "" })
	l.Say(group, alice, "/challenge chess")
	asked := l.posted("chat_id:-500", "is looking for an opponent")
	l.Press(group, alice, asked, "call-off 2 -")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "withdraws")
	for _, c := range l.calls(0) {
		if c.Number > asked {
			t.Errorf("something was posted: %v", c)
		}
	}
}

// TestAQuestionStandsAboveItsButtonsAndSaysWhatBecameOfIt is about a draw, too.
func TestAQuestionStandsAboveItsButtonsAndSaysWhatBecameOfIt(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	board := inPrivate(l)[0]
	asked := 0
	for _, step := range []struct{ press, asks, answer, became string }{
		{"resign 1 0", "Resign game #1?", "resign-no 1 -", "the game goes on"},
		{"draw 1 0", "Offer a draw in #1", "draw-no 1 -", "the game goes on"},
		{"draw 1 0", "Offer a draw in #1", "draw-yes 1 -", "#1: draw offered."},
		{"resign 1 0", "Resign game #1?", "resign-yes 1 -", "#1: resigned."},
	} {
		l.Press(1, alice, board, step.press)
		l.Wait(step.asks, func() bool {
			i := slices.IndexFunc(l.Calls, func(c call) bool {
				return c.Number > asked && c.Has("sendMessage", "chat_id:1 ", step.asks, "Yes", "No")
			})
			if i >= 0 {
				asked = l.Calls[i].Number
			}
			return i >= 0
		})
		l.Press(1, alice, asked, step.answer)
		l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), step.became)
	}
	l.posted("chat_id:2 ", "You win by resignation")
}

func TestOnlyWhoWasAskedInAGroupAnswersAndOthersLeaveTheQuestionOpen(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	begins(l, variants.All()[6])
	board := l.posted("sendPhoto", "Chess #1")
	l.Press(group, alice, board, "draw 1 0")
	asked := l.posted("sendMessage", "alice: Offer a draw in #1", "Yes", "No")
	l.Say(group, alice, "/challenge@ChimeraBot chess")
	challenge := l.posted(fmt.Sprint("chat_id:", group), "is looking")
	for n, press := range []struct {
		message int
		data    string
	}{{asked, "draw-yes 1 -"}, {asked, "draw-no 1 -"}, {challenge, "draw-no 1 -"}} {
		l.Press(group, bob, press.message, press.data)
		l.Wait("bob to be refused", func() bool {
			return count(l.Calls, "answerCallbackQuery ", "That question isn't open any more. If you still want that, begin again.") == n+1
		})
	}
	l.Press(group, alice, asked, "draw-yes 1 -")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "#1: draw offered.")
	l.never("bob's press has changed it", "editMessageText", "open any more")
	l.posted("alice offers")
	l.Say(group, alice, "/resign@ChimeraBot")
	asked = l.posted("Resign game #1?")
	l.Press(group, bob, asked, "resign-yes 1 -")
	l.Press(group, alice, asked, "resign-yes 1 -")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "#1: resigned.")
}

// TestAnOfferCallsWhoeverMayAnswer asks for a takeback in private chats, where it is declined, and for a
// draw in a group, where that is agreed to. Whoever asks sees it on their board.
func TestAnOfferCallsWhoeverMayAnswer(t *testing.T) {
	l, _ := playing(t)
	l.Say(1, alice, "e4")
	l.posted("sendPhoto", "chat_id:2", "1. e4")
	l.Say(1, alice, "/takeback")
	asked := l.posted("sendMessage", "chat_id:2 ", "alice asks", "takeback", "Accept")
	l.shown("editMessageMedia", "chat_id:1 ", "alice asks", "Cancel")
	l.Press(2, bob, asked, "refuse-takeback 1 1")
	l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), "bob declines")
	l.shown("editMessageMedia", "chat_id:1 ", "bob declines")
	begins(l, variants.All()[6])
	l.posted("sendPhoto", "Chess #2")
	l.Say(group, bob, "/draw@ChimeraBot")
	asked = l.posted("sendMessage", "chat_id:-500 ", "bob offers", "Accept")
	l.Press(group, alice, asked, "agree-draw 2 0")
	l.posted("sendPhoto", "chat_id:-500", "Draw by agreement")
}

// TestAnOfferSaysWhatBecameOfIt is about a draw offer after which its maker moves, and then the other, and about
// a takeback that is granted.
func TestAnOfferSaysWhatBecameOfIt(t *testing.T) {
	l, _ := playing(t)
	became := func(asked int, words string) {
		t.Helper()
		l.shown("editMessageText", fmt.Sprint("message_id:", asked, " "), words)
	}
	l.Say(1, alice, "/draw")
	asked := l.posted("sendMessage", "chat_id:2 ", "offers", "draw", "Accept")
	l.Say(1, alice, "e4")
	became(asked, "#1: still open: the newest board asks.")
	if got := l.labels(l.posted("sendPhoto", "chat_id:2 ", "1. e4", "alice offers")); got != blacks+" Accept Decline Flip Draw Resign More" {
		t.Errorf("the buttons are %q", got)
	}
	l.Say(2, bob, "e5")
	if got := l.labels(l.posted("sendPhoto", "chat_id:1 ", "1… e5")); strings.Contains(got, "Accept") || strings.Contains(got, "Cancel") {
		t.Errorf("the buttons are %q", got)
	}
	l.Say(1, alice, "/takeback")
	asked = l.posted("sendMessage", "chat_id:2 ", "takeback", "Accept")
	l.Press(2, bob, asked, "agree-takeback 1 2")
	became(asked, "#1: accepted.")
}

func TestADeclinedChallengeSaysSoAtWhoHasMadeIt(t *testing.T) {
	l, _ := playing(t)
	l.Say(1, alice, "/resign")
	l.Press(1, alice, l.posted("Resign game #1?"), "resign-yes 1 -")
	l.Say(1, alice, "/rematch")
	made := l.posted("sendMessage", "chat_id:1 ", "#2", "Cancel")
	l.Press(2, bob, l.posted("sendMessage", "chat_id:2 ", "#2", "Decline"), "turn-down 2 -")
	l.shown("editMessageText", fmt.Sprint("message_id:", made, " "), "bob declines challenge #2")
	l.posted("sendMessage", "chat_id:1 ", "bob declines challenge #2")
}

// TestBoardsAreToldInWordsToWhoeverWantsThat is about a private chat and a group.
func TestBoardsAreToldInWordsToWhoeverWantsThat(t *testing.T) {
	l := managed(t)
	l.Say(1, alice, "/settings words on")
	l.posted("chat_id:1 ", "Boards in words: on")
	inPrivate(l)
	l.posted("sendPhoto", "chat_id:1 ", "<blockquote expandable>White is alice, to move by ", "White: King e1")
	l.Say(group, alice, "/challenge chess white")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "chat_id:-500 ", "to move by")
	for _, c := range l.calls(0) {
		if !c.Has("chat_id:1 ") && c.Has("White: King e1") {
			t.Errorf("it is told to all: %v", c)
		}
	}
	l.Say(group, alice, "/settings@ChimeraBot here words on")
	l.posted("chat_id:-500 ", "Boards in words: on")
	l.Say(group, alice, "/move e4")
	l.posted("sendPhoto", "chat_id:-500 ", "<blockquote expandable>White is alice. Black is bob, to move by ", "White: King e1")
}
