package puzzle_test

import (
	"slices"
	"testing"

	"chimera/rules/puzzle"
	"chimera/rules/variants"
)

// The solution of each puzzle can be played and has the themes that its line names, and no two
// puzzles are mirror images of each other.
func TestThePuzzlesOfAllGames(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			all, err := puzzle.Read(v)
			if err != nil {
				t.Fatal(err)
			}
			const least = 150
			if len(all) > 0 && len(all) < least {
				t.Errorf("there are %d puzzles, want %d", len(all), least)
			}
			seen := map[string]int{}
			for i := range all {
				p := &all[i]
				steps, err := p.Steps(v)
				if err != nil {
					t.Errorf("puzzle %d (%s): %v", i+1, p, err)
					continue
				}
				before := steps[0].Before
				if before.FEN() != p.FEN {
					t.Errorf("puzzle %d (%s) is written back as %s", i+1, p, before.FEN())
				}
				if got := puzzle.ThemesOf(steps); !slices.Equal(got, p.Themes) {
					t.Errorf("puzzle %d (%s) is about %v", i+1, p, got)
				}
				for _, s := range steps {
					if m, err := s.Before.Parse(s.Before.Chat(s.Move)); err != nil || m != s.Move {
						t.Errorf("puzzle %d (%s): %s is read as %v, %v", i+1, p, s.Before.Chat(s.Move), m, err)
					}
				}
				key := puzzle.Key(before)
				if other, twice := seen[key]; twice {
					t.Errorf("puzzles %d and %d are mirror images (%s)", other+1, i+1, p)
				}
				seen[key] = i
			}
		})
	}
}
