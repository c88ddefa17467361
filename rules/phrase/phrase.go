// Package phrase is what the program says to people, before it is in any language: a
// sentence's key and its parts. A [Book] has the sentences of one package in each language,
// as TOML files that stand beside it.
//
// A sentence is written with signs for what changes in it:
//
//	{name}                     the part of that name
//	{piece.the}                a noun in one of its forms: "the rook"; {piece.The} with a capital
//	{n:one=# day|other=# days} by the plural category that a number has in the language (CLDR), or by
//	                           the number itself, as in 0=none; # is the number
//	{colour:white=…|black=…}   by a word
//	{piece:m=…|f=…|n=…}        by the gender of a noun
//	`games`                    to be copied as it stands; a command where it reads like one
//	``claim auto``             likewise, and never a command
//	**#12**                    bold
//
// A backslash takes the meaning from the sign after it. Options may have signs in them, too,
// and "other" is the one for everything else. A noun is a table: its name, its other forms and
// its gender; a form that a language does not have is the name.
package phrase

import (
	"fmt"
	"slices"
	"strings"
)

// Phrase is something to say. The zero Phrase is nothing.
type Phrase struct {
	book  *Book
	key   string
	parts []any // the name of each part, and the part
}

// IsZero reports whether there is nothing to say.
func (p Phrase) IsZero() bool { return p.key == "" }

// With is the phrase with more parts.
func (p Phrase) With(parts ...any) Phrase {
	p.parts = slices.Concat(p.parts, parts)
	return p
}

// Key names the sentence within its book.
func (p Phrase) Key() string { return p.key }

// String is the phrase in English, without its marks.
func (p Phrase) String() string { return p.Text(English) }

// Text is the phrase in a language, without its marks.
func (p Phrase) Text(l Language) string {
	var text strings.Builder
	for _, s := range p.In(l) {
		if s.Value != nil {
			fmt.Fprint(&text, s.Value)
		}
		text.WriteString(s.Text)
	}
	return text.String()
}

// In is the phrase in a language, or in English, all its parts included, where the book does not
// have it in that.
func (p Phrase) In(l Language) []Span {
	if p.IsZero() {
		return nil
	}
	w := newWriter(l)
	w.phrase(p, "", Plain)
	return w.said()
}

// Forms are the forms of a noun that its book has in a language, as words; none of what is no noun.
func (p Phrase) Forms(l Language) (forms []string) {
	if p.book == nil {
		return nil
	}
	for key := range p.book.in(l) {
		if form, ok := strings.CutPrefix(key, p.key+"."); ok && form != "gender" {
			w := newWriter(l)
			w.phrase(p, form, Plain)
			for _, s := range w.said() {
				forms = append(forms, s.Text)
			}
		}
	}
	return forms
}

// Faults are what is missing where the phrase is said in a language: a sentence, a part of one, a
// form of a noun, or an option. That something is not translated is no fault: it is said in English,
// by a noun's name where English has no such form.
func (p Phrase) Faults(l Language) []string {
	var faults []string
	if !p.IsZero() {
		w := newWriter(l)
		w.faults = &faults
		w.phrase(p, "", Plain)
	}
	return faults
}

// Span is a part of what is said that looks the same throughout.
type Span struct {
	Text  string
	Mark  Mark
	Value any // a part that is neither words nor a number, such as a person; Text is empty then
}

// Mark is how a Span looks.
type Mark uint8

// The marks.
const (
	Plain  Mark = iota
	Bold        // between **
	Code        // between `
	Sample      // between ``
)

// As is a text as it stands, the same in every language, such as a name.
func As(text string) Phrase { return Phrase{key: text} }

// And lists items as in "one, two and three". Items are what parts may be.
func And[T any](items []T) List { return listOf("and", ", ", items) }

// Or lists items as in "one, two or three".
func Or[T any](items []T) List { return listOf("or", ", ", items) }

// Lines puts items below each other.
func Lines[T any](items []T) List { return listOf("", "\n", items) }

// Commas lists items as in "one, two, three".
func Commas[T any](items []T) List { return listOf("", ", ", items) }

// Semicolons lists items as in "one; two; three".
func Semicolons[T any](items []T) List { return listOf("", "; ", items) }

// Spaced puts items one after the other, with a space between them.
func Spaced[T any](items []T) List { return listOf("", " ", items) }

// List is a part that is made of several.
type List struct {
	key       string // of how the last two are joined; "" for as the others
	separator string
	items     []any
}

func listOf[T any](key, separator string, items []T) List {
	l := List{key: key, separator: separator}
	for _, item := range items {
		l.items = append(l.items, item)
	}
	return l
}
