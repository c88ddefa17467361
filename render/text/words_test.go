package text_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
	"chimera/rules/variants"
)

func TestWordsAreTheSameInEachLanguage(t *testing.T) {
	phrasetest.Same(t, phrase.NewBook(os.DirFS(".")))
}

func TestTheWordsOfABoardSayHowTheGameEnded(t *testing.T) {
	for _, c := range []struct {
		key, fen string
		over     bool
		want     string
	}{
		{"chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", false, "White to move."},
		{"chess", "R3k3/8/8/8/8/8/8/4K3 b - - 0 1", false, "Black to move; check."},
		{"chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", true, "Black is checkmated."},
		{"chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", true, "Stalemate: Black can't move."},
		{"chess", "7k/8/6K1/8/8/8/8/8 b - - 0 1", true, "A draw: too few pieces to win."},
		{"chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", true, "The game is over."},
		{"brigade", "8/8/8/8/8/8/8/4K2R b - - 0 1", true, "Black's king has been captured."},
	} {
		v := variants.All()[slices.IndexFunc(variants.All(), func(v *rules.Variant) bool { return v.Key == c.key })]
		pos, err := v.Position(c.fen)
		golden.Must(t, err)
		d := diagram.Of(pos, nil, rules.White)
		d.Over = c.over
		if got := text.Words(d).String(); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %q is not in %q", c.key, c.fen, c.want, got)
		}
	}
}
