package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"chimera/bot"
	"chimera/storage"
)

// hears is the answer to a message with an id, as plain text.
func (o *office) answers(id, who, text, press string) string {
	o.t.Helper()
	m := bot.Message{
		ID: id, Place: storage.Address{Platform: "test", ID: "room"}, From: someone(who), Text: text, Press: press,
		People: map[string]bot.Person{"@bob": someone("bob")},
	}
	notes, err := o.bot.Handle(o.t.Context(), m)
	if err != nil {
		o.t.Fatal(err)
	}
	var all []string
	for _, n := range notes {
		all = append(all, n.Text.Plain())
	}
	return strings.Join(all, "\n")
}

func TestAMessageThatComesAgainGetsItsAnswer(t *testing.T) {
	o := newOffice(t)
	n := 0
	twice := func(who, text, press string) {
		t.Helper()
		n++
		id := fmt.Sprint(n)
		first := o.answers(id, who, text, press)
		if again := o.answers(id, who, text, press); again != first {
			t.Errorf("%s%s was answered\n%s\nand then\n%s", text, press, first, again)
		}
		o.drain()
	}
	twice("alice", "challenge @bob chess white", "")
	twice("bob", "", "join 1 -")
	twice("alice", "", "play 1 0 f2f3")
	twice("bob", "e5", "")
	twice("alice", "g4", "")
	twice("bob", "Qh4", "")
	twice("alice", "rematch", "")
	twice("bob", "accept", "")
	twice("bob", "draw", "")
	twice("alice", "draw", "")
	twice("alice", "challenge @bob chess white", "")
	twice("bob", "accept", "")
	twice("bob", "resign", "")
	twice("bob", "resign", "")
}

func TestAButtonUnderAnOfferAnswersThatOffer(t *testing.T) {
	o := newOffice(t)
	for _, line := range []string{
		"alice challenge @bob chess white", "bob accept", "alice e4", "bob e5", "alice draw", "alice takeback",
	} {
		who, text, _ := strings.Cut(line, " ")
		o.says("room", who, text)
	}
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
	o.answers("1", "bob", "", decline[1]) // the takeback's
	o.answers("2", "bob", "", accept[0])  // the draw's
	o.drain()
	o.hears("room: #1 takeback declined", "room: #1 ended")
}
