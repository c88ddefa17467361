package telegram

import (
	"fmt"
	"strings"

	"chimera/bot"
	"chimera/bot/adapter"
)

// Telegram's bounds, in UTF-16 units after the marks are taken out.
const (
	maxText    = 4000 // and a little more
	maxCaption = 1024
	maxToast   = 200
)

// format is a text as HTML. accounts are those of people whom it mentions. Commands are
// written as they are heard everywhere, and so that a touch gives them where they need no
// more words.
func format(t bot.Text, accounts map[bot.PersonID]string) string {
	var b strings.Builder
	for _, s := range t {
		words := marks.Replace(s.Words)
		switch {
		case accounts[s.Person] != "":
			fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, accounts[s.Person], words)
		case s.Person != 0:
			b.WriteString("<b>" + words + "</b>") // "@" would call whoever has that name here
		case s.Style == bot.Bold:
			b.WriteString("<b>" + words + "</b>")
		case s.Style == bot.Link:
			fmt.Fprintf(&b, `<a href="%s">%s</a>`, words, words)
		case s.Style == bot.Code && bot.IsCommand(s.Words):
			b.WriteString("/" + words)
		case s.Style == bot.Same:
			b.WriteString("<code>" + words + "</code>")
		case s.Style == bot.Code:
			if first, _, more := strings.Cut(s.Words, " "); more && bot.IsCommand(first) {
				words = "/" + words
			}
			b.WriteString("<code>" + words + "</code>")
		default:
			b.WriteString(words)
		}
	}
	return b.String()
}

// bare is a text without marks, with commands as they are heard everywhere.
func bare(t bot.Text) string {
	var plain bot.Text
	for _, s := range t {
		first, _, _ := strings.Cut(s.Words, " ")
		if s.Style == bot.Code && bot.IsCommand(first) {
			s.Words = "/" + s.Words
		}
		plain = append(plain, s)
	}
	return plain.Plain()
}

// marks are the signs in which Telegram sees some, and how they are written to be none.
var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;") //nolint:gochecknoglobals // never written

// lengthOf is how long a part of a text is, of which Telegram does not count the marks.
func lengthOf(s bot.Span) int { return adapter.Length(s.Words) }
