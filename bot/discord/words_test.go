package discord

import (
	"testing"

	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
)

func TestWordsAreTheSameInEachLanguage(t *testing.T) { phrasetest.Same(t, book) }

func TestWordsCanBeSaid(t *testing.T) {
	phrasetest.Say(t, book, map[string][]any{
		"channel":     {"#chess"},
		"thread":      {"#chess"},
		"permissions": {phrase.And([]phrase.Phrase{book.Say("permission.view-channel"), book.Say("permission.send-messages")})},
	}, "permission.", "label.")
}
