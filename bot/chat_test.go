package bot_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"chimera/bot/message"
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
	for _, text := range []string{"nice to meet you", "gg", "thanks!", "next time I will win", "take that!", "I can draw", "I like to play!"} {
		o.now = o.now.Add(time.Second)
		alice.writes(text)
		if got, want := heard("bob"), "alice (#1): "+text; len(got) != 1 || got[0] != want || !alice.said.Ack {
			t.Errorf("%q was told as %q, and answered by %q", text, got, alice.said.Text.Plain())
		}
	}
	alice.writes("and another one")
	alice.shows("One message a second")
	for text, want := range map[string]string{"see www.example.org": "links", strings.Repeat("long ", 120): "too long", "how do I move?": "Type your move"} {
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
	bob.does(message.Incoming{Press: "block 0 - 1"})
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
