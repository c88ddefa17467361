package discord

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"chimera/bot"
	"chimera/storage"
)

// maxContent is how long a message can be.
const maxContent = 2000

// escape lets no sign of a name or a sentence be taken for a mark.
var escape = strings.NewReplacer( //nolint:gochecknoglobals // never written
	`\`, `\\`, "*", `\*`, "_", `\_`, "~", `\~`, "`", "\\`", "|", `\|`, ">", `\>`, "<", `\<`, "#", `\#`, "[", `\[`, "]", `\]`, "@", "@\u200b",
)

// spell is a text in Discord's marks, and the accounts that it mentions.
func spell(t bot.Text, who func(storage.PersonID) (string, bool)) (text string, mentioned []string) {
	var b strings.Builder
	for _, s := range t {
		switch {
		case s.Person != 0:
			id, ok := who(s.Person)
			if !ok {
				b.WriteString("@" + escape.Replace(s.Words))
				continue
			}
			mentioned = append(mentioned, id)
			b.WriteString("<@" + id + ">")
		case !s.Moment.IsZero():
			fmt.Fprintf(&b, "<t:%d:f> (<t:%d:R>)", s.Moment.Unix(), s.Moment.Unix())
		case s.Style == bot.Bold:
			b.WriteString("**" + escape.Replace(s.Words) + "**")
		case s.Style == bot.Code:
			b.WriteString("`" + strings.ReplaceAll(s.Words, "`", "'") + "`")
		default:
			b.WriteString(escape.Replace(s.Words))
		}
	}
	return b.String(), mentioned
}

// pages cuts a text that is too long for a message at its lines.
func pages(text string) []string {
	var all []string
	for length(text) > maxContent {
		cut := strings.LastIndex(clip(text, maxContent), "\n")
		if cut <= 0 {
			cut = len(clip(text, maxContent))
		}
		all = append(all, text[:cut])
		text = strings.TrimPrefix(text[cut:], "\n")
	}
	if text != "" {
		all = append(all, text)
	}
	return all
}

func length(text string) int { return len(utf16.Encode([]rune(text))) }

// clip is the beginning of a text, at most so many UTF-16 units long.
func clip(text string, most int) string {
	n := 0
	for i, c := range text {
		if n += utf16.RuneLen(c); n > most {
			return text[:i]
		}
	}
	return text
}
