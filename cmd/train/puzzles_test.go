package main

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
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
			must(t, err)
			const least = 150
			seen, given := map[string]int{}, 0
			for i := range all {
				p := &all[i]
				if !p.Withdrawn {
					given++
				}
				steps, err := p.Steps(v)
				if err != nil {
					t.Errorf("puzzle %d (%s): %v", i+1, p, err)
					continue
				}
				before := steps[0].Before
				if before.FEN() != p.FEN {
					t.Errorf("puzzle %d (%s) is written back as %s", i+1, p, before.FEN())
				}
				if got := themesOf(steps); !slices.Equal(got, p.Themes) {
					t.Errorf("puzzle %d (%s) is about %v", i+1, p, got)
				}
				for _, s := range steps {
					if m, err := s.Before.Parse(s.Before.Chat(s.Move)); err != nil || m != s.Move {
						t.Errorf("puzzle %d (%s): %s is read as %v, %v", i+1, p, s.Before.Chat(s.Move), m, err)
					}
				}
				key := keyOf(before)
				if other, twice := seen[key]; twice {
					t.Errorf("puzzles %d and %d are mirror images (%s)", other+1, i+1, p)
				}
				seen[key] = i
			}
			if given < least {
				t.Errorf("%d puzzles are given, want %d", given, least)
			}
		})
	}
}

func TestPuzzlesAreAboutWhatTheirMovesDo(t *testing.T) {
	for _, c := range []struct{ name, key, fen, moves, about string }{
		{"a mate", "chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "d1d8", "mate"},
		{"a knight that checks and takes the queen", "chess", "k2q4/8/8/4N3/8/8/8/6K1 w - - 0 1", "e5c6 a8b7 c6d8", "gain"},
		{"a fork of king and queen", "chess", "8/k2q4/8/2N5/8/8/8/6K1 w - - 0 1", "c5d7", "gain"},
		{"a fork", "chess", "2q1k3/8/8/1N6/8/8/8/6K1 w - - 0 1", "b5d6 e8e7 d6c8", "gain fork"},
		{"a merge", "combine", "6k1/5ppp/8/8/8/8/5PPP/RN4K1 w - - 0 1", "a1~b1", "gain merge"},
		{"a promotion", "chess", "8/1P4k1/8/8/8/8/8/6K1 w - - 0 1", "b7b8q", "gain promotion"},
		{"a run", "stealth", "6k1/5pp1/7p/8/[RRR]P1n1bp1/8/5PPP/6K1 w - - 0 1", "a4g4xd4xf4", "gain run"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := rules.Find(variants.All(), c.key)
			p := puzzle.Puzzle{FEN: c.fen, Moves: strings.Fields(c.moves)}
			steps, err := p.Steps(v)
			must(t, err)
			var about []string
			for _, theme := range themesOf(steps) {
				about = append(about, string(theme))
			}
			if got := strings.Join(about, " "); got != c.about {
				t.Errorf("it is about %q, want %q", got, c.about)
			}
		})
	}
}

func TestMirrorImagesHaveOneKey(t *testing.T) {
	v := rules.Find(variants.All(), "chess")
	key := func(fen string) string {
		pos, err := v.Position(fen)
		must(t, err)
		return keyOf(pos)
	}
	const fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
	for _, same := range []string{
		"1k6/ppp5/8/8/8/8/PPP5/1K2R3 w - - 3 9", "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "1k2r3/ppp5/8/8/8/8/PPP5/1K6 b - - 0 1",
	} {
		if key(same) != key(fen) {
			t.Errorf("%s has another key than %s", same, fen)
		}
	}
	for _, other := range []string{"6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/2R3K1 w - - 0 1"} {
		if key(other) == key(fen) {
			t.Errorf("%s has the key of %s", other, fen)
		}
	}
}
