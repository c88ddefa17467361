package telegram

import (
	"fmt"
	"testing"

	"chimera/bot"
	"chimera/bot/limit"
)

func TestEditsOfMessagesThatAreNeverLookedAtAgainAreForgotten(t *testing.T) {
	var e edits
	for i := range 10 * limit.Watched {
		message := fmt.Sprint("message/", i)
		for n := range maxEdits + 1 {
			enough, there := e.add(message, []bot.Button{{Label: "Move", Do: fmt.Sprint(n)}}, false)
			if enough != (n == maxEdits) || there {
				t.Fatalf("edit %d of message %d: %v, %v", n, i, enough, there)
			}
		}
	}
	if len(e.known) > limit.Watched {
		t.Errorf("%d messages are known", len(e.known))
	}
}
