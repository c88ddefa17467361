package telegram

import (
	"testing"

	"chimera/bot/adapter"
	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
)

func TestNothingIsMissingInWhatIsSaidOnTelegram(t *testing.T) {
	phrasetest.Same(t, Book())
	phrasetest.Say(t, Book(), map[string][]any{"link": {"https://t.me/ChimeraBot"}, "bot": {"ChimeraBot"}, "player": {"ann"}, "n": {1, 2, 5}, "game": {12}, "agreed": {true, false}}, "label.", "challenge.board-at")
}

// TestTelegramHasRoomForWhatItShowsOfTheBot compares lengths with its bounds.
func TestTelegramHasRoomForWhatItShowsOfTheBot(t *testing.T) {
	for _, l := range phrase.Languages() {
		for key, most := range map[string]int{"profile.about": 120, "profile.description": 512} {
			if n := adapter.Length(book.Say(key).Text(l)); n > most {
				t.Errorf("%s in %s is %d long, of %d", key, l, n, most)
			}
		}
	}
}
