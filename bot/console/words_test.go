package console

import (
	"bytes"
	"strings"
	"testing"

	"chimera/rules/phrase/phrasetest"
)

func TestWordsAreTheSameInEachLanguage(t *testing.T) { phrasetest.Same(t, book) }

func TestWhoSpeaksGermanIsAnsweredInGerman(t *testing.T) {
	for line, want := range map[string]string{
		"ann: [Foo]": "→ ann: Den Knopf [Foo] kannst du gerade nicht drücken. Die Knöpfe einer Nachricht stehen in ihrer letzten Zeile, etwa [Annehmen].\n",
		"nobody":     "→ all: Schreib, wer spricht, dann einen Doppelpunkt, dann was: alice: challenge @bob\n",
		"@ -1d":      "→ all: Schreib, wie weit die Uhr vorgehen soll, etwa @ +2d3h, oder bis wann, etwa @ 2026-12-01T12:00:00Z\n",
	} {
		var out bytes.Buffer
		if err := room(t, &out).Run(t.Context(), strings.NewReader("ann: settings language de\n"+line+"\n")); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s is answered\n%s\nwant\n%s", line, got, want)
		}
	}
}
