package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chimera/bot"
	"chimera/storage"
)

// TestAStrangerLearnsNothingOfAPrivateGameByItsNumber gives every command, button and
// suggestion that a game's number can stand in to somebody who neither plays it nor is where
// it is played: a game that goes on, one that has ended, and a challenge.
func TestAStrangerLearnsNothingOfAPrivateGameByItsNumber(t *testing.T) {
	o := newOffice(t)
	o.says("alice", "alice", "hello")
	o.says("bob", "bob", "hello")
	for _, line := range []string{
		"alice challenge @bob chess white", "bob accept", "alice a3", "bob h6", "alice challenge @bob chess white", "bob accept #2",
		"alice #2 a3", "bob #2 h6", "alice #2 resign", "alice #2 resign", "alice challenge @bob stealth",
	} {
		who, text, _ := strings.Cut(line, " ")
		o.says("den", who, text)
	}
	secrets := []string{"alice", "bob", "a3", "h6", "rnbqkbnr", "ppppppp1"}
	tells := func(what string, notes []bot.Note) {
		t.Helper()
		for _, n := range notes {
			plain := strings.ToLower(n.Text.Plain())
			for _, secret := range secrets {
				if strings.Contains(plain, secret) {
					t.Errorf("%s tells of %s: %s", what, secret, plain)
				}
			}
			if n.Board != nil || n.Poster != nil || n.Replay != nil || n.File != nil {
				t.Errorf("%s shows a picture or a file", what)
			}
			for _, b := range n.Buttons {
				for _, secret := range secrets {
					if strings.Contains(strings.ToLower(b.Label), secret) {
						t.Errorf("%s has a button %s", what, b.Label)
					}
				}
			}
		}
	}
	arguments := []string{"", " Nf3", " e4", " white", " 2d", " @erin", " flip", " 1", " if e5 then Nf3", " clear", " yes", " here annul", " here hide @erin"}
	ofNoGame := []string{"challenge", "rules", "how", "top", "profile", "compare", "mydata", "help"}
	verbs := strings.Fields("pick sure play more back draw resign takeback claim rematch moves score fen addtime board replay flip zones join turn-down " +
		"call-off agree-draw refuse-draw agree-takeback refuse-takeback draw-yes draw-no resign-yes resign-no abort-yes abort-no annul-yes annul-no")
	for _, room := range []string{"carol", "elsewhere"} {
		m := bot.Message{
			Place: storage.Address{Platform: "test", ID: room}, From: someone("carol"), Private: room == "carol", Manager: true,
			People: map[string]bot.Person{"@erin": someone("erin")},
		}
		if !m.Private {
			m.Server = storage.Address{Platform: "test", ID: "server of " + room}
		}
		ask := func(what string) []bot.Note {
			notes, err := o.bot.Handle(t.Context(), m)
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
			return notes
		}
		for game := 1; game <= 3; game++ {
			for _, c := range bot.Commands() {
				if slices.Contains(ofNoGame, c.Name) {
					continue
				}
				for _, argument := range arguments {
					m.Text, m.ReplyTo = fmt.Sprintf("%s #%d%s", c.Name, game, argument), 0
					tells(room+": "+m.Text, ask(m.Text))
					m.Text, m.ReplyTo = c.Name+argument, storage.GameID(game)
					tells(room+", in reply: "+m.Text, ask(m.Text))
				}
			}
			m.ReplyTo = 0
			for _, square := range []string{"a3", "a2"} {
				m.Text = fmt.Sprintf("how %s #%d", square, game)
				if answer := ask(m.Text)[0].Text.Plain(); !strings.Contains(answer, "is only shown to its players") && game < 3 {
					t.Errorf("%s: %s", m.Text, answer)
				}
			}
			m.Text, m.ReplyTo = "", 0
			for _, verb := range verbs {
				for _, rest := range []string{"-", "0", "1", "2", "2 - - 0", "2 g1 - 0", "2 g1f3", "- - - 0"} {
					m.Press = fmt.Sprintf("%s %d %s", verb, game, rest)
					tells(room+": "+m.Press, ask(m.Press))
				}
			}
			m.Press = ""
			number := fmt.Sprintf("#%d", game)
			for _, command := range []string{"accept", "cancel", "board", "how", "rematch"} {
				for _, s := range o.bot.SuggestGames(t.Context(), m, command, "") {
					if strings.Contains(s.Label, "alice") || strings.Contains(s.Label, "bob") {
						t.Errorf("%s suggests %s", command, s.Label)
					}
				}
			}
			for _, s := range o.bot.SuggestMoves(t.Context(), m, number, "") {
				if len(s.Value) > 1 || strings.Contains(s.Label, "bob") || strings.Contains(s.Label, "alice") {
					t.Errorf("suggested is %s", s.Label)
				}
			}
			if all, its := o.bot.SuggestPieces(t.Context(), m, "", ""), o.bot.SuggestPieces(t.Context(), m, number, ""); len(all) != len(its) {
				t.Errorf("the pieces of game %d are suggested", game)
			}
		}
		for _, text := range []string{"games @alice", "next @alice", "games @bob", "next @bob"} {
			m.Text, m.People = text, map[string]bot.Person{"@alice": someone("alice"), "@bob": someone("bob")}
			for _, n := range ask(text) {
				if n.Board != nil || strings.Contains(n.Text.Plain(), "#") {
					t.Errorf("%s: %s tells %s", room, text, n.Text.Plain())
				}
			}
		}
	}
}
