package telegram

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

// ways are those by which people move in their own chat with the bot, in which a board stands.
func ways() []func(l *life, board int, s *match.GameView, m rules.Move) {
	return []func(l *life, board int, s *match.GameView, m rules.Move){
		func(l *life, board int, s *match.GameView, m rules.Move) { // by the buttons of the picker
			h := &hand{l: l, who: alice, message: board, chat: alice.ID}
			h.tap("Move")
			shape := s.Variant.Shape
			from, to, sure := shape.Name(m.From), shape.Name(m.To), fmt.Sprintf("sure 1 %d %s", s.Ply, s.Variant.Coordinate(m))
			h.push(h.find(func(b fake.Button) bool { return b.Data == fmt.Sprintf("pick 1 %d %s - 0", s.Ply, from) }))
			target := fmt.Sprintf("pick 1 %d %s %s 0", s.Ply, from, to)
			b := h.find(func(b fake.Button) bool { return b.Data == sure || b.Data == target })
			if h.push(b); b.Data == target {
				h.push(h.find(func(b fake.Button) bool { return b.Data == sure }))
			}
			h.tap("Confirm")
		},
		func(l *life, _ int, s *match.GameView, m rules.Move) { // as a text
			l.Say(alice.ID, alice, s.Now.Position.Chat(m))
		},
		func(l *life, _ int, s *match.GameView, m rules.Move) { // by the command
			l.Say(alice.ID, alice, "/move "+s.Now.Position.Chat(m))
		},
		func(l *life, board int, s *match.GameView, m rules.Move) { // in answer to the board
			l.Say(alice.ID, alice, s.Now.Position.Chat(m), replyTo(board))
		},
	}
}

// TestWholeGamesAgainstTheComputer plays each game by all ways of input in turn, until somebody has
// won or, after some moves, by resigning below the board.
func TestWholeGamesAgainstTheComputer(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			l := live(t, newFake(t), &kvtest.Disk{})
			l.Say(alice.ID, alice, "/play "+v.Key+" 1 white")
			const most, nodes = 16, 2000
			for n := 0; ; n++ {
				s := fake.Turn(t, l.chat.bot.Games, l.Wait, alice.Name, 2*n)
				if s.Game.Over() {
					l.shown("Rematch", v.Name+" #1")
					t.Logf("over after %d plies: %s", s.Ply, s.Game.Result)
					break
				}
				board := l.posted("sendPhoto", v.Name+" #1", fmt.Sprintf("pick 1 %d ", s.Ply))
				if n == most {
					h := &hand{l: l, who: alice, message: board, chat: alice.ID}
					h.tap("Resign")
					h.tap("Yes")
					l.shown("Chimera 1 wins by resignation", "Rematch")
					break
				}
				best, err := engine.Search(t.Context(), s.Now, engine.Limits{Nodes: nodes})
				if err != nil {
					t.Fatal(err)
				}
				ways()[n%len(ways())](l, board, s, best.Move())
			}
			l.reviews()
			l.silent(t, "went wrong", "isn't")
			if strings.Contains(l.log.String(), "level=ERROR") {
				t.Error("an error was logged")
			}
		})
	}
}
