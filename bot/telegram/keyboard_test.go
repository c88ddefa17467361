package telegram

import (
	"fmt"
	"testing"

	"chimera/bot/limit"
)

func TestEditsOfMessagesThatAreNeverLookedAtAgainAreForgotten(t *testing.T) {
	var e edits
	for i := range 10 * limit.Watched {
		for range maxEdits {
			if !e.add(fmt.Sprint("message/", i)) {
				t.Fatalf("message %d was edited too often", i)
			}
		}
		if e.add(fmt.Sprint("message/", i)) {
			t.Fatalf("message %d was not edited too often", i)
		}
	}
	if len(e.times) > limit.Watched {
		t.Errorf("%d messages are counted", len(e.times))
	}
}
