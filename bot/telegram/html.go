package telegram

import (
	"fmt"
	"strings"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/words"
	"chimera/storage"
)

// Telegram's bounds, in UTF-16 units after the marks are taken out.
const (
	maxText    = 4000 // and a little more
	maxCaption = 1024
	maxToast   = 200
)

// format is a text as HTML. accounts are those of the people it mentions. Commands are written with their
// slash, so that a touch sends those that need no more words.
func format(t words.Text, accounts map[storage.PersonID]string) string {
	var b strings.Builder
	for _, s := range t {
		marked := marks.Replace(s.Words)
		switch {
		case accounts[s.Person] != "":
			fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, accounts[s.Person], marked)
		case s.Person != 0:
			b.WriteString("<b>" + marked + "</b>") // "@" would call whoever has that name here
		case s.Style == words.Bold:
			b.WriteString("<b>" + marked + "</b>")
		case s.Style == words.Link:
			fmt.Fprintf(&b, `<a href="%s">%s</a>`, marked, marked)
		case s.Style == words.Code && bot.IsCommand(s.Words):
			b.WriteString("/" + marked)
		case s.Style == words.Same:
			b.WriteString("<code>" + marked + "</code>")
		case s.Style == words.Code:
			if first, _, more := strings.Cut(s.Words, " "); more && bot.IsCommand(first) {
				marked = "/" + marked
			}
			b.WriteString("<code>" + marked + "</code>")
		default:
			b.WriteString(marked)
		}
	}
	return b.String()
}

// bare is a text without markup; its commands have their slash.
func bare(t words.Text) string {
	var plain words.Text
	for _, s := range t {
		first, _, _ := strings.Cut(s.Words, " ")
		if s.Style == words.Code && bot.IsCommand(first) {
			s.Words = "/" + s.Words
		}
		plain = append(plain, s)
	}
	return plain.Plain()
}

// marks are the characters that mean something in HTML, and how they are escaped.
var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;") //nolint:gochecknoglobals // never written

// lengthOf is the length of a span; Telegram does not count markup.
func lengthOf(s words.Span) int { return adapter.Length(s.Words) }
