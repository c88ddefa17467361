package telegram

import (
	"strconv"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// ask has a new puzzle shown to alice in private.
func (l *life) ask() (h *hand, steps []puzzle.Step, at string) {
	l.t.Helper()
	l.Lock()
	l.Calls = nil // of another puzzle
	l.Unlock()
	l.Say(1, alice, "/puzzle combine")
	h = &hand{l: l, who: alice, chat: 1}
	h.message = l.posted("sendPhoto", "chat_id:1", "<b>Combine Chess</b>, puzzle", "to move and win", "Hint", "Next")
	move := h.find(func(b fake.Button) bool { return b.Text == "Move" })
	steps, at = fake.PuzzleOf(l.t, variants.All(), move.Data)
	return h, steps, at
}

func TestPuzzlesAreSolvedByButtons(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	for range 4 {
		h, steps, at := l.ask()
		for i := 0; i < len(steps); i += 2 {
			h.picks(at+strconv.Itoa(i/2)+" ", steps[i])
			if i+2 < len(steps) {
				l.shown("editMessageMedia", "is right!", "What now?")
			}
		}
		l.shown("editMessageMedia", "Solved:", "Your puzzle rating", "Next", "Again")
	}
}

// picks lets the move of a puzzle be picked, step by step.
func (h *hand) picks(at string, s puzzle.Step) {
	h.l.t.Helper()
	v := s.Before.Variant()
	from, to, try := v.Shape.Name(s.Move.From), v.Shape.Name(s.Move.To), "puzzle-try "+at+v.Coordinate(s.Move)
	press := func(data ...string) (done string) {
		h.push(h.find(func(b fake.Button) bool {
			for _, d := range data {
				if strings.HasPrefix(b.Data, d) {
					done = d
					return true
				}
			}
			return false
		}))
		return done
	}
	press("puzzle-pick " + at + "- - 0")
	press("puzzle-pick " + at + from + " - ")
	if press(try, "puzzle-pick "+at+from+" "+to+" ") != try {
		press(try)
	}
}
