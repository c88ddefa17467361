package words

import (
	"slices"
	"time"

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
