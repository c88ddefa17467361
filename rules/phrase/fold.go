package phrase

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold is a text without capitals and accents, so that it compares with what people type.
func Fold(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, norm.NFD.String(text))
}
