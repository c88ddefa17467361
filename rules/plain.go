package rules

import (
	"strings"
	"unicode"
)

// Plain is a text in the signs that move text is written with, and without the marks
// that chats, keyboards and score sheets put round a move: "1. **ｎｆ３‼**" is "nf3", and
// "Knight to f3" is "Nf3".
func (v *Variant) Plain(text string) string {
	text = unmarked(strings.Map(plainSign, text))
	return strings.Join(strings.Fields(v.lettered(text)), "")
}

// plainSign is the usual form of a letter or sign, negative where it has no meaning in
// move text.
func plainSign(c rune) rune {
	const wide, last, narrow = '！', '～', '!'
	if c >= wide && c <= last {
		c = c - wide + narrow
	}
	switch c {
	case '˜', '∼', '〜':
		return '~'
	case '×', '✕', '✖':
		return 'x'
	case '−':
		return '-'
	case '…', '。':
		return '.'
	case '‼', '⁉':
		return '!'
	case '⁇', '⁈':
		return '?'
	case '†', '‡':
		return '+'
	case '♔', '♚':
		return 'K'
	case '♕', '♛':
		return 'Q'
	case '♖', '♜':
		return 'R'
	case '♗', '♝':
		return 'B'
	case '♘', '♞':
		return 'N'
	case '♙', '♟':
		return 'P'
	case '~', '+', '=':
		return c
	case '"', '\'', '\\':
		return -1
	}
	if latin, ok := lookAlikes[c]; ok {
		return latin
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

// lettered is a text with the names of pieces as their letters, and the words between
// them as signs.
func (v *Variant) lettered(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		n := letterRun(text[i:])
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		word := text[i : i+n]
		switch code, named := v.named(text[i:]); {
		case named > 0:
			word, n = code, named
		case b.Len() == 0: // nothing is said yet that words could lead on from
		case strings.EqualFold(word, "to"), strings.EqualFold(word, "on"), strings.EqualFold(word, "from"):
			word = ""
		case strings.EqualFold(word, "takes"), strings.EqualFold(word, "captures"):
			word = "x"
		}
		b.WriteString(word)
		i += n
		if rest := letterRun(text[i:]); rest > 0 { // "f3" of "knightf3"
			b.WriteString(text[i : i+rest])
			i += rest
		}
	}
	return b.String()
}

// named is the letters of the piece whose name a text begins with, and the length of the
// name; 0 if there is none, or the word goes on as no move does.
func (v *Variant) named(text string) (code string, length int) {
	for _, info := range v.Table {
		n := len(info.Name)
		if n <= length || n > len(text) || info.Name == info.Code || !strings.EqualFold(text[:n], info.Name) {
			continue
		}
		if after := strings.TrimPrefix(text[n:], "x"); letterRun(after) < 2 {
			code, length = info.Code, n
		}
	}
	return code, length
}

// letterRun is how many letters a text begins with.
func letterRun(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, func(c rune) bool { return c|' ' >= 'a' && c|' ' <= 'z' }))
}
