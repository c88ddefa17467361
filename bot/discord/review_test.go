package discord

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// reviews looks at the review of the first game, which has ended, by buttons and by the
// command.
func (l *life) reviews(thread string) {
	l.t.Helper()
	if _, going, err := l.chat.bot.Thinker.Review(l.t.Context(), 0, 1, time.Minute); err != nil || going != nil { // it may take longer than anybody waits
		l.t.Fatalf("%v, %+v", err, going)
	}
	for press, parts := range map[string][]string{
		"review 1 -": {"accuracy", "moment 1 - 0"}, "moment 1 - 0": {"moment 1 of", "reviewed 1 -"}, "reviewed 1 -": {"accuracy", "moment 1 - 0"},
	} {
		l.tells(l.Press(thread, alice, pressable{Data: press}), parts...)
	}
	l.tells(l.Slash(thread, alice, "review"), "accuracy", "moment 1 - 0")
}

// tells waits until an interaction was answered so, at once or as it was promised.
func (l *life) tells(interaction string, parts ...string) {
	l.t.Helper()
	l.Wait(fmt.Sprint("an answer with ", parts), func() bool {
		return slices.ContainsFunc(l.Calls, func(c call) bool {
			return (strings.Contains(c.Path, "token"+interaction) || strings.Contains(c.Path, "interactions/"+interaction+"/")) && c.Has(parts...)
		})
	})
}
