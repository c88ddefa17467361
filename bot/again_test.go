package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// answers is the answer to a message with an id, as plain text.
func (o *office) answers(id, who, text, press string) string {
	o.t.Helper()
	var all []string
	for _, n := range o.hear("room", who, message.Incoming{ID: id, Text: text, Press: press}) {
		all = append(all, n.Text.Plain())
	}
	return strings.Join(all, "\n")
}

// line is the answer to what somebody writes, or presses if it begins with a slash: "bob: /join 1 -".
func (o *office) line(id, line string) string {
	o.t.Helper()
	who, text, _ := strings.Cut(line, ": ")
	if press, ok := strings.CutPrefix(text, "/"); ok {
		return o.answers(id, who, "", press)
	}
	return o.answers(id, who, text, "")
}

func TestAMessageThatComesAgainGetsItsAnswer(t *testing.T) {
	o := newOffice(t)
	n := 0
	for _, line := range []string{
		"alice: challenge @bob chess white", "bob: /join 1 -", "alice: /play 1 0 f2f3", "bob: e5", "alice: g4", "bob: Qh4", "alice: rematch",
		"bob: accept", "bob: draw", "alice: draw", "alice: challenge @bob chess white", "bob: accept", "bob: resign", "bob: resign",
	} {
		n++
		first := o.line(fmt.Sprint(n), line)
		if again := o.line(fmt.Sprint(n), line); again != first {
			t.Errorf("%s was answered\n%s\nand then\n%s", line, first, again)
		}
		o.drain()
	}
}

func TestWhatOnlyAsksIsNotRemembered(t *testing.T) {
	o := newOffice(t)
	remembered := func(text, press string) bool {
		o.answers("ask", "alice", text, press)
		again, err := o.service.Events.Again(t.Context(), event.By{Message: storage.MessageID{Platform: "test", ID: "ask"}})
		must(t, err)
		return again != nil
	}
	for _, text := range []string{"fen", "board #7", "moves", "games", "top", "help", "settings", "vacation", "if #7", "accept one two", "nonsense"} {
		if remembered(text, "") {
			t.Errorf("%q is", text)
		}
	}
	for _, press := range []string{"pick 7 0 - - 0", "flip 7 0"} {
		if remembered("", press) {
			t.Errorf("the button %q is", press)
		}
	}
	if !remembered("resign #7", "") {
		t.Error("a refusal is not")
	}
}

func TestATalkThatComesAgainIsStillNoMove(t *testing.T) {
	o := newOffice(t)
	heard := func(id, who, text string) bool { return o.overhears(id, "room", who, text, 0) }
	o.answers("1", "alice", "challenge @bob chess white", "")
	o.answers("2", "bob", "accept", "")
	o.answers("3", "alice", "e4", "")
	o.answers("4", "carol", "help", "")
	if heard("5", "alice", "Nf3") || heard("6", "alice", "well") || heard("7", "carol", "e5") || heard("8", "nobody", "e4") {
		t.Error("it is a move though nobody was to make it")
	}
	for id, want := range map[string]bool{"5": true, "6": false, "7": false, "8": false} {
		again, err := o.service.Events.Again(t.Context(), event.By{Message: storage.MessageID{Platform: "test", ID: id}})
		if err != nil || (again != nil) != want {
			t.Errorf("message %s is remembered as %v: %v", id, again, err)
		}
	}
	if _, err := o.service.Users.Known(t.Context(), someone("nobody").Address, storage.Address{Platform: "test", ID: "room"}); !errors.Is(err, storage.ErrNotFound) {
		t.Errorf("who only talks is known: %v", err)
	}
	o.answers("10", "bob", "e5", "")
	if heard("5", "alice", "Nf3") || !heard("9", "alice", "Nf3") {
		t.Error("only when it comes anew it shall be a move")
	}
}

func TestNoNamesAreRemembered(t *testing.T) {
	o := newOffice(t)
	for i, line := range []string{"alice: challenge @bob chess white", "bob: accept", "alice: challenge @bob chess white", "bob: accept", "alice: e4 #1"} {
		o.line(fmt.Sprint(i), line)
	}
	for id, text := range map[string]string{"turn": "Nf3 #1", "which": "resign", "nobody": "block @bobby"} {
		first := o.answers(id, "alice", text, "")
		again, err := o.service.Events.Again(t.Context(), event.By{Message: storage.MessageID{Platform: "test", ID: id}})
		if err != nil || again.Words == "" || strings.Contains(again.Words, "bob") {
			t.Errorf("%q is remembered as %q: %v", first, again.Words, err)
		}
	}
}

// TestNobodyIsMetAgainWhoWasForgotten names somebody who was forgotten, and sends their requests to be forgotten again.
func TestNobodyIsMetAgainWhoWasForgotten(t *testing.T) {
	var disk kvtest.Disk
	db := disk.Open("office")
	o := newOfficeOn(t, db)
	for _, line := range []string{"alice: challenge @bob chess white", "bob: accept", "alice: e4", "bob: e5"} {
		o.line(line, line)
	}
	o.answers("first", "bob", "forgetme", "")
	forgotten := o.answers("second", "bob", "forgetme", "")
	o.drain()
	unknown := func() {
		t.Helper()
		must(t, db.View(t.Context(), func(r kv.Reader) error {
			for item, err := range r.Scan(kv.Prefix([]byte("person/"))) {
				if err != nil {
					return err
				}
				contains(t, string(item.Value), "!bob")
			}
			return nil
		}))
	}
	unknown()
	if again := o.answers("second", "bob", "forgetme", ""); again != forgotten {
		t.Errorf("he is told %q, and then %q", forgotten, again)
	}
	unknown()
	for _, text := range []string{"profile @bob", "compare @bob", "compare @alice @bob", "games @bob", "next @bob", "accept @bob", "decline @bob", "cancel @bob"} {
		contains(t, o.answers(text, "alice", text, ""), "bob")
		unknown()
	}
}
