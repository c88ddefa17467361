package discord

import (
	"fmt"
	"strings"

	"chimera/bot"
)

// Discord's bounds, in characters.
const (
	maxContent = 2000
	maxLabel   = 80
	maxAlt     = 1024
	maxData    = 100
)

// spelled is a text as Discord's markdown.
type spelled struct {
	pages  []string // each fits a message; at least one
	people []string // accounts that are mentioned
}

// spell writes a text, cut at lines where it does not fit one message. who are the
// accounts of people whom it mentions.
func spell(t bot.Text, who func(bot.PersonID) (account string, ok bool)) spelled {
	var s spelled
	var page, line strings.Builder
	flushPage := func() {
		if text := strings.Trim(page.String(), "\n"); strings.TrimSpace(text) != "" {
			s.pages = append(s.pages, text)
		}
		page.Reset()
	}
	flushLine := func() {
		if bot.Length(page.String())+bot.Length(line.String())+1 > maxContent {
			flushPage()
		}
		page.WriteString(line.String())
		line.Reset()
	}
	for _, span := range t {
		if account, ok := mentioned(span, who); ok {
			s.people = append(s.people, account)
		}
		for i, words := range strings.Split(span.Words, "\n") {
			if i > 0 {
				flushLine()
				page.WriteString("\n")
			}
			part := span
			for _, part.Words = range chunks(words) {
				text := spellSpan(part, who)
				if bot.Length(line.String())+bot.Length(text) > maxContent-1 {
					flushLine()
				}
				line.WriteString(text)
			}
		}
	}
	flushLine()
	flushPage()
	if len(s.pages) == 0 {
		s.pages = []string{""}
	}
	return s
}

func mentioned(s bot.Span, who func(bot.PersonID) (string, bool)) (string, bool) {
	if s.Person == 0 {
		return "", false
	}
	return who(s.Person)
}

func spellSpan(s bot.Span, who func(bot.PersonID) (string, bool)) string {
	switch {
	case s.Person != 0:
		if account, ok := who(s.Person); ok {
			return "<@" + account + ">"
		}
		return "@" + escape(s.Words)
	case !s.Moment.IsZero():
		return fmt.Sprintf("<t:%d:f> (<t:%[1]d:R>)", s.Moment.Unix())
	case s.Words == "":
		return ""
	case s.Style == bot.Bold:
		return "**" + escape(s.Words) + "**"
	case s.Style == bot.Link:
		return "<" + s.Words + ">"
	case (s.Style == bot.Code || s.Style == bot.Same) && strings.Contains(s.Words, "`"):
		return "`` " + s.Words + " ``"
	case s.Style == bot.Code, s.Style == bot.Same:
		return "`" + s.Words + "`"
	}
	return escape(s.Words)
}

// escape takes its meaning from every sign that has one in markdown.
func escape(text string) string {
	var b strings.Builder
	runes := []rune(text)
	for i, c := range runes {
		begins := i == 0 || runes[i-1] == '\n'
		switch {
		case strings.ContainsRune("\\*_~`|<>[]@", c),
			begins && strings.ContainsRune("#-+", c) && (i+1 == len(runes) || strings.ContainsRune(" #", runes[i+1])):
			b.WriteRune('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// chunks are parts of a text, each of which fits a message however it is spelled.
func chunks(text string) []string {
	const most = 450 // each sign may be two units, and be escaped
	var parts []string
	runes := []rune(text)
	for len(runes) > most {
		parts = append(parts, string(runes[:most]))
		runes = runes[most:]
	}
	return append(parts, string(runes))
}
