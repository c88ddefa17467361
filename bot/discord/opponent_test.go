package discord

import (
	"fmt"
	"strings"
	"testing"

	"chimera/bot/fake"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// shows waits until the board after so many plies was posted, alone or with what has come before.
func (l *life) shows(thread string, s *match.GameView) {
	l.t.Helper()
	if s.Game.Over() {
		l.posted("POST channels/"+thread+"/messages", "Rematch", "board.png")
		return
	}
	l.posted("POST channels/"+thread+"/messages", "board.png", "<@"+alice.ID+">", fmt.Sprintf(`pick 1 %d `, s.Ply))
}

// ways are those by which people move in a game's thread.
func ways() []func(l *life, thread string, s *match.GameView, m rules.Move) {
	return []func(l *life, thread string, s *match.GameView, m rules.Move){
		func(l *life, thread string, s *match.GameView, m rules.Move) { // by the buttons and menus of the picker
			at, shape := fmt.Sprintf("1 %d ", s.Ply), s.Variant.Shape
			from, to := shape.Name(m.From), shape.Name(m.To)
			sure, play := "sure "+at+s.Variant.Coordinate(m), "play "+at+s.Variant.Coordinate(m)
			shown, _ := l.follow(thread, alice, l.Press(thread, alice, pressable{Data: "pick " + at + "- - 0"}), "pick "+at+from+" - ")
			shown, done := l.follow(thread, alice, shown, sure, "pick "+at+from+" "+to+" ")
			if done != sure {
				shown, _ = l.follow(thread, alice, shown, sure)
			}
			l.follow(thread, alice, shown, play)
		},
		func(l *life, thread string, s *match.GameView, m rules.Move) { // in a form
			l.Press(thread, alice, pressable{Data: fmt.Sprintf("pick 1 %d - - 0", s.Ply)})
			l.dismissed(l.Submit(thread, alice, l.buttonOf("Type a move"), s.Now.Position.Chat(m)))
		},
		func(l *life, thread string, s *match.GameView, m rules.Move) { // as a text
			l.Say(thread, alice, s.Now.Position.Chat(m))
		},
		func(l *life, thread string, s *match.GameView, m rules.Move) { // by the slash command
			l.dismissed(l.Slash(thread, alice, "move", "move="+s.Now.Position.Chat(m)))
		},
	}
}

// TestWholeGamesAgainstTheComputer plays each game by all ways of input in turn, until somebody has
// won or, after some moves, by resigning.
func TestWholeGamesAgainstTheComputer(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			l.Ready()
			l.dismissed(l.Slash(room0, alice, "play", "game="+v.Key, "level=1", "colour=white"))
			thread := l.posted("POST channels/"+room0+"/threads", v.Name+" #1")
			const most, nodes = 16, 2000
			for n := 0; ; n++ {
				s := fake.Turn(t, l.chat.bot.Games, l.Wait, alice.Name, 2*n)
				l.shows(thread, s)
				if s.Game.Over() {
					t.Logf("over after %d plies: %s", s.Ply, s.Game.Result)
					break
				}
				if n == most {
					l.Press(thread, alice, pressable{Data: fmt.Sprintf("resign 1 %d", s.Ply)})
					l.Press(thread, alice, l.buttonOf("Yes"))
					l.posted("POST channels/"+thread+"/messages", "Chimera 1 wins by resignation", "Rematch")
					break
				}
				best, err := engine.Search(t.Context(), s.Now, engine.Limits{Nodes: nodes})
				if err != nil {
					t.Fatal(err)
				}
				ways()[n%len(ways())](l, thread, s, best.Move())
			}
			l.reviews(thread)
			if n := l.count("POST", "went wrong"); n > 0 {
				t.Errorf("%d answers say that something went wrong", n)
			}
			if strings.Contains(l.log.String(), "level=ERROR") {
				t.Error("an error was logged")
			}
		})
	}
}
