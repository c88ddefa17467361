package bot_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"chimera/bot/message"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// counting counts the transactions that may write.
type counting struct {
	kv.DB
	updates int
}

func (c *counting) Update(ctx context.Context, fn func(kv.Writer) error) error {
	c.updates++
	return c.DB.Update(ctx, fn)
}

// overhears reports whether what somebody says to nobody in a room is meant for the bot.
func (o *office) overhears(id, room, who, text string, about storage.GameID) bool {
	return o.bot.IsMeant(o.t.Context(), &message.Incoming{
		ID: id, Place: storage.Address{Platform: "test", ID: room}, From: someone(who), Text: text, ReplyTo: about,
	}, message.Nobody)
}

// talk is what people say beside a game, and is for each other.
var talk = []string{
	"d4 is better", "challenge", "challenge accepted", "how are you", "if you play e4 I will resign", "move over", "cancel that",
	"follow me", "I have 5 minutes", "the 1st of May", "accept", "resign", "draw", "draw?", "help", "next", "top", "board", "games",
	"nice move", "lol", "hi", "Qh9", "Nf9", "exd9", "#1", "#1 hello", "#7 e5", "move e5", "e5 is what I would play", "", "  ", "#0 e5", "#1 #2 e5",
}

func TestTalkInTheRoomOfAGameIsNotHeard(t *testing.T) {
	db := &counting{DB: new(kvtest.Disk).Open("talk")}
	o := newOfficeOn(t, db)
	for _, line := range []string{"alice challenge @bob chess white", "bob accept", "alice e4", "carol help"} {
		who, text, _ := strings.Cut(line, " ")
		o.says("room", who, text)
	}
	for _, about := range []storage.GameID{0, 1} {
		for i, text := range talk {
			for _, who := range []string{"alice", "bob", "carol", "dave"} {
				if o.overhears(fmt.Sprint("t", i, who, about), "room", who, text, about) {
					t.Errorf("%s's %q is taken for a command or a move, about game #%d", who, text, about)
				}
			}
		}
		before := db.updates
		for i, text := range append([]string{"e5", "e5!", "Nf6", "Nf3"}, talk...) {
			for _, who := range []string{"carol", "dave"} {
				if o.overhears(fmt.Sprint("w", i, who, about), "room", who, text, about) {
					t.Errorf("%s's %q is taken for a move, about game #%d", who, text, about)
				}
			}
			if o.overhears(fmt.Sprint("x", i), "elsewhere", "bob", text, 0) {
				t.Errorf("%q is taken for a move where no game is", text)
			}
		}
		if wrote := db.updates - before; wrote > 0 {
			t.Errorf("talk of people who play nothing there was stored %d times", wrote)
		}
	}
	if o.overhears("a", "room", "alice", "Nf3", 0) {
		t.Error("alice's move is heard though it is bob's turn")
	}
	for i, text := range []string{"e5", "#1 e5", "Nf6!", "e7e5"} {
		if !o.overhears(fmt.Sprint("b", i), "room", "bob", text, 0) {
			t.Errorf("bob's %q is not heard though it is a legal move", text)
		}
	}
}

func TestAnAnswerToABoardIsACommandAMoveOrTalk(t *testing.T) {
	o := newOffice(t)
	for text, want := range map[string]bool{
		"accept": true, "draw": true, "Nf3": true, "Qh9": true, "/board": true, "#1 e4": true, "#0 e4": true, "": false, "😀": false,
		"I have 5 minutes": false, "the 1st of May": false, "**e4**": true, "1. ｅ４": true,
		"nice move": false, "lol": false, "hi": false, "well played": false, "good luck!": false,
		"how do I move?": true, "whose turn is it?": true, "thanks!": false, "how did you see that": false, "next time I will win": false, "board games are nice": false, "if only": false, "accept it": false,
		"draw would be fair": false, "move over": false, "top player": false, "resign already": false, "cancel that": false,
		"how knight": true, "how e4": true, "board flip": true, "board 3": true, "challenge @bob stelth": true, "challenge stealth": true,
		"if e5 then Nf3": true, "if clear": true, "/how did you see that": true, "help me": true, "draw #1": true, "top week": true,
		"link ABCDEFGHIJKL yes": true, "settings here size large": true, "moves O-O": true,
	} {
		m := message.Incoming{Text: text, From: someone("alice"), Place: storage.Address{Platform: "test", ID: "room"}}
		if got := o.bot.IsMeant(t.Context(), &m, message.WhatWasSaid); got != want {
			t.Errorf("%q is meant for the bot: %v", text, got)
		}
		if !o.bot.IsMeant(t.Context(), &m, message.TheBot) {
			t.Errorf("%q, said to the bot, is not meant for it", text)
		}
	}
}

func TestYesIsMeantWhereSomethingIsAsked(t *testing.T) {
	o := newOffice(t)
	for _, line := range []string{"alice challenge @bob chess white", "bob accept", "alice e4", "bob e5"} {
		who, text, _ := strings.Cut(line, " ")
		o.says("room", who, text)
	}
	hears := func(who, text string, about storage.GameID) bool {
		m := message.Incoming{Text: text, From: someone(who), Place: storage.Address{Platform: "test", ID: "room"}, ReplyTo: about}
		return o.bot.IsMeant(t.Context(), &m, message.WhatWasSaid)
	}
	if hears("bob", "yes", 1) {
		t.Error("bob's yes is heard though nothing was asked")
	}
	o.says("room", "alice", "draw")
	for _, c := range []struct {
		who, text string
		about     storage.GameID
		want      bool
	}{
		{"bob", "yes", 1, true},
		{"bob", "Nein!", 1, true},
		{"bob", "yes", 0, false},
		{"bob", "yes I think so", 1, false},
		{"alice", "yes", 1, false},
		{"carol", "yes", 1, false},
	} {
		if got := hears(c.who, c.text, c.about); got != c.want {
			t.Errorf("%s's %q about #%d is meant for the bot: %v", c.who, c.text, c.about, got)
		}
	}
	o.says("room", "alice", "resign")
	if !hears("alice", "no", 1) {
		t.Error("alice's no is not heard though they were asked whether they resign")
	}
}

func TestAgainstTheComputerWhateverLooksLikeAMoveIsOne(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "play chess 1 white")
	for i, c := range []struct {
		text string
		want bool
	}{{"Nf9", true}, {"Nc5", true}, {"e5?", true}, {"knight to d5", true}, {"nice", false}, {"hi", false}} {
		for thread := range storage.GameID(2) {
			if got := o.overhears(fmt.Sprint("c", i, thread), "room", "alice", c.text, thread); got != c.want {
				t.Errorf("%q about #%d is meant for the bot: %v", c.text, thread, got)
			}
		}
	}
	for text, want := range map[string]bool{"hint": true, "draw": true, "board": true, "draw a card": false, "how are you": false} {
		if got := o.overhears("d"+text, "room", "alice", text, 1); got != want {
			t.Errorf("in the thread, %q is meant for the bot: %v", text, got)
		}
		if o.overhears("e"+text, "room", "alice", text, 0) || o.overhears("f"+text, "room", "bob", text, 1) {
			t.Errorf("%q is heard in the room, or from somebody else", text)
		}
	}
	o.says("room", "bob", "challenge @carol chess white")
	o.says("room", "carol", "accept")
	if o.overhears("others", "room", "alice", "Nc5", 0) {
		t.Error("alice's Nc5 is heard where others play")
	}
}
