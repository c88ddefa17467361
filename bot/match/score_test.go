package match_test

import (
	"slices"
	"testing"

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
