package telegram

import (
	"testing"

	"chimera/bot/message"
)

func TestNoButtonStandsAloneBelowABoard(t *testing.T) {
	for n, want := range map[int]int{1: 1, 4: 4, 5: 3, 7: 4, 9: 3} {
		buttons := make([]message.Button, n)
		buttons[0].Label = "Resign"
		if got := perRow(buttons); got != want {
			t.Errorf("of %d buttons %d stand in a row, want %d", n, got, want)
		}
	}
}
