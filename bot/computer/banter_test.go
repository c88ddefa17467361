package computer

import (
	"testing"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
)

// remarks are the sentences, a bit for each, that a character as Black says after the last move in many games with the
// same moves, by the event.
func remarks(t *testing.T, result string, texts ...string) map[string]int {
	t.Helper()
	r := written(t, chess(), texts...)
	all := map[string]int{}
	for id := range storage.GameID(60) {
		g := storage.Game{ID: id + 1, Levels: [2]int{0, 3}, Face: "greta", Ending: result, Result: result}
		what, n := Occasion(&g, &match.Replayed{Games: r.games, Moves: r.moves})
		all[what] |= 1 << n
	}
	return all
}

func TestTastesAreMilderWhereTakingIsStrong(t *testing.T) {
	for variant, want := range map[string]int{"chess": 60, "brigade": 15} {
		if got := limits(&storage.Game{Variant: variant, Face: "greta"}, 3, true).Taste.Gain; got != want {
			t.Errorf("%s: %d", variant, got)
		}
	}
}

func TestACharacterSaysOnlyWhatIsTrue(t *testing.T) {
	for _, c := range []struct {
		what, result string
		moves        []string
		says, not    string
		sentences    int // a bit for each
	}{
		{"a bishop taken for nothing", "", []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "a3", "axb5"}, "gains", "loses", 3},
		{"a trade that it began", "", []string{"e4", "e5", "Nc3", "Bb4", "a3", "Bxc3"}, "", "gains", 7},
		{"the other half of that trade", "", []string{"e4", "e5", "Nc3", "Bb4", "a3", "Bxc3", "dxc3", "d6"}, "", "loses", 7},
		{"a bishop lost for nothing", "", []string{"e4", "e5", "Nc3", "Ba3", "bxa3", "d6"}, "loses", "gains", 3},
		{"a promotion, in which nothing merges", "", []string{"h3", "a5", "h4", "a4", "h5", "a3", "Nc3", "axb2", "Rb1", "bxc1=Q"}, "", "merges", 7},
		{"a defeat after it took something", rules.WinFor(rules.White).String(), []string{"e4", "d5", "a3", "dxe4"}, "lost", "", 3},
		{"a win by resignation at once", rules.WinFor(rules.Black).String(), []string{"e4"}, "", "won", 7},
		{"a defeat after it took nothing", rules.WinFor(rules.White).String(), []string{"e4", "d5", "exd5", "a6"}, "lost", "", 4},
	} {
		all := remarks(t, c.result, c.moves...)
		if got := all[c.says]; got == 0 || got&^c.sentences != 0 || c.not != "" && all[c.not] != 0 {
			t.Errorf("after %s it says %v", c.what, all)
		}
	}
}

func TestACharacterSaysNothingTwiceInAGame(t *testing.T) {
	type line struct {
		what string
		n    int
	}
	for _, v := range variants.All() {
		r := play(t, v, 5, 80)
		for id := range storage.GameID(10) {
			g, said := storage.Game{ID: id, Levels: [2]int{2, 0}}, map[line]bool{}
			for n := range r.moves {
				what, which := Occasion(&g, &match.Replayed{Games: r.games[:n+2], Moves: r.moves[:n+1]})
				if here := (line{what, which}); what != "" && n%2 == 0 {
					if said[here] {
						t.Errorf("%s, game %d: %v is said twice", v.Key, id, here)
					}
					said[here] = true
				}
			}
		}
	}
}
