package telegram

import (
	"fmt"
	"strings"
	"testing"

	"chimera/storage/kv/kvtest"
)

// TestRatingsComeWithPictures looks for the pictures of leaderboards and profiles, and
// for what those are told of them who cannot see them.
func TestRatingsComeWithPictures(t *testing.T) {
	f := newFake(t)
	f.Titles = map[int64]string{group: "Chess & Tea"}
	l := live(t, f, &kvtest.Disk{})
	l.Say(2, bob, "/start")
	l.posted("challenge")
	l.Say(group, alice, "/challenge @bob chess white rated")
	l.posted("alice challenges", "Accept")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "to move by")
	for i, text := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		l.Say(group, []person{alice, bob}[i%2], "/move "+text)
		l.posted("sendPhoto", fmt.Sprintf("%d%s %s", i/2+1, []string{".", "…"}[i%2], text))
	}
	l.Say(1, alice, "/settings words on")
	l.posted("chat_id:1 ", "Your settings", "words on")
	for _, c := range []struct{ command, words string }{
		{"/top chess", "<b>Chess, in Chess &amp; Tea</b>"},
		{"/top chess", "Ratings of 2, from 1. bob"},
		{"/top month", "Points of 2, from 1. bob 1 point to 2. alice 0 points; yours: 2. alice 0 points."},
		{"/profile @bob", "Chess: from 1500 on"},
		{"/compare @bob", "Chess, bob: from 1500 on"},
	} {
		l.Say(group, alice, c.command)
		l.posted("sendPhoto", "picture.png", c.words)
	}
	l.Lock()
	defer l.Unlock()
	if count(l.Calls, "<blockquote expandable>") == 0 {
		t.Error("nothing is told of the pictures")
	}
}

// TestBoardsAreToldInWordsToWhoeverWantsThat is about a private chat and a group.
func TestBoardsAreToldInWordsToWhoeverWantsThat(t *testing.T) {
	f := newFake(t)
	f.Admins = []int64{alice.ID}
	l := live(t, f, &kvtest.Disk{})
	l.Say(1, alice, "/settings words on")
	l.posted("chat_id:1 ", "Your settings", "words on")
	inPrivate(l)
	l.posted("sendPhoto", "chat_id:1 ", "<blockquote expandable>White is alice, to move by ", "White: King e1")
	l.Say(group, alice, "/challenge chess white")
	l.Say(group, bob, "/accept")
	l.posted("sendPhoto", "chat_id:-500 ", "to move by")
	l.Lock()
	for _, c := range l.Calls {
		if !c.Has("chat_id:1 ") && c.Has("White: King e1") {
			t.Errorf("it is told to all: %v", c)
		}
	}
	l.Unlock()
	l.Say(group, alice, "/settings@ChimeraBot here words on")
	l.posted("chat_id:-500 ", "Settings for everyone here", "words on")
	l.Say(group, alice, "/move e4")
	l.posted("sendPhoto", "chat_id:-500 ", "<blockquote expandable>White is alice. Black is bob, to move by ", "White: King e1")
}
