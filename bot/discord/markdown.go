package discord

import (
	"fmt"
	"strings"

	"chimera/bot/words"
	"chimera/storage"
)

// Discord's bounds, in characters.
const (
	maxContent = 2000
	maxLabel   = 80
	maxAlt     = 1024
	maxData    = 100
	maxOption  = 100
)

// markdown is a text as Discord's markdown. accounts are those of people whom it mentions.
func markdown(t words.Text, accounts map[storage.PersonID]string) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(formatSpan(s, accounts))
	}
	return b.String()
}

func formatSpan(s words.Span, accounts map[storage.PersonID]string) string {
	switch {
	case accounts[s.Person] != "":
		return "<@" + accounts[s.Person] + ">"
	case s.Person != 0:
		return "@" + escape(s.Words)
	case !s.Moment.IsZero():
		return fmt.Sprintf("<t:%d:f> (<t:%[1]d:R>)", s.Moment.Unix())
	case s.Words == "":
		return ""
	case s.Style == words.Bold:
		return "**" + escape(s.Words) + "**"
	case s.Style == words.Link:
		return "<" + s.Words + ">"
	case (s.Style == words.Code || s.Style == words.Same) && strings.Contains(s.Words, "`"):
		return "`` " + s.Words + " ``"
	case s.Style == words.Code, s.Style == words.Same:
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
