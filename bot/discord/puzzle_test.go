package discord

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
)

// ask has a new puzzle shown to alice.
func (l *life) ask() (shown string, steps []puzzle.Step, at string) {
	l.t.Helper()
	shown = l.Slash(room0, alice, "puzzle", "game=combine")
	l.answered(shown, "Combine Chess", "puzzle", "to move and win", "Hint", "Next")
	steps, at = fake.PuzzleOf(l.t, variants.All(), l.labelled(shown, "Move").Data)
	return shown, steps, at
}

// labelled is the button of a label below what answered a press.
func (l *life) labelled(shown, label string) pressable {
	l.t.Helper()
	buttons := l.buttons(shown)
	i := slices.IndexFunc(buttons, func(b pressable) bool { return b.Label == label })
	if i < 0 {
		l.t.Fatalf("no button %s among %v", label, buttons)
	}
	return buttons[i]
}

func TestPuzzlesAreSolvedByButtonsAndMenus(t *testing.T) {
	l := ready(t)
	for range 4 {
		shown, steps, at := l.ask()
		for i := 0; i < len(steps); i += 2 {
			s, turn := steps[i], at+strconv.Itoa(i/2)+" "
			v := s.Before.Variant()
			from, to, try := v.Shape.Name(s.Move.From), v.Shape.Name(s.Move.To), "puzzle-try "+turn+v.Coordinate(s.Move)
			shown, _ = l.follow(room0, alice, shown, "puzzle-pick "+turn+"- - 0")
			shown, _ = l.follow(room0, alice, shown, "puzzle-pick "+turn+from+" - ")
			var done string
			if shown, done = l.follow(room0, alice, shown, try, "puzzle-pick "+turn+from+" "+to+" "); done != try {
				shown, _ = l.follow(room0, alice, shown, try)
			}
		}
		l.answered(shown, "Solved:", "Your puzzle rating", "Next", "Again")
	}
}

func TestAPuzzleHelpsAndTellsTheMove(t *testing.T) {
	l := ready(t)
	shown, steps, at := l.ask()
	for i := 0; i < len(steps); i += 2 {
		for n, says := range []string{"counts as a wrong answer", "What can", "Play it to see what happens"} {
			if i > 0 && n == 0 {
				continue // it has counted
			}
			shown = l.Press(room0, alice, l.labelled(shown, "Hint"))
			l.answered(shown, says)
		}
		i := slices.IndexFunc(l.buttons(shown), func(b pressable) bool { return strings.HasPrefix(b.Data, "puzzle-try "+at) })
		if i < 0 {
			t.Fatalf("the move cannot be played: %v", l.buttons(shown))
		}
		shown = l.Press(room0, alice, l.buttons(shown)[i])
	}
	l.answered(shown, "Solved:")
	l.answered(l.Press(room0, alice, l.labelled(shown, "Next")), "to move and win")
}
