package telegram

import (
	"fmt"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

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
		heard(0, "photo", "to move")
		heard(1, "photo", "to move")
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
		if most := map[bool]int{false: 15, true: 18}[private]; said > most {
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
