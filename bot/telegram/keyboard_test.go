package telegram

import (
	"fmt"
	"testing"

	"chimera/bot/limit"
	"chimera/bot/message"
)

func TestEditsOfMessagesThatAreNeverLookedAtAgainAreForgotten(t *testing.T) {
	var e edits
	for i := range 10 * limit.Watched {
		key := messageAt{1, i}
		for n := range maxEdits + 1 {
			enough, there := e.add(key, []message.Button{{Label: "Move", Do: fmt.Sprint(n)}}, false)
			if enough != (n == maxEdits) || there {
				t.Fatalf("edit %d of message %d: %v, %v", n, i, enough, there)
			}
		}
	}
	if len(e.known) > limit.Watched {
		t.Errorf("%d messages are known", len(e.known))
	}
}

func TestNoButtonStandsAloneBelowABoard(t *testing.T) {
	for n, want := range map[int]int{1: 1, 4: 4, 5: 3, 7: 4, 9: 3} {
		buttons := make([]message.Button, n)
		buttons[0].Label = "Resign"
		if got := perRow(buttons); got != want {
			t.Errorf("of %d buttons %d stand in a row, want %d", n, got, want)
		}
	}
}
