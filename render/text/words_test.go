package text_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
)

func TestWordsAreTheSameInEachLanguage(t *testing.T) {
	phrasetest.Same(t, phrase.NewBook(os.DirFS(".")))
}

// TestTheWordsOfABoardSayHowTheGameEnded tells the boards of testdata/ended.txt in words. A line has a game, a
// position, whether the game is over, and the words.
func TestTheWordsOfABoardSayHowTheGameEnded(t *testing.T) {
	known, err := os.ReadFile("testdata/ended.txt")
	golden.Must(t, err)
	var got strings.Builder
	for line := range strings.Lines(string(known)) {
		parts := strings.Split(strings.TrimSpace(line), " | ")[:3]
		pos, err := sample.Game(t, parts[0]).Position(parts[1])
		golden.Must(t, err)
		d := diagram.Of(pos, nil, rules.White)
		d.Over = parts[2] == "over"
		fmt.Fprintln(&got, strings.Join(append(parts, text.Words(d).String()), " | "))
	}
	golden.CompareText(t, "ended.txt", got.String())
}
