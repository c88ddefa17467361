package storage

import (
	"strings"
	"unicode"
)

// maxName is how many letters of a name are kept: more than people need to be told apart.
const maxName = 40

// Nobody is what somebody is called of whose name nothing is left, or who was forgotten.
const Nobody = "somebody"

// SafeName makes a name fit to stand in a sentence on any platform, where it is no mention,
// command, or address, and turns no text around: it is one line of signs that can be seen.
func SafeName(name string) string {
	seen := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case c == '@', c == unicode.ReplacementChar, !unicode.IsGraphic(c), unicode.In(c, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point), c == '\u2800':
			return -1
		case c == '/':
			return '∕'
		}
		return c
	}, strings.ToValidUTF8(name, ""))
	safe := []rune(strings.Join(strings.Fields(seen), " "))
	if len(safe) > maxName {
		safe = append([]rune(strings.TrimSpace(string(safe[:maxName-1]))), '…')
	}
	for i := range safe {
		if safe[i] == '.' && i+1 < len(safe) && safe[i+1] != ' ' {
			safe[i] = '․' // or "example.com" would be an address
		}
	}
	if len(safe) == 0 {
		return Nobody
	}
	return string(safe)
}
