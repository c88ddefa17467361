package words

import (
	"slices"
	"strings"

	"chimera/rules/phrase"
)

// Greeting is the language in which all that a text says is hello; false if it says something else.
func Greeting(text string) (phrase.Language, bool) {
	said := strings.Join(strings.Fields(strings.ToLower(strings.TrimRight(text, " !.?,"))), " ")
	for _, l := range phrase.Languages() {
		if slices.Contains(strings.Split(book.Say("heard.greeting").Text(l), ", "), said) {
			return l, true
		}
	}
	return "", false
}
