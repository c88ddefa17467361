package bot_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/outbox"
)

func TestWhatIsNoMoveInAPrivateGameGoesToTheOpponentIfBothWantThat(t *testing.T) {
	o := newOffice(t)
	heard := func(who string) (said []string) {
		o.sayAll()
		for _, d := range o.chat.said {
			if d.Place.Address.ID == who {
				said = append(said, d.Note.Text.Plain())
			}
		}
		o.chat.said = nil
		return said
	}
	alice, bob := &pupil{office: o, who: "alice"}, &pupil{office: o, who: "bob"}
	o.says("alice", "alice", "challenge chess white")
	code := regexp.MustCompile(`accept (\w{12})`).FindStringSubmatch(strings.Join(heard("alice"), "\n"))
	if code == nil {
		t.Fatal("there is no code")
	}
	o.says("bob", "bob", code[0])
	o.sayAll()
	o.chat.said = nil

	alice.writes("chat on")
	alice.shows("Chat is on")
	alice.writes("nice to meet you")
	alice.shows("I don't know") // bob has not turned chat on
	bob.writes("chat on")
	for _, text := range []string{"nice to meet you", "gg", "thanks!", "next time I will win", "take that!", "I can draw", "I like to play!", "ok.me too, and/or 1.5"} {
		o.now = o.now.Add(time.Second)
		alice.writes(text)
		if got, want := heard("bob"), "alice (#1): "+text; len(got) != 1 || got[0] != want || !alice.said.Ack {
			t.Errorf("%q was told as %q, and answered by %q", text, got, alice.said.Text.Plain())
		}
	}
	alice.writes("and another one")
	alice.shows("One message a second")
	refused := map[string]string{strings.Repeat("long ", 120): "too long", "how do I move?": "Type your move"}
	for _, text := range []string{
		"see www.example.org", "join t.me/chess now", "look at шахматы.дети/вход", "at 192.168.0.1", "ask @carol about it", "now write /forgetme please", "a@b.c",
	} {
		refused[text] = "I don't pass on links"
	}
	for text, want := range refused {
		o.now = o.now.Add(time.Second)
		alice.writes(text)
		alice.shows(want)
	}
	if left := o.waiting(false); len(left) != 0 {
		t.Errorf("what was said is kept: %v", left)
	}
	alice.writes("mydata")
	if strings.Contains(alice.said.File.Content, "nice to meet") {
		t.Error("what was said is exported")
	}
	o.now = o.now.Add(time.Second)
	alice.writes("hello bob") // not delivered yet
	carol := &pupil{office: o, who: "carol"}
	carol.presses("block 1 -")
	carol.shows("!Blocked")
	bob.presses("block 1 -")
	bob.shows("Blocked: alice")
	if got := heard("bob"); len(got) != 0 {
		t.Errorf("who is blocked was heard: %q", got)
	}
	alice.writes("are you there")
	alice.shows("I don't know")
	bob.writes("chat off")
	bob.writes("good game")
	bob.shows("Good game!")
}

func TestWhatCannotBePassedOnIsNotKept(t *testing.T) {
	o := newOffice(t)
	alice := o.chatting("bob", "carol")
	alice.writes("nice to meet you")
	alice.shows("Which game?", "#1", "#2")
	if len(alice.said.Buttons) > 0 {
		t.Errorf("a text is offered as a move: %v", alice.said.Buttons)
	}
	o.chat.send = barred("bob", &outbox.Never{Gone: true, Err: errors.New("blocked")})
	alice.writes("#1 nice to meet you")
	o.sayAll()
	for _, e := range append(o.waiting(false), o.waiting(true)...) {
		if event.Kind(e.Kind) == event.Said {
			t.Errorf("it is kept: %s", e.Facts)
		}
	}
	o.now = o.now.Add(time.Second)
	alice.writes("#1 are you there")
	alice.shows("I can't reach bob")
	(&pupil{office: o, who: "carol"}).writes("chat off")
	(&pupil{office: o, who: "bob"}).writes("chat off")
	alice.writes("nice to meet you")
	alice.shows("I don't know")
}

// chatting is alice, who has a private game with each of some people; all of them have chat on.
func (o *office) chatting(others ...string) *pupil {
	o.t.Helper()
	alice := &pupil{office: o, who: "alice"}
	alice.writes("chat on")
	for _, who := range others {
		o.says("alice", "alice", "challenge chess white")
		o.sayAll()
		codes := regexp.MustCompile(`accept \w{12}`).FindAllString(o.chat.said[len(o.chat.said)-1].Note.Text.Plain(), -1)
		o.says(who, who, codes[0])
		o.says(who, who, "chat on")
		o.sayAll()
	}
	return alice
}
