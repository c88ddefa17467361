package bot

import (
	"testing"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/fide"
	"chimera/storage"
)

func TestWhoIsBelow(t *testing.T) {
	const alice, bob, carol = 1, 2, 3
	for _, c := range []struct {
		name   string
		viewer onlooker
		fen    string
		result rules.Result
		want   rules.Color
	}{
		{"several see White", onlooker{}, blackToMove, rules.Unfinished, rules.White},
		{"several see who moves where boards turn", onlooker{Turns: true}, blackToMove, rules.Unfinished, rules.Black},
		{"several see White at the end", onlooker{}, blackToMove, rules.BlackWins, rules.White},
		{"several see the winner where boards turn", onlooker{Turns: true}, blackToMove, rules.WhiteWins, rules.White},
		{"several see White of a draw where boards turn", onlooker{Turns: true}, blackToMove, rules.Drawn, rules.White},
		{"a player alone sees their own side", onlooker{Alone: bob}, "", rules.Unfinished, rules.Black},
		{"whether boards turn elsewhere or not", onlooker{Alone: alice, Turns: true}, blackToMove, rules.Unfinished, rules.White},
		{"who follows alone sees White", onlooker{Alone: carol, Turns: true}, blackToMove, rules.Unfinished, rules.White},
	} {
		pos, err := fide.Chess().Position(c.fen)
		if err != nil {
			t.Fatal(err)
		}
		ending := rules.ByResignation
		if c.result == rules.Unfinished {
			ending = ""
		}
		s := &match.GameView{Now: rules.Game{Position: pos}, Game: storage.Game{Players: [2]storage.PersonID{alice, bob}, Result: c.result.String(), Ending: string(ending)}}
		if got := c.viewer.bottom(s); got != c.want {
			t.Errorf("%s: %v is below, want %v", c.name, got, c.want)
		}
	}
}

const blackToMove = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
