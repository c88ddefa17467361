package words

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"chimera/storage"
)

// Text is what is said, spelled by each platform in its own way.
type Text []Span

// Span is a piece of Text. One of its fields but Style is set.
type Span struct {
	Words  string           `json:",omitempty"`
	Style  Style            `json:",omitempty"`
	Person storage.PersonID `json:",omitempty"` // a person who is mentioned, called Words
	Moment time.Time        `json:",omitzero"`  // a moment; Words say how far off it is
}

// Style is how a Span looks.
type Style uint8

// The styles.
const (
	Plain Style = iota
	Bold
	Code // move text, FENs and commands: to be copied as they stand
	Same // likewise, and no command even where it reads like one
	Link // an address on the web

	Named // somebody's name, who is not mentioned; Plain to platforms
)

// People are those whom a text mentions, each once.
func (t Text) People() (people []storage.PersonID) {
	for _, s := range t {
		if s.Person != 0 && !slices.Contains(people, s.Person) {
			people = append(people, s.Person)
		}
	}
	return people
}

// Plain is the text without its styles; people are spelled "@name".
func (t Text) Plain() string {
	var plain string
	for _, s := range t {
		switch {
		case s.Person != 0:
			plain += "@" + s.Words
		case !s.Moment.IsZero():
			plain += s.Moment.UTC().Format("2006-01-02 15:04 UTC")
			if s.Words != "" {
				plain += " (" + s.Words + ")"
			}
		default:
			plain += s.Words
		}
	}
	return plain
}

// Nameless is a text without people's names: who is forgotten has none any more.
func Nameless(t Text) Text {
	kept := make(Text, len(t))
	for i, s := range t {
		if s.Person != 0 || s.Style == Named {
			s.Words = ""
		}
		kept[i] = s
	}
	return kept
}

// PlainNames is a text as platforms know it.
func PlainNames(t Text) Text {
	for i := range t {
		if t[i].Style == Named {
			t[i] = Span{Words: t[i].Words}
		}
	}
	return t
}

// Say makes a Text of plain strings and Spans.
func Say(parts ...any) Text {
	var t Text
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			t = append(t, Span{Words: p})
		case Span:
			t = append(t, p)
		case Text:
			t = append(t, p...)
		default:
			t = append(t, Span{Words: fmt.Sprint(p)})
		}
	}
	return t
}

func bold(words string) Span { return Span{Words: words, Style: Bold} }

func code(words string) Span { return Span{Words: words, Style: Code} }

func same(words string) Span { return Span{Words: words, Style: Same} }

func link(words string) Span { return Span{Words: words, Style: Link} }

// called is somebody's name without a mention.
func called(id storage.PersonID, name string) Span {
	return Span{Words: name, Style: Named, Person: id}
}

func mention(id storage.PersonID, name string) Span { return Span{Words: name, Person: id} }

func Hash(id storage.GameID) string { return fmt.Sprintf("#%d", id) }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list is "one, two and three".
func list(items []string) string {
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " and " + items[last]
}

// Clip makes a stranger's word fit to be said back: short, and without signs that
// cannot be seen.
func Clip(word string) string {
	const most = 40
	var seen []rune
	for _, c := range word {
		if len(seen) == most {
			return string(seen) + "…"
		}
		if unicode.IsGraphic(c) {
			seen = append(seen, c)
		}
	}
	return string(seen)
}
