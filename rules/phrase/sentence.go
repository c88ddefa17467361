package phrase

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence is how a phrase is said in one language.
type Sentence struct {
	source string
	nodes  []node
}

// String is the sentence as it is written.
func (s Sentence) String() string { return s.source }

// Parts are the options of each part in the sentence, by its name.
func (s Sentence) Parts() map[string][]string {
	parts := map[string][]string{}
	collect(s.nodes, parts)
	return parts
}

func collect(nodes []node, parts map[string][]string) {
	for _, n := range nodes {
		if n.part != "" {
			parts[n.part] = slices.AppendSeq(parts[n.part], maps.Keys(n.options))
		}
		collect(n.inner, parts)
		for _, option := range n.options {
			collect(option, parts)
		}
	}
}

// node is a text, a part, or the content between marks.
type node struct {
	text    string
	part    string
	form    string
	options map[string][]node // by what the part is
	number  bool              // the part around the option: "#"
	mark    Mark
	inner   []node
}

// parser reads a sentence.
type parser struct {
	rest    string
	options int // how many parts with options are open
}

var marks = [...]struct { //nolint:gochecknoglobals // never written
	sign string
	mark Mark
}{{"**", Bold}, {"``", Sample}, {"`", Code}}

// nodes reads up to one of the stops, which is not consumed, or to the end.
func (p *parser) nodes(stops ...string) (all []node, err error) {
	begins := func(stop string) bool { return strings.HasPrefix(p.rest, stop) }
	for p.rest != "" && !slices.ContainsFunc(stops, begins) {
		n, err := p.node()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

func (p *parser) node() (n node, err error) {
	for _, m := range marks {
		if inner, ok := strings.CutPrefix(p.rest, m.sign); ok {
			p.rest, n.mark = inner, m.mark
			if n.inner, err = p.nodes(m.sign); err != nil {
				return n, err
			}
			if p.rest, ok = strings.CutPrefix(p.rest, m.sign); !ok {
				err = fmt.Errorf("%s is not closed", m.sign)
			}
			return n, err
		}
	}
	end := 1
	switch c := p.rest[0]; {
	case c == '{':
		return p.part()
	case c == '#' && p.options > 0:
		n.number = true
	case c == '\\' && len(p.rest) > 1:
		end = 2
		n.text = p.rest[1:end]
	default:
		if end += strings.IndexAny(p.rest[1:], "\\{|}#*`"); end == 0 {
			end = len(p.rest)
		}
		n.text = p.rest[:end]
	}
	p.rest = p.rest[end:]
	return n, nil
}

// part reads the content of braces.
func (p *parser) part() (n node, err error) {
	end := strings.IndexAny(p.rest, ":}")
	if end < 0 {
		return n, fmt.Errorf("%q is not closed", p.rest)
	}
	n.part, n.form, _ = strings.Cut(p.rest[1:end], ".")
	sign := p.rest[end]
	p.rest = p.rest[end+1:]
	if sign == '}' {
		return n, nil
	}
	n.options = map[string][]node{}
	p.options++
	defer func() { p.options-- }()
	for {
		key, rest, ok := strings.Cut(p.rest, "=")
		if !ok {
			return n, fmt.Errorf("an option of %s has no text", n.part)
		}
		p.rest = rest
		if n.options[strings.TrimSpace(key)], err = p.nodes("|", "}"); err != nil {
			return n, err
		}
		if p.rest == "" {
			return n, fmt.Errorf("{%s is not closed", n.part)
		}
		sign, p.rest = p.rest[0], p.rest[1:]
		if sign == '}' {
			return n, nil
		}
	}
}

// writer puts a phrase into words.
type writer struct {
	asked    Language // the language wanted for the whole
	language Language // the language of this phrase
	spans    []Span
	last     []byte // the text of the last span, unless that has a value
	parts    []any
	number   any  // of the part whose option is written
	capital  bool // the next letter becomes one
	faults   *[]string
}

func newWriter(l Language) *writer { return &writer{asked: l, language: l} }

// miss notes that something is missing, if faults are wanted.
func (w *writer) miss(format string, args ...any) {
	if w.faults != nil {
		*w.faults = append(*w.faults, fmt.Sprintf(format, args...))
	}
}

// phrase writes a phrase; of a noun, the given form.
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
	if !exact && from == w.asked { // an untranslated noun has the forms of its own language
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

// find is the part with a name.
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
		if w.language != English {
			v.digits = strings.ReplaceAll(v.digits, ".", ",")
		}
		w.text(v.digits, mark)
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
			w.blend(fmt.Sprint(value))
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

// text writes words, joined with preceding ones of the same look.
func (w *writer) text(text string, mark Mark) {
	if text == "" {
		return
	}
	if w.capital {
		first, size := utf8.DecodeRuneInString(text)
		text, w.capital = string(unicode.ToUpper(first))+text[size:], false
	}
	w.blend(text)
	if end := len(w.spans) - 1; end < 0 || w.spans[end].Mark != mark || w.spans[end].Value != nil {
		w.spans = append(w.said(), Span{Mark: mark})
	}
	w.last = append(w.last, text...)
}

// sameSound is "y" or "o" before a word that begins with its sound, which "hierro" does not.
var sameSound = regexp.MustCompile(`^ (y [^\pL\pN]*h?[iy]([^aeou]|$)|o [^\pL\pN]*h?o)`)

// blend makes "e" of a Spanish "y", and "u" of an "o", if the words that follow begin with its sound.
func (w *writer) blend(next string) {
	if at := len(w.last) - len(" y "); w.language == Spanish && at >= 0 && sameSound.MatchString(Fold(string(w.last[at:])+next)) {
		w.last[at+1] = map[byte]byte{'y': 'e', 'o': 'u'}[w.last[at+1]]
	}
}

// said are the spans written so far.
func (w *writer) said() []Span {
	if len(w.last) > 0 {
		w.spans[len(w.spans)-1].Text, w.last = string(w.last), w.last[:0]
	}
	return w.spans
}

// isWhole reports whether a part is an integer of any type without a String method.
func isWhole(value any) bool {
	_, spelled := value.(fmt.Stringer)
	v := reflect.ValueOf(value)
	return !spelled && (v.CanInt() || v.CanUint())
}
