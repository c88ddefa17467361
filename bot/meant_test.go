package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// overhears reports whether the bot takes a text in a room, addressed to nobody, as meant for it.
func (o *office) overhears(id, room, who, text string, about storage.GameID) bool {
	return o.bot.IsMeant(o.t.Context(), &message.Incoming{
		ID: id, Place: storage.Address{Platform: "test", ID: room}, From: someone(who), Text: text, ReplyTo: about,
	}, message.Nobody)
}

// talk is what people say to each other during a game.
var talk = []string{
	"d4 is better", "challenge", "challenge accepted", "how are you", "if you play e4 I will resign", "move over", "cancel that",
	"follow me", "I have 5 minutes", "the 1st of May", "accept", "draw?", "help!", "draw it is", "next", "top", "board", "games",
	"nice move", "lol", "hi", "#1", "#1 hello", "#7 e5", "move e5", "e5 is what I would play", "", "  ", "#0 e5", "#1 #2 e5",
}

func TestTalkInTheRoomOfAGameIsNotHeard(t *testing.T) {
	db := &kvtest.Counted{DB: new(kvtest.Disk).Open("talk")}
	o := newOfficeOn(t, db)
	o.talks("alice challenge @bob chess white", "bob accept", "alice e4", "carol help")
	for _, about := range []storage.GameID{0, 1} {
		for i, text := range talk {
			for _, who := range []string{"alice", "bob", "carol", "dave"} {
				if o.overhears(fmt.Sprint("t", i, who, about), "room", who, text, about) {
					t.Errorf("%s's %q is taken for a command or a move, about game #%d", who, text, about)
				}
			}
		}
		before := db.Updates.Load()
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
		if wrote := db.Updates.Load() - before; wrote > 0 {
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
	o.talks("alice resign", "alice yes")
	for text, want := range map[string]bool{
		"review": true, "analyse": true, "Analyser": true, "analysieren": true, "analizar": true, "analisar": true, "разбор": true, "board": true, "rematch": true,
		"resign": false, "again?": false, "nice review": false, "top": false,
	} {
		if o.overhears(text, "room", "bob", text, 1) != want || o.overhears(text, "room", "carol", text, 1) || o.overhears(text, "room", "bob", text, 0) {
			t.Errorf("after the game, in its thread or elsewhere: %q is not taken for what it is", text)
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
		"I like to play": false, "I can draw": false, "a draw": false, "I can resign": false, "show me the board": true, "I'd like to draw #1": true,
		"take back": true, "#1 nimm zurück, bitte": true, "I resign": true, "check": false, "link ABCDEFGHIJKL yes": true, "settings here size large": true, "moves O-O": true,
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

// answered is the answer to a button that somebody presses in the room.
func (o *office) answered(who, press string) message.Message {
	o.t.Helper()
	notes := o.hear("room", who, message.Incoming{Press: press})
	if len(notes) != 1 {
		o.t.Fatalf("%s is answered by %d notes", press, len(notes))
	}
	return notes[0]
}

// crowded finds a move of a piece with too many moves for one page, and with several moves to the same square; false if
// there is none.
func crowded(pos *rules.Position) (move rules.Move, ok bool) {
	moves := pos.Moves()
	all := map[rules.Square]int{}
	for _, m := range moves {
		all[m.From]++
	}
	there := map[[2]rules.Square]int{}
	for _, m := range moves {
		to := [2]rules.Square{m.From, m.To}
		if there[to]++; all[m.From] > 24 && there[to] > 1 {
			return m, true
		}
	}
	return move, false
}

func TestBackLeadsToThePageOnWhichTheMoveWasChosen(t *testing.T) {
	rnd := kvtest.Random(t)
	o := newOffice(t)
	all := variants.All()
	brigade := all[slices.IndexFunc(all, func(v *rules.Variant) bool { return v.Key == "brigade" })]
	for id := 1; ; id++ {
		o.says("room", "alice", "challenge @bob brigade white")
		o.says("room", "bob", fmt.Sprintf("accept #%d", id))
		pos, err := brigade.Position("")
		must(t, err)
		for ply := 0; ply < 80 && len(pos.Moves()) > 0; ply++ {
			who := []string{"alice", "bob"}[ply%2]
			if m, ok := crowded(pos); ok {
				at := fmt.Sprintf("%d %d", id, ply)
				shown := o.answered(who, fmt.Sprintf("sure %s %s", at, brigade.Coordinate(m)))
				want := fmt.Sprintf("pick %s %s %s 0", at, brigade.Shape.Name(m.From), brigade.Shape.Name(m.To))
				if back := shown.Buttons[len(shown.Buttons)-1]; back.Label != "Back" || back.Do != want {
					t.Errorf("Back is %v, want %s", back, want)
				}
				return
			}
			m := pos.Moves()[rnd.IntN(len(pos.Moves()))]
			o.says("room", who, fmt.Sprintf("#%d %s", id, brigade.Coordinate(m)))
			pos, err = pos.Play(m)
			must(t, err)
		}
		if id == 10 {
			t.Fatal("no piece had many moves")
		}
	}
}

// suggested are the labels of the moves that are suggested to somebody in a room.
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
	db := &kvtest.Counted{DB: new(kvtest.Disk).Open("suggest")}
	o := newOfficeOn(t, db)
	o.talks(
		"alice challenge @bob chess white", "bob accept", "carol challenge @bob chess white", "bob accept", "alice challenge @bob chess white",
		"bob accept", "alice e4 #1", "dave help",
	)
	o.talks("alice challenge @carol chess white", "carol accept")
	before := db.Updates.Load()
	for _, c := range []struct{ room, who, game, typed, want string }{
		{"room", "alice", "", "e", "It's your turn in 2 games here: choose one under “game” first."},
		{"room", "alice", "#1", "e", "It isn't your turn in #1: bob is thinking."},
		{"room", "alice", "#3", "e4", "e4 – Pawn from e2 to e4."},
		{"room", "bob", "", "e5", "e5 – Pawn from e7 to e5."},
		{"room", "dave", "", "", "You have no game here. Write challenge to start one."},
		{"room", "stranger", "", "", "You have no game here. Write challenge to start one."},
		{"elsewhere", "bob", "", "e5", "e5 – Pawn from e7 to e5."},
		{"room", "dave", "#1", "", "You aren't playing in #1. games lists the ones you play."},
		{"room", "alice", "#9", "", "There's no game #9. Write games to see yours."},
		{"room", "alice", "#0", "", "There's no game #0. Write games to see yours."},
	} {
		if got := o.suggested(c.room, c.who, c.game, c.typed); got != c.want {
			t.Errorf("%s, who types %q in %s about %q, is suggested %q, want %q", c.who, c.typed, c.room, c.game, got, c.want)
		}
	}
	if db.Updates.Load() != before {
		t.Error("suggestions were written down")
	}
}

func TestHelpNamesWordsOfOnesLanguageThatAreUnderstood(t *testing.T) {
	for _, l := range phrase.Languages() {
		p, n := &pupil{office: newOffice(t), who: "alice"}, 0
		p.writes("settings language " + string(l))
		for _, ask := range []string{"help", "help all"} {
			p.writes(ask)
			command := ""
			for _, s := range p.said.Text {
				if s.Style == words.Code {
					command = s.Words
				}
				if s.Style == words.Same {
					n++
					if found := bot.Commands().Read(s.Words); found.Command == nil || ask == "help all" && found.Name != command {
						t.Errorf("%s: %q, which stands for %s, is read as %q", l, s.Words, command, found.Name)
					}
				}
			}
		}
		if l == phrase.English && n > 0 || l != phrase.English && n < 45 {
			t.Errorf("%s: %d words are named", l, n)
		}
	}
}
