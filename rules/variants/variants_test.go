package variants_test

import (
	"errors"
	"flag"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

var (
	texts = flag.Int("texts", 2000, "illegal texts for each game in TestReasonsAreTrue")
	first = flag.Uint64("first", 1, "seed of the first position of TestReasonsAreTrue")
)

func TestReasonsAreTrue(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			reasonsAreTrue(t, v, *first, *texts)
		})
	}
}

func TestKeysAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range variants.All() {
		if seen[v.Key] {
			t.Errorf("%q stands twice", v.Key)
		}
		seen[v.Key] = true
	}
}

// game picks a game by a fuzzed number.
func game(n uint8) *rules.Variant {
	all := variants.All()
	return all[int(n)%len(all)]
}

// FuzzParseMove: text of any kind is read as a legal move or refused with a
// reason, and never upsets the position.
func FuzzParseMove(f *testing.F) {
	for i := range variants.All() {
		for _, text := range []string{"e4", "c~Nd4", "R~Bd4", "RNd4/Ne5", "R+Nx~e4", "O-O", "0-0-0", "e8=Q", "Bd3*e5", "Nb1-b2-b3-c3", "～", "a1b1xc2", "**1. ｅ４!**", "knight to f3"} {
			f.Add(uint8(i), uint64(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, seed uint64, text string) {
		v := game(n)
		pos := rulestest.RandomPosition(t, v, seed)
		before := pos.FEN()
		m, err := pos.Parse(text)
		var no *rules.Illegal
		switch {
		case err == nil:
			if pos.Check(m) != nil {
				t.Errorf("%s: %q is read as the illegal %v", before, text, m)
			}
			if !v.MoveLike(text) {
				t.Errorf("%s: %q is read as %v, but is not taken for a move", before, text, m)
			}
		case !errors.As(err, &no) || no.Reason == "" || no.Sentence.IsZero():
			t.Errorf("%s: %q is refused without a reason: %v", before, text, err)
		}
		if pos.FEN() != before {
			t.Errorf("%s: %q changed the position", before, text)
		}
	})
}

// FuzzFEN: text of any kind is refused, or is a position that is written and read
// again as itself, and can be played on.
func FuzzFEN(f *testing.F) {
	for i, v := range variants.All() {
		f.Add(uint8(i), v.Start)
		f.Add(uint8(i), "4k3/8/8/3[RN]4/8/8/8/4K2[rb] b - - 3 9")
	}
	f.Fuzz(func(t *testing.T, n uint8, fen string) {
		v := game(n)
		pos, err := v.Position(fen)
		if err != nil {
			var bad *rules.BadFEN
			if !errors.As(err, &bad) || bad.Sentence == "" {
				t.Errorf("%q is refused without a sentence: %v", fen, err)
			}
			return
		}
		again, err := v.Position(pos.FEN())
		if err != nil || again.FEN() != pos.FEN() || again.Key() != pos.Key() {
			t.Errorf("%q is written %q, and that is read as %v (%v)", fen, pos.FEN(), again, err)
		}
		for _, m := range pos.Moves() {
			next, err := pos.Play(m)
			if err != nil {
				t.Fatalf("%q: the legal %v is refused: %v", fen, m, err)
			}
			if _, err := v.Position(next.FEN()); err != nil {
				t.Errorf("%q: %s leads to %q: %v", fen, v.Coordinate(m), next.FEN(), err)
			}
		}
	})
}

// FuzzGame: a random game keeps every promise of package rules.
func FuzzGame(f *testing.F) {
	for i := range variants.All() {
		f.Add(uint8(i), uint64(1000))
	}
	f.Fuzz(func(t *testing.T, n uint8, seed uint64) {
		rulestest.RandomGame(t, game(n), seed)
	})
}
