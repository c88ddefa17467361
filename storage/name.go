package storage

import (
	"strings"
	"unicode"
)

// maxName is how many letters of a name are kept: more than people need to be told apart.
const maxName = 40

// Unnamed is what somebody is called of whose name nothing is left.
const Unnamed = "somebody"

// SafeName makes a name fit to stand in a sentence on any platform, where it is no mention,
// command, or address, and turns no text around: it is one line of signs that can be seen.
func SafeName(name string) string {
	var b strings.Builder
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(name, "")), " "))
	for i, c := range runes {
		switch {
		case c == '@', c == unicode.ReplacementChar, !unicode.IsGraphic(c), unicode.In(c, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point), c == '\u2800':
		case c == '/':
			b.WriteRune('∕')
		case c == '.' && i+1 < len(runes) && !unicode.IsSpace(runes[i+1]):
			b.WriteRune('․')
		default:
			b.WriteRune(c)
		}
	}
	safe := []rune(strings.Join(strings.Fields(b.String()), " "))
	if len(safe) > maxName {
		safe = append([]rune(strings.TrimSpace(string(safe[:maxName-1]))), '…')
	}
	if len(safe) == 0 {
		return Unnamed
	}
	return string(safe)
}
