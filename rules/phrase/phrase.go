// Package phrase represents what the program says to people, independent of language: a sentence's key and its parts. A
// [Book] has the sentences of one package in each language, as TOML files beside it.
//
// A sentence may contain these signs:
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
	"embed"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/BurntSushi/toml"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
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

// In is the phrase in a language, or all of it in English, parts included, if the book does not have it in that
// language.
func (p Phrase) In(l Language) []Span {
	if p.IsZero() {
		return nil
	}
	w := newWriter(l)
	w.phrase(p, "", Plain)
	return w.said()
}

// Forms are the forms of a noun that its book has in a language, as words; none for other phrases.
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

// Faults are what is missing to say the phrase in a language: a sentence, a part, a form of a noun, or an option. A
// missing translation is no fault: it is said in English, with a noun's name if English has no such form.
func (p Phrase) Faults(l Language) (faults []string) {
	if !p.IsZero() {
		w := newWriter(l)
		w.faults = &faults
		w.phrase(p, "", Plain)
	}
	return faults
}

// Span is a part of a text that looks the same throughout.
type Span struct {
	Text  string
	Mark  Mark
	Value any // a part other than words or a number, such as a person; Text is empty then
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

// Each is what say makes of each item, as for a list of them; nil for none.
func Each[T, U any](items []T, say func(T) U) (said []U) {
	for _, item := range items {
		said = append(said, say(item))
	}
	return said
}

// List is a part that is made of several.
type List struct {
	key       string // the word before the last item; "" for the usual separator
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

// Book has the sentences of one package. It is safe for concurrent use.
type Book struct {
	read [len(languages)]func() map[string]Sentence
}

// NewBook makes the book of the files words/en.toml, words/de.toml and so on. They are read at first use; a missing one
// has no sentences, and an unreadable one panics, since it is part of the program.
func NewBook(files fs.FS) *Book {
	b := &Book{}
	for i, l := range languages {
		b.read[i] = sync.OnceValue(func() map[string]Sentence { return load(files, l) })
	}
	return b
}

//go:embed words
var words embed.FS

// common are the words available to every book.
var common = NewBook(words) //nolint:gochecknoglobals // read once, never written

func load(files fs.FS, l Language) map[string]Sentence {
	file := path.Join("words", string(l)+".toml")
	text, err := fs.ReadFile(files, file)
	if err != nil {
		return nil
	}
	var tables map[string]any
	if err := toml.Unmarshal(text, &tables); err != nil {
		panic(fmt.Sprintf("phrase: %s: %v", file, err))
	}
	all := map[string]Sentence{}
	flatten(all, "", tables)
	return all
}

// flatten names a sentence of a table by both keys: "rook.the".
func flatten(all map[string]Sentence, prefix string, table map[string]any) {
	for key, value := range table {
		switch value := value.(type) {
		case map[string]any:
			flatten(all, prefix+key+".", value)
		case string:
			source := strings.TrimSpace(value)
			p := parser{rest: source}
			nodes, err := p.nodes()
			if err != nil {
				panic(fmt.Sprintf("phrase: %s%s: %v", prefix, key, err))
			}
			all[prefix+key] = Sentence{source, nodes}
		default:
			panic(fmt.Sprintf("phrase: %s%s is no text", prefix, key))
		}
	}
}

// Say is a sentence of the book with its parts: the name of each, and the part. A part is a
// string, a whole number, a Decimal, a Phrase, a List or any other value, which becomes a Span's.
func (b *Book) Say(key string, parts ...any) Phrase { return Phrase{b, key, parts} }

// Has reports whether the book has a sentence, or a noun, in English.
func (b *Book) Has(key string) bool {
	_, _, ok := b.find(English, key, "")
	return ok
}

// All are the sentences of a language by key, in order of key.
func (b *Book) All(l Language) iter.Seq2[string, Sentence] {
	return func(yield func(string, Sentence) bool) {
		all := b.in(l)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !yield(key, all[key]) {
				return
			}
		}
	}
}

func (b *Book) in(l Language) map[string]Sentence {
	if i := slices.Index(languages[:], l); i >= 0 {
		return b.read[i]()
	}
	return nil
}

// find is a sentence, or the form of a noun, in a language; exact is false if a noun lacks the form and its name is
// used.
func (b *Book) find(l Language, key, form string) (s Sentence, exact, ok bool) {
	all := b.in(l)
	if form != "" {
		if s, ok = all[key+"."+form]; ok {
			return s, true, true
		}
	}
	if s, ok = all[key]; !ok {
		s, ok = all[key+".name"]
	}
	return s, form == "" && ok, ok
}

// Common is the book of the words available to every other.
func Common() *Book { return common }

// Language is a language of the program, by its ISO 639 code.
type Language string

// The languages.
const (
	English    Language = "en"
	German     Language = "de"
	French     Language = "fr"
	Spanish    Language = "es"
	Portuguese Language = "pt" // as in Brazil
	Russian    Language = "ru"
)

var languages = [...]Language{English, German, French, Spanish, Portuguese, Russian} //nolint:gochecknoglobals // never written

// Languages are all languages, English first.
func Languages() []Language { return languages[:] }

// Match is the language for a platform's locale, such as "pt-BR" or "es-419"; false if none matches.
func Match(locale string) (Language, bool) {
	if tag, err := language.Parse(locale); err == nil {
		base, _ := tag.Base()
		if i := slices.Index(languages[:], Language(base.String())); i >= 0 {
			return languages[i], true
		}
	}
	return English, false
}

// other is the option for everything without its own.
const other = "other"

// Somebody is the name of a person who has none any more. This text as a part is said in the language of the sentence.
const Somebody = "somebody"

// Fold is a text without capitals and accents, for comparison with what people type.
func Fold(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.Is(unicode.Mn, c) {
			return -1
		}
		return unicode.ToLower(c)
	}, norm.NFD.String(text))
}

// decimal is a number with a fraction, as a part.
type decimal struct{ digits string } // "1.25"

// Decimal is a number as a part, rounded to places decimals, or none if it is whole; each language has its own decimal
// sign.
func Decimal(value float64, places int) any {
	if whole := int(value); float64(whole) == value {
		return whole
	}
	return decimal{strconv.FormatFloat(value, 'f', places, 64)}
}

// category is the plural category (CLDR) that a number has in a language, by its digits.
func (l Language) category(digits string) string {
	before, after, _ := strings.Cut(strings.TrimPrefix(digits, "-"), ".")
	n, _ := strconv.Atoi(before[max(0, len(before)-7):]) // the last digits are enough
	fraction, _ := strconv.Atoi(after)
	shown := strings.TrimRight(after, "0")
	shownFraction, _ := strconv.Atoi(shown)
	form := plural.Cardinal.MatchPlural(language.Make(string(l)), n, len(after), len(shown), fraction, shownFraction)
	return map[plural.Form]string{
		plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many", plural.Other: other,
	}[form]
}
