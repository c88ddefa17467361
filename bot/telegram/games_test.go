package telegram

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// begins lets alice and bob begin a game, and is the number of its first board.
func begins(l *life, v *rules.Variant) int {
	l.Say(bob.ID, bob, "hello")
	l.posted("Hello!")
	l.Say(group, alice, "/challenge@ChimeraBot @bob "+v.Key+" white")
	l.Say(group, bob, "accept", replyTo(l.posted("alice challenges", "Accept")))
	return l.posted("sendPhoto", "to move by", "Move")
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

// TestWholeGamesByEachWayToMove plays each game to its end, and reviews it. No message is edited too often.
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
			l.reviews()
			l.silent(t, "went wrong", "isn't")
			if strings.Contains(l.log.String(), "level=ERROR") {
				t.Error("an error was logged")
			}
		})
	}
}

func TestTheButtonsOfABoardComeBack(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	board := begins(l, variants.All()[0])
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
				if c.Number == h.message || strings.HasPrefix(c.Method, "editMessage") && c.Fields["message_id"] == strconv.Itoa(h.message) {
					buttons = c.Buttons()
					if len(buttons) == 0 { // they were taken away, as it goes on below another
						continue
					}
					return true
				}
				if c.Number != 0 && c.Has(fmt.Sprintf(`"message_id":%d,`, h.message)) { // it goes on below another
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
	l := live(t, newFake(t), &kvtest.Disk{})
	board := begins(l, variants.All()[0])
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
	l := live(t, newFake(t), &kvtest.Disk{})
	board := begins(l, variants.All()[0])
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
	engine := &fake.Counted{DB: new(kvtest.Disk).Open("db")}
	l := liveOn(t, f, kept{engine})
	l.Say(2, bob, "/start")
	l.posted("challenge")
	l.Say(group, alice, "/challenge @bob chess white")
	l.posted("alice challenges", "Accept")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "to move by", "Move")
	l.stopped()
	l = liveOn(t, f, kept{engine})
	commits, memories := engine.Commits.Load(), engine.Memories.Load()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, move := range moves {
		l.Say(group, []person{alice, bob}[ply%2], "/move "+move)
		l.posted("sendPhoto", []string{"1. e4", "1… e5", "2. Nf3", "2… Nc6", "3. Bb5", "3… a6", "4. Ba4", "4… Nf6"}[ply])
	}
	l.stopped()
	engine.Costs(t, len(moves), commits, memories)
}

// kept is an engine that is not closed with its store.
type kept struct{ *fake.Counted }

// Close does nothing.
func (kept) Close() error { return nil }
