package bot_test

import (
	"strings"
	"testing"

	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// suggested are the labels of what somebody may write as a move in a room.
func (o *office) suggested(room, who, game, typed string) string {
	o.t.Helper()
	m := message.Incoming{Place: storage.Address{Platform: "test", ID: room}, From: someone(who)}
	var labels []string
	for _, s := range o.bot.Suggest(o.t.Context(), m, "move", "move", game, typed) {
		if s.Value == "" {
			o.t.Errorf("%q stands for nothing", s.Label)
		}
		labels = append(labels, s.Label)
	}
	return strings.Join(labels, " ")
}

func TestNoMoveIsSuggestedWithoutAWordWhy(t *testing.T) {
	db := &counting{DB: new(kvtest.Disk).Open("suggest")}
	o := newOfficeOn(t, db)
	for _, line := range []string{
		"alice challenge @bob chess white", "bob accept", "carol challenge @bob chess white", "bob accept", "alice challenge @bob chess white",
		"bob accept", "alice e4 #1", "dave help",
	} {
		who, text, _ := strings.Cut(line, " ")
		o.says("room", who, text)
	}
	o.says("room", "alice", "challenge @carol chess white")
	o.says("room", "carol", "accept")
	before := db.updates
	for _, c := range []struct{ room, who, game, typed, want string }{
		{"room", "alice", "", "e", "It's your turn in 2 games here: choose one under “game” first."},
		{"room", "alice", "#1", "e", "It isn't your turn in #1: bob is thinking."},
		{"room", "alice", "#3", "e4", "e4 – The pawn moves from e2 to e4."},
		{"room", "bob", "", "e5", "e5 – The pawn moves from e7 to e5."},
		{"room", "dave", "", "", "You have no game here. Write challenge to start one."},
		{"room", "stranger", "", "", "You have no game here. Write challenge to start one."},
		{"elsewhere", "bob", "", "e5", "e5 – The pawn moves from e7 to e5."},
		{"room", "dave", "#1", "", "You aren't playing in #1. games lists the ones you play."},
		{"room", "alice", "#9", "", "There's no game #9. Write games to see yours."},
		{"room", "alice", "#0", "", "There's no game #0. Write games to see yours."},
	} {
		if got := o.suggested(c.room, c.who, c.game, c.typed); got != c.want {
			t.Errorf("%s, who types %q in %s about %q, is suggested %q, want %q", c.who, c.typed, c.room, c.game, got, c.want)
		}
	}
	if db.updates != before {
		t.Error("suggestions were written down")
	}
}
