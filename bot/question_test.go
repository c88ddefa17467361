package bot_test

import (
	"strings"
	"testing"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/storage"
)

// answered is what is said to a button that somebody presses in the room.
func (o *office) answered(who, press string) message.Message {
	o.t.Helper()
	from := message.Account{Address: storage.Address{Platform: "test", ID: who}, Name: who}
	notes, err := o.bot.Handle(o.t.Context(), message.Incoming{Place: storage.Address{Platform: "test", ID: "room"}, From: from, Press: press})
	if err != nil || len(notes) != 1 {
		o.t.Fatalf("%s is answered by %d notes: %v", press, len(notes), err)
	}
	return notes[0]
}

const notOpen = "That question isn't open any more."

func TestAnAnswerToAQuestionThatNobodyWasAskedDoesNothing(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white unrated")
	o.says("room", "bob", "accept")
	was := o.playing()
	for _, press := range []string{
		"draw-yes 1 -", "draw-no 1 -", "resign-yes 1 -", "resign-no 1 -", "abort-yes 1 -", "abort-no 1 -", "annul-no 1 -",
		"forget-yes 0 -", "forget-no 0 -", "link-yes 0 - ABCDEFGHJKLM", "give-yes 0 - ABCDEFGHJKLM",
	} {
		ofGame := strings.HasSuffix(press, " 1 -") // others can have been asked what is about none
		if n := o.answered("bob", press); n.Text.Plain() != notOpen || n.Settles != ofGame {
			t.Errorf("%s is answered %q, and settles: %v", press, n.Text.Plain(), n.Settles)
		}
	}
	if now := o.playing(); len(now) != len(was) {
		t.Errorf("%d games are played, and %d were", len(now), len(was))
	}
}

func TestAQuestionIsAnsweredByWhomItWasAskedAlone(t *testing.T) {
	for _, verb := range []string{"draw", "resign", "abort"} {
		o := newOffice(t)
		o.says("room", "alice", "challenge @bob chess white unrated")
		o.says("room", "bob", "accept")
		if verb == "abort" {
			o.says("room", "alice", "abort")
		} else {
			o.answered("alice", verb+" 1 0")
		}
		for _, answer := range []string{"-yes 1 -", "-no 1 -"} {
			if n := o.answered("bob", verb+answer); n.Text.Plain() != notOpen || n.Settles {
				t.Errorf("bob's %s%s to alice is answered %q, and settles: %v", verb, answer, n.Text.Plain(), n.Settles)
			}
		}
		if n := o.answered("alice", verb+"-yes 1 -"); !n.Ack || !n.Settles || !strings.HasPrefix(n.Text.Plain(), "#1: ") {
			t.Errorf("alice's own yes to %s is answered %q, and settles: %v", verb, n.Text.Plain(), n.Settles)
		}
		if n := o.answered("alice", verb+"-yes 1 -"); n.Ack {
			t.Errorf("her second yes to %s counts too", verb)
		}
	}
}

func TestTheAnswerToADrawThatWasOfferedMeanwhileAgreesToIt(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white unrated")
	o.says("room", "bob", "accept")
	o.answered("alice", "draw 1 0")
	o.says("room", "bob", "draw")
	if n := o.answered("alice", "draw-yes 1 -"); n.Text.Plain() != "#1: draw agreed." {
		t.Errorf("it is answered %q", n.Text.Plain())
	}
}

func TestTheEmptyLobbyOfAPrivateChatPromisesNoOther(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "alice"}
	p.writes("lobby")
	if got := p.said.Text.Plain(); !strings.Contains(got, "gives you a code") || strings.Contains(got, "in the lobby") {
		t.Errorf("it says: %s", got)
	}
	p.writes("challenge")
	p.says("bob", "bob", "lobby")
	bob := &pupil{office: p.office, who: "bob"}
	bob.writes("lobby")
	if len(bob.said.Buttons) != 1 || strings.Contains(bob.said.Text.Plain(), "alice") {
		t.Errorf("bob sees in private: %s", bob.said.Text.Plain())
	}
}

// TestARematchThatBothWantAtOnce is told as the game that has begun before either has heard of the
// challenge.
func TestARematchThatBothWantAtOnce(t *testing.T) {
	o := newOffice(t)
	o.says("bob", "bob", "games")
	o.says("alice", "alice", "challenge @bob chess white unrated")
	o.says("bob", "bob", "accept")
	o.says("bob", "bob", "resign")
	o.says("bob", "bob", "resign")
	o.drain()
	o.chat.said = nil
	o.says("bob", "bob", "rematch #1")
	o.says("alice", "alice", "rematch #1")
	o.drain()
	for _, d := range o.chat.said {
		if d.Entry.Kind != string(event.Began) {
			t.Errorf("%s is told: %s", d.Place.Address.ID, d.Note.Text.Plain())
		}
	}
	if len(o.chat.said) != 2 {
		t.Errorf("%d things are told, want the board to both", len(o.chat.said))
	}
}
