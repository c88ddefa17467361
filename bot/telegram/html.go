package telegram

import (
	"fmt"
	"slices"
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
		marked := marks.Replace(slashed(s))
		switch {
		case accounts[s.Person] != "":
			fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, accounts[s.Person], marked)
		case s.Person != 0, s.Style == words.Bold: // an "@" would call somebody else who has that name here
			b.WriteString("<b>" + marked + "</b>")
		case s.Style == words.Link:
			fmt.Fprintf(&b, `<a href="%s">%s</a>`, marked, marked)
		case s.Style == words.Same, s.Style == words.Code && !bot.IsCommand(s.Words):
			b.WriteString("<code>" + marked + "</code>")
		default:
			b.WriteString(marked)
		}
	}
	return b.String()
}

// slashed is the text of a span; commands begin with their slash.
func slashed(s words.Span) string {
	if first, _, _ := strings.Cut(s.Words, " "); s.Style == words.Code && bot.IsCommand(first) {
		return "/" + s.Words
	}
	return s.Words
}

// bare is a text without markup.
func bare(t words.Text) string {
	plain := slices.Clone(t)
	for i, s := range plain {
		plain[i].Words = slashed(s)
	}
	return plain.Plain()
}

// marks are the characters that mean something in HTML, and how they are escaped.
var marks = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;") //nolint:gochecknoglobals // never written

// lengthOf is the length of a span; Telegram does not count markup.
func lengthOf(s words.Span) int { return adapter.Length(s.Words) }
