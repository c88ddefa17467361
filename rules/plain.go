package rules

import (
	"strings"
	"unicode"
)

// Plain is a text in the signs that move text is written with, and without the marks
// that chats, keyboards and score sheets put round a move: "1. **ｎｆ３‼**" is "nf3", and
// "Knight to f3" is "Nf3".
func (v *Variant) Plain(text string) string { return plain(v.inLetters(text)) }

// plain is a text that calls no piece by its name without the marks round it.
func plain(text string) string {
	return strings.Join(strings.Fields(unmarked(strings.Map(plainSign, text))), "")
}

// signs are the usual forms of letters and signs: those that look like others, or mean the same.
var signs = map[rune]rune{ //nolint:gochecknoglobals // never written
	'~': '~', '˜': '~', '∼': '~', '〜': '~', '×': 'x', '✕': 'x', '✖': 'x', '−': '-', '…': '.', '。': '.', '+': '+', '=': '=',
	'‼': '!', '⁉': '!', '⁇': '?', '⁈': '?', '†': '+', '‡': '+', '"': -1, '\'': -1, '\\': -1,
	'♔': 'K', '♚': 'K', '♕': 'Q', '♛': 'Q', '♖': 'R', '♜': 'R', '♗': 'B', '♝': 'B', '♘': 'N', '♞': 'N', '♙': 'P', '♟': 'P',
	// Letters of Cyrillic keyboards in the place of the Latin ones that they look like. The capitals К and С
	// are not among them as pieces: in Russian those are others than K and C.
	'а': 'a', 'в': 'b', 'с': 'c', 'е': 'e', 'А': 'A', 'В': 'B', 'Е': 'E', 'С': 'c', 'о': 'o', 'О': 'O', 'х': 'x', 'Х': 'x',
}

// plainSign is the usual form of a letter or sign, negative where it has no meaning in
// move text.
func plainSign(c rune) rune {
	const wide, last, narrow = '！', '～', '!'
	if c >= wide && c <= last {
		c = c - wide + narrow
	}
	if sign, ok := signs[c]; ok {
		return sign
	}
	switch {
	case unicode.IsSpace(c):
		return ' '
	case unicode.Is(unicode.Pd, c):
		return '-'
	case unicode.In(c, unicode.Pc, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe, // brackets, quotes and underscores
		unicode.So, unicode.Sk, unicode.Sm, // emoji
		unicode.Cf, unicode.Me, unicode.Variation_Selector): // what cannot be seen
		return -1
	}
	return c
}

// unmarked is a text without its move number, what it says of a move's worth and kind
// after it, and stars on both sides.
func unmarked(text string) string {
	for {
		rest := strings.TrimRight(strings.Trim(text, " .,;:"), endings+".,;:")
		if number := strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(strings.TrimLeft(number, " "), ".") {
			rest = number
		}
		if len(rest) > 1 && rest[0] == '*' && rest[len(rest)-1] == '*' {
			rest = rest[1 : len(rest)-1]
		}
		rest = withoutEnPassant(rest)
		if rest == text {
			return text
		}
		text = rest
	}
}

// withoutEnPassant is a text without the "e.p." after its square.
func withoutEnPassant(text string) string {
	for _, said := range [...]string{"e.p", "ep", "en passant"} {
		at := len(text) - len(said)
		if at > 0 && strings.EqualFold(text[at:], said) && strings.IndexByte(" 0123456789", text[at-1]) >= 0 {
			return text[:at]
		}
	}
	return text
}
