package render

import (
	"testing"

	"chimera/rules/phrase/phrasetest"
)

func TestWordsAreTheSameInEachLanguage(t *testing.T) { phrasetest.Same(t, book) }
