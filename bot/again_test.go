package bot_test

import (
	"errors"
	"fmt"
	"slices"
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

func TestAChatWithoutAServerHasNoneToManage(t *testing.T) {
	o := newOffice(t)
	for _, text := range []string{"settings here", "settings here days 5", "settings here hide @bob", "settings here unhide @bob", "settings here annul #1", "settings here hide"} {
		contains(t, o.answers(text, "alice", text, ""), "doesn't belong to a server")
	}
}

func TestAButtonUnderAnOfferAnswersThatOffer(t *testing.T) {
	o := newOffice(t)
	o.talks(
		"alice challenge @bob chess white", "bob accept", "alice e4", "bob e5", "alice draw", "alice takeback",
	)
	o.drain()
	var accept, decline []string
	for _, p := range o.chat.said {
		for _, button := range p.Note.Buttons {
			switch {
			case p.Entry.Ply != 2:
			case button.Label == "Accept":
				accept = append(accept, button.Do)
			case button.Label == "Decline":
				decline = append(decline, button.Do)
			}
		}
	}
	if len(accept) != 2 || len(decline) != 2 {
		t.Fatalf("buttons are %v and %v", accept, decline)
	}
	o.chat.said = nil
	o.answers("1", "bob", "", decline[1]) // of the takeback
	o.answers("2", "bob", "", accept[0])  // of the draw
	o.delivers("room: #1 takeback declined", "room: #1 ended")
}

// TestARefusedMessageThatComesAgainDoesNothing refuses a message, makes it possible, and sends it again, as after a
// crash.
func TestARefusedMessageThatComesAgainDoesNothing(t *testing.T) {
	for _, c := range []struct{ before, refused, possible string }{
		{"", "alice: move Nf3", "bob: e5"},
		{"", "alice: Nf3", "bob: e5"},
		{"", "bob: exd4", "bob: e5\nalice: d4"}, // illegal
		{"", "bob: accept", "alice: challenge @bob chess white"},
		{"", "alice: cancel", "alice: draw"},
		{"", "bob: rematch", "bob: resign\nbob: resign"},
		{"", "carol: draw #1", ""},
		{"alice: challenge @bob chess white\nbob: accept", "alice: resign", "bob: resign #2\nbob: resign #2"},
		{"bob: e5", "bob: /takeback 1 1", "bob: takeback\nalice: accept"}, // a stale button
	} {
		t.Run(c.refused, func(t *testing.T) {
			o := newOffice(t)
			n := 0
			say := func(lines string) {
				for line := range strings.Lines(lines) {
					n++
					o.line(fmt.Sprint(n), strings.TrimSpace(line))
				}
				o.drain()
			}
			say("alice: challenge @bob chess white\nbob: accept\nalice: e4")
			say(c.before)
			first := o.line("again", c.refused)
			say(c.possible)
			o.chat.said = nil
			before := o.line("", "alice: games") + o.line("", "bob: games")
			if again := o.line("again", c.refused); again != first {
				t.Errorf("it was answered\n%s\nand then\n%s", first, again)
			}
			o.drain()
			if after := o.line("", "alice: games") + o.line("", "bob: games"); after != before || len(o.chat.said) > 0 {
				t.Errorf("it was\n%s\nand is\n%s\nand %d things were said", before, after, len(o.chat.said))
			}
		})
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

func TestAQuestionThatIsAskedAgainHasItsButtons(t *testing.T) {
	o := newOffice(t)
	o.answers("1", "alice", "challenge @bob combine white", "")
	o.answers("2", "bob", "accept", "")
	for range 2 {
		notes := o.hear("room", "alice", message.Incoming{ID: "3", Text: "Rb1"})
		if len(notes) != 1 || !slices.Equal(notes[0].Buttons, []message.Button{{Label: "R~Nb1", Do: "play 1 0 R~Nb1"}}) {
			t.Errorf("it is answered %+v", notes)
		}
	}
}

func TestAcceptPressedTwiceSaysNothingMore(t *testing.T) {
	o := newOffice(t)
	o.answers("1", "alice", "challenge @bob chess white", "")
	first := o.answers("2", "bob", "", "join 1 -")
	if again := o.answers("3", "bob", "", "join 1 -"); again != first {
		t.Errorf("the second press is answered %q, the first %q", again, first)
	}
	contains(t, o.answers("4", "carol", "", "join 1 -"), "isn't open")
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
		err := db.View(t.Context(), func(r kv.Reader) error {
			for item, err := range r.Scan(kv.Prefix([]byte("person/"))) {
				if err != nil {
					return err
				}
				contains(t, string(item.Value), "!bob")
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
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
