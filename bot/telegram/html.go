package telegram

import (
	"fmt"
	"strings"
	"time"

	"chimera/bot"
)

// Telegram's bounds, in UTF-16 units after the marks are taken out.
const (
	maxText    = 4000 // and a little more
	maxCaption = 1024
	maxToast   = 200
)

// spell is a text as HTML. who are the accounts of people whom it mentions. Commands are
// written as they are heard everywhere, and so that a touch gives them where they need no
// more words.
func spell(t bot.Text, who func(bot.PersonID) (account string, ok bool)) string {
	var b strings.Builder
	for _, s := range t {
		words := escaped(s.Words)
		switch {
		case s.Person != 0:
			if id, ok := who(s.Person); ok {
				fmt.Fprintf(&b, `<a href="tg://user?id=%s">%s</a>`, id, words)
			} else {
				b.WriteString("<b>" + words + "</b>") // "@" would call whoever has that name here
			}
		case !s.Moment.IsZero():
			b.WriteString(moment(s))
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

// escaped is a text in which Telegram sees no marks.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}

func moment(s bot.Span) string {
	text := s.Moment.UTC().Format("Mon 2 Jan 15:04 ") + time.UTC.String()
	if s.Words != "" {
		text += " (" + escaped(s.Words) + ")"
	}
	return text
}

// pages are the spans of a text in parts that fit a message, cut at lines where that can
// be.
func pages(t bot.Text, most int) []bot.Text {
	var all []bot.Text
	var page bot.Text
	room := most
	flush := func() {
		if len(page) > 0 {
			all = append(all, page)
		}
		page, room = nil, most
	}
	for _, s := range t {
		for s.Words != "" && bot.Length(s.Words) > room {
			head := fitting(s.Words, room)
			if head == "" {
				flush()
				continue
			}
			part := s
			part.Words, s.Words = head, strings.TrimPrefix(s.Words[len(head):], "\n")
			page = append(page, part)
			flush()
		}
		if s.Words != "" || s.Person != 0 || !s.Moment.IsZero() {
			const date = 40 // a moment as it is spelled
			if page = append(page, s); room > 0 {
				room = max(room-bot.Length(s.Words), 0)
			}
			if !s.Moment.IsZero() {
				room = max(room-date, 0)
			}
		}
	}
	flush()
	return all
}

// fitting is the longest beginning of a text that is at most so long: whole lines, or
// else as much as fits of the first if that would fill a message.
func fitting(text string, room int) string {
	if cut := strings.LastIndex(bot.Clip(text, room), "\n"); cut > 0 {
		return text[:cut]
	}
	if room < maxCaption {
		return ""
	}
	return strings.TrimSuffix(bot.Clip(text, room), "…")
}
