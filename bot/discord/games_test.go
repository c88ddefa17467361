package discord

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// begin begins a game between alice, with White, and bob, and returns its thread.
func (l *life) begin(v *rules.Variant) (thread string) {
	l.t.Helper()
	l.Ready()
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game="+v.Key, "colour=white")
	challenge := l.posted("POST channels/"+room0+"/messages", "alice challenges <@12>")
	l.Press(room0, bob, l.buttonOf("Accept"))
	l.board(challenge, 0)
	return challenge
}

// board waits for the board after a number of plies.
func (l *life) board(thread string, ply int) {
	l.t.Helper()
	l.Wait(fmt.Sprint("board ", ply), func() bool {
		n := 0
		for _, c := range l.Calls {
			if c.Method == http.MethodPost && c.Path == "channels/"+thread+"/messages" && len(c.Files) == 1 {
				n++
			}
		}
		return n > ply
	})
}

// ends looks whether a game was stored with its end, and that told.
func (l *life) ends(thread string, plies int) {
	l.t.Helper()
	l.posted("POST channels/"+thread+"/messages", "Rematch", "board.png")
	err := l.store.View(l.t.Context(), func(r storage.Reader) error {
		g, err := r.Games().Get(1)
		if err == nil && (!g.Over() || len(g.Moves) != plies) {
			l.t.Errorf("after %d of %d plies the result is %s", len(g.Moves), plies, g.Result)
		}
		return err
	})
	if err != nil {
		l.t.Error(err)
	}
}

// ways are those by which people move in a game's thread.
func ways() []func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant) {
	return []func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant){
		func(l *life, thread string, by who, p fake.Ply, _ int, _ *rules.Variant) { // by the slash command
			l.dismissed(l.Slash(thread, by, "move", "move="+p.Text))
		},
		func(l *life, thread string, by who, p fake.Ply, _ int, _ *rules.Variant) { // as a text
			l.Say(thread, by, p.Text)
		},
		func(l *life, thread string, by who, p fake.Ply, ply int, _ *rules.Variant) { // in a form
			l.Press(thread, by, pressable{Data: fmt.Sprintf("pick 1 %d - - 0", ply)})
			l.dismissed(l.Submit(thread, by, l.buttonOf("Type a move"), p.Text))
		},
		func(l *life, thread string, by who, p fake.Ply, ply int, v *rules.Variant) { // by the buttons and menus of the picker
			at := fmt.Sprintf("1 %d ", ply)
			from, to := v.Shape.Name(p.From), v.Shape.Name(p.To)
			sure, play := "sure "+at+v.Coordinate(p.Move), "play "+at+v.Coordinate(p.Move)
			shown := l.Press(thread, by, l.buttonOf("Move"))
			shown, _ = l.follow(thread, by, shown, "pick "+at+from+" - ")
			shown, done := l.follow(thread, by, shown, sure, "pick "+at+from+" "+to+" ")
			if done != sure {
				shown, _ = l.follow(thread, by, shown, sure)
			}
			l.follow(thread, by, shown, play)
		},
	}
}

// TestWholeGamesByEachWayToMove plays each game to its end, and reviews it.
func TestWholeGamesByEachWayToMove(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			game := fake.WholeGame(t, v)
			thread := l.begin(v)
			for ply, p := range game {
				ways()[ply/2%len(ways())](l, thread, []who{alice, bob}[ply%2], p, ply, v)
				l.board(thread, ply+1)
			}
			l.ends(thread, len(game))
			l.reviews(thread)
			if n := l.count("POST", "went wrong"); n > 0 || strings.Contains(l.log.String(), "level=ERROR") {
				t.Errorf("something went wrong, or %d answers say so", n)
			}
		})
	}
}

// follow presses a button of what answered a press, perhaps on a later page: one that
// does one of some things, and returns the press and which it was.
func (l *life) follow(thread string, by who, shown string, presses ...string) (next, done string) {
	l.t.Helper()
	for {
		buttons := l.buttons(shown)
		for _, done := range presses {
			for _, b := range buttons {
				if strings.HasPrefix(b.Data, done) {
					return l.Press(thread, by, b), done
				}
			}
		}
		i := slices.IndexFunc(buttons, func(b pressable) bool { return b.Label == "▶" })
		if i < 0 {
			l.t.Fatalf("nothing does one of %q", presses)
		}
		shown = l.Press(thread, by, buttons[i])
	}
}

// buttons are those of what answered a press.
func (l *life) buttons(shown string) []pressable {
	l.t.Helper()
	var found []pressable
	l.Wait("an answer", func() bool {
		for _, c := range slices.Backward(l.Calls) {
			if strings.HasPrefix(c.Path, "interactions/"+shown+"/") {
				found = buttonsOf(object(object(c.Body)["data"]))
				return true
			}
		}
		return false
	})
	return found
}

// buttonsOf are those of a message, and what can be chosen from its menus.
func buttonsOf(message map[string]any) []pressable {
	var found []pressable
	flags, _ := message["flags"].(float64)
	add := func(made any, data string, chosen bool) {
		b := pressable{Flags: int(flags), Chosen: chosen}
		b.Label, _ = object(made)["label"].(string)
		b.Data, _ = object(made)[data].(string)
		found = append(found, b)
	}
	rows, _ := message["components"].([]any)
	for _, r := range rows {
		buttons, _ := object(r)["components"].([]any)
		for _, b := range buttons {
			options, menu := object(b)["options"].([]any)
			for _, o := range options {
				add(o, "value", true)
			}
			if !menu {
				add(b, "custom_id", false)
			}
		}
	}
	return found
}

func TestAMoveThatWasMeantIsPlayedByItsButton(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	thread := l.begin(variants.All()[1])
	shown := l.Slash(thread, alice, "move", "move=Rb1")
	l.answered(shown, "Did you mean")
	i := slices.IndexFunc(l.buttons(shown), func(b pressable) bool { return b.Label == "R~Nb1" })
	if i < 0 {
		t.Fatalf("there are the buttons %v", l.buttons(shown))
	}
	meant := l.buttons(shown)[i]
	l.Press(thread, alice, meant)
	l.board(thread, 1)
	l.Slash(thread, bob, "move", "move=**１… ａ６**")
	l.board(thread, 2)
	l.answered(l.Press(thread, alice, meant), "has been played")
}

// TestAMoveCostsTwoCommits plays by words in a thread: that a move was played is
// stored, and that it was said.
func TestAMoveCostsTwoCommits(t *testing.T) {
	f := newFake(t)
	engine := &fake.Counted{DB: new(kvtest.Disk).Open("db")}
	l := liveOn(t, f, kept{engine})
	thread := l.begin(variants.All()[0])
	l.stopped()
	l = liveOn(t, f, kept{engine})
	l.Ready()
	commits, memories := engine.Commits.Load(), engine.Memories.Load()
	moves := []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6"}
	for ply, move := range moves {
		l.Say(thread, []who{alice, bob}[ply%2], move) // which is read if nobody listens yet
		l.board(thread, ply+1)
	}
	l.stopped()
	engine.Costs(t, len(moves), commits, memories)
}

// kept is an engine that is not closed with its store.
type kept struct{ *fake.Counted }

// Close does nothing.
func (kept) Close() error { return nil }
