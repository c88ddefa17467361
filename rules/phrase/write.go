package phrase

import (
	"fmt"
	"reflect"
	"unicode"
	"unicode/utf8"
)

// writer puts a phrase into words.
type writer struct {
	asked    Language // in which the whole is wanted
	language Language // in which this phrase is said
	spans    []Span
	last     []byte // the text of the last span, unless that has a value
	parts    []any
	number   any  // of the part whose option is written
	capital  bool // the next letter is one
	faults   *[]string
}

func newWriter(l Language) *writer { return &writer{asked: l, language: l} }

// miss notes that something is not there, if anybody wants to know.
func (w *writer) miss(format string, args ...any) {
	if w.faults != nil {
		*w.faults = append(*w.faults, fmt.Sprintf(format, args...))
	}
}

// phrase writes a phrase, or a form of it where it is a noun.
func (w *writer) phrase(p Phrase, form string, mark Mark) {
	if p.book == nil {
		w.text(p.key, mark)
		return
	}
	from := w.language
	sentence, exact, ok := p.book.find(from, p.key, form)
	if !ok {
		from = English
		if sentence, exact, ok = p.book.find(from, p.key, form); !ok {
			w.miss("no sentence %s", p.key)
			w.text(p.key, mark)
			return
		}
	}
	if !exact && from == w.asked { // what is not translated yet has its forms in its own language
		w.miss("no %s.%s in %s", p.key, form, from)
	}
	inner := writer{asked: w.asked, language: from, spans: w.spans, last: w.last, parts: p.parts, capital: w.capital, faults: w.faults}
	inner.nodes(sentence.nodes, mark)
	w.spans, w.last, w.capital = inner.spans, inner.last, inner.capital
}

func (w *writer) nodes(nodes []node, mark Mark) {
	for _, n := range nodes {
		switch {
		case n.part != "":
			w.part(n, mark)
		case n.number:
			w.value(w.number, "", mark)
		case n.inner != nil:
			w.nodes(n.inner, n.mark)
		default:
			w.text(n.text, mark)
		}
	}
}

func (w *writer) part(n node, mark Mark) {
	value, ok := w.find(n.part)
	if !ok {
		w.miss("no part %s", n.part)
		w.text("{"+n.part+"}", mark)
		return
	}
	if n.options != nil {
		choice := w.choice(value, n.options)
		option, ok := n.options[choice]
		if !ok {
			if option, ok = n.options[other]; !ok {
				w.miss("no option %s of %s", choice, n.part)
			}
		}
		outer := w.number
		w.number = value
		w.nodes(option, mark)
		w.number = outer
		return
	}
	form := n.form
	if first, size := utf8.DecodeRuneInString(form); unicode.IsUpper(first) {
		form = string(unicode.ToLower(first)) + form[size:]
		w.capital = true
	}
	w.value(value, form, mark)
}

// find is the part of a name.
func (w *writer) find(name string) (any, bool) {
	for i := 0; i+1 < len(w.parts); i += 2 {
		if w.parts[i] == name {
			return w.parts[i+1], true
		}
	}
	return nil, false
}

// choice names the option for a part.
func (w *writer) choice(value any, options map[string][]node) string {
	switch v := value.(type) {
	case Phrase:
		if v.book == nil {
			return v.key
		}
		gender := writer{language: w.language, parts: v.parts}
		if s, exact, _ := v.book.find(w.language, v.key, "gender"); exact {
			gender.nodes(s.nodes, Plain)
		}
		if said := gender.said(); len(said) > 0 {
			return said[0].Text
		}
		return other
	case decimal:
		return w.language.category(v.digits)
	}
	said := fmt.Sprint(value)
	if _, exact := options[said]; !exact && isWhole(value) {
		return w.language.category(said)
	}
	return said
}

// value writes a part in one of its forms.
func (w *writer) value(value any, form string, mark Mark) {
	switch v := value.(type) {
	case string:
		if v == Somebody {
			w.phrase(common.Say("somebody"), form, mark)
			return
		}
		w.text(v, mark)
	case decimal:
		w.text(v.in(w.language), mark)
	case Phrase:
		w.phrase(v, form, mark)
	case List:
		w.list(v, form, mark)
	default:
		switch text := reflect.ValueOf(value); {
		case isWhole(value):
			w.text(fmt.Sprint(value), mark)
		case text.Kind() == reflect.String:
			w.text(text.String(), mark)
		default:
			w.spans, w.capital = append(w.said(), Span{Mark: mark, Value: value}), false
		}
	}
}

func (w *writer) list(l List, form string, mark Mark) {
	for i, item := range l.items {
		switch {
		case i == 0:
		case i == len(l.items)-1 && l.key != "":
			w.text(" ", mark)
			w.phrase(common.Say(l.key), "", mark)
			w.text(" ", mark)
		default:
			w.text(l.separator, mark)
		}
		w.value(item, form, mark)
	}
}

// text writes words as they are, after others that look the same together with them.
func (w *writer) text(text string, mark Mark) {
	if text == "" {
		return
	}
	if w.capital {
		first, size := utf8.DecodeRuneInString(text)
		text, w.capital = string(unicode.ToUpper(first))+text[size:], false
	}
	if end := len(w.spans) - 1; end < 0 || w.spans[end].Mark != mark || w.spans[end].Value != nil {
		w.spans = append(w.said(), Span{Mark: mark})
	}
	w.last = append(w.last, text...)
}

// said are the spans that are written.
func (w *writer) said() []Span {
	if len(w.last) > 0 {
		w.spans[len(w.spans)-1].Text, w.last = string(w.last), w.last[:0]
	}
	return w.spans
}

// isWhole reports whether a part is a whole number of any type, also one that has a name; a type that
// says how it is spelled is none.
func isWhole(value any) bool {
	_, spelled := value.(fmt.Stringer)
	v := reflect.ValueOf(value)
	return !spelled && (v.CanInt() || v.CanUint())
}
