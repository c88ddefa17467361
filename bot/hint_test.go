package bot_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
)

func TestAHintTellsThePieceThenTheMoveThenWhy(t *testing.T) {
	for _, key := range []string{"combine", "brigade", "chess"} {
		v := rules.Find(variants.All(), key)
		o := newOffice(t)
		p := &pupil{office: o, who: "alice"}
		o.says("alice", "alice", "play "+v.Key+" 8 white")
		p.writes("hint")
		piece := p.said
		p.presses("hint-on 1 0 1")
		move := p.said
		play, ok := p.can("play 1 0 ")
		if !ok {
			t.Fatalf("%s: %q has no button that plays it", v.Key, move.Text.Plain())
		}
		p.presses("hint-on 1 0 2")
		why := p.said
		for range 2 { // it has all been told
			p.writes("hint #1")
			if again := p.said.Text.Plain(); again != why.Text.Plain() {
				t.Errorf("%s: the hint was %q, and now is %q", v.Key, why.Text.Plain(), again)
			}
		}
		chat := move.Buttons[0].Label
		if !strings.Contains(move.Text.Plain(), chat) || !strings.Contains(why.Text.Plain(), chat) || strings.Contains(piece.Text.Plain(), chat) {
			t.Errorf("%s: the hints for %s are\n%s\n%s\n%s", v.Key, chat, piece.Text.Plain(), move.Text.Plain(), why.Text.Plain())
		}
		p.presses(play)
		p.presses("hint-on 1 0 1")
		if got := p.said.Text.Plain(); len(p.said.Buttons) != 0 && p.said.Board != nil {
			t.Errorf("%s: an old hint goes on: %s", v.Key, got)
		}
		o.view(func(r storage.Reader) error {
			g, err := r.Games().Get(1)
			if len(g.Moves) != 1 || !g.Helped {
				t.Errorf("%s: after a hint and its move the game is %+v", v.Key, g)
			}
			return err
		})
	}
}

func TestAHintThatIsTypedAgainInAGameTellsMoreUntilTheNextMove(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "alice"}
	o.says("alice", "alice", "play chess 8 white")
	ask := func() (said []string) {
		for range 3 {
			p.writes("hint")
			said = append(said, p.said.Text.Plain())
		}
		return said
	}
	first := ask()
	if first[0] == first[1] || first[1] == first[2] || !strings.HasPrefix(first[0], "What can") {
		t.Errorf("the hints are\n%s", strings.Join(first, "\n"))
	}
	o.says("alice", "alice", "a3")
	o.now = o.now.Add(time.Minute)
	o.service.Thinker.Settle(t.Context(), slog.New(slog.DiscardHandler))
	if next := ask(); !strings.HasPrefix(next[0], "What can") {
		t.Errorf("the first hint at the next move is\n%s", next[0])
	}
}

func TestNoCommandAndNoButtonHelpsInAGameBetweenPeople(t *testing.T) {
	for _, rated := range []string{"rated", "unrated"} {
		o := newOffice(t)
		o.says("room", "alice", "challenge @bob chess white "+rated)
		o.says("room", "bob", "accept")
		for _, text := range []string{"f3", "e5", "g4"} { // after which Black mates
			who := map[bool]string{true: "bob", false: "alice"}[text == "e5"]
			o.says("room", who, text)
		}
		hears := func(m message.Incoming) {
			m.Place, m.From = storage.Address{Platform: "test", ID: "bob"}, message.Account{Address: storage.Address{Platform: "test", ID: "bob"}, Name: "bob"}
			m.Private = true
			notes, err := o.bot.Handle(t.Context(), m)
			if err != nil {
				t.Error(err)
			}
			for _, n := range notes {
				text := n.Text.Plain()
				if n.File != nil {
					text += n.File.Content
				}
				if strings.Contains(text, "Qh4") || strings.Contains(text, "eval") {
					t.Errorf("in a %s game %s%s is answered: %s", rated, m.Text, m.Press, text)
				}
			}
		}
		for _, c := range bot.Commands() {
			switch c.Name {
			case "moves", "forgetme", "resign", "abort": // all legal moves, or the end of it
				continue
			}
			for _, text := range []string{c.Name, c.Name + " #1", c.Name + " 1"} {
				hears(message.Incoming{Text: text})
			}
		}
		for n := range 3 {
			hears(message.Incoming{Press: fmt.Sprintf("hint-on 1 3 %d", n)})
		}
	}
}
