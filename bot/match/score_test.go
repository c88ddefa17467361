package match_test

import (
	"slices"
	"testing"

	"chimera/rules"
	"chimera/storage"
)

func TestAScoreIsThatOfTheMovesThatThereAreNow(t *testing.T) {
	c := newClub(t)
	for _, game := range []struct {
		kind        string
		moves, want []string
	}{
		{"chess", []string{"e2e4"}, []string{"e4"}},
		{"chess", []string{"e2e4", "e7e5", "g1f3"}, []string{"e4", "e5", "Nf3"}},
		{"chess", []string{"e2e4", "e7e5", "f1c4"}, []string{"e4", "e5", "Bc4"}}, // after a takeback
		{"chess", []string{"e2e4"}, []string{"e4"}},
		{"chess", nil, nil},
		{"combine", []string{"e2e4", "e7e5"}, []string{"e4", "e5"}},
		{"chess", []string{"e2e4", "e7e5", "f1c4", "f8c5"}, []string{"e4", "e5", "Bc4", "Bc5"}},
	} {
		got, err := c.Score(&storage.Game{ID: 1, Variant: game.kind, Moves: game.moves})
		if err != nil || !slices.Equal(got, game.want) {
			t.Errorf("%v: %v, %v", game.moves, got, err)
		}
	}
	if got, err := c.Score(&storage.Game{ID: 1, Variant: "chess", Moves: []string{"e2e4", "e7e5", "f1c4", "f8c5", "e4e6"}}); err == nil {
		t.Errorf("a move that there is not: %v", got)
	}
}

// TestWhatWasCapturedIsKnownWherePiecesGrowByIt has a pawn become a captain by capturing a pawn, a queen take it,
// and a knight take the queen.
func TestWhatWasCapturedIsKnownWherePiecesGrowByIt(t *testing.T) {
	c := newClub(t)
	game := storage.Game{ID: 1, Variant: "stealth", Moves: []string{"e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "a7a6", "c3d5"}}
	want := []string{"black pawn", "white captain", "black queen"}
	for plies, n := range []int{0, 0, 0, 1, 2, 2, 2, 3} {
		var got []string
		for _, p := range c.Taken(&game, plies) {
			side := "white"
			if p.White == rules.NoRole {
				side = "black"
			}
			got = append(got, side+" "+c.Variant("stealth").Noun(p).String())
		}
		if !slices.Equal(got, want[:n]) {
			t.Errorf("after %d plies %q were captured, want %q", plies, got, want[:n])
		}
	}
	chess := storage.Game{ID: 2, Variant: "chess", Moves: game.Moves[:3]}
	if got := c.Taken(&chess, 3); got != nil {
		t.Errorf("of a game whose board tells what was captured, its past tells %v", got)
	}
	game.Moves = []string{"e2e5"}
	if got := c.Taken(&game, 1); got != nil {
		t.Errorf("of a game that cannot be read, %v", got)
	}
}
