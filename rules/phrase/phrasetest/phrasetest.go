// Package phrasetest checks the sentences of books.
package phrasetest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chimera/rules/phrase"
)

// Same checks that a book is complete in each language in which it has any sentence: every sentence and noun is there,
// with the same parts as in English, and with options for all numbers and for all words that have one in English.
func Same(t *testing.T, b *phrase.Book) {
	t.Helper()
	english := read(b, phrase.English)
	if len(english) == 0 {
		t.Error("the book says nothing in English")
	}
	options(t, b, phrase.English)
	for _, l := range phrase.Languages()[1:] {
		other := read(b, l)
		if len(other) == 0 {
			t.Logf("the book is not in %s", l)
			continue
		}
		options(t, b, l)
		for key, want := range english {
			switch got, ok := other[key]; {
			case !ok:
				t.Errorf("%s has no sentence %s", l, key)
			case want.noun != got.noun:
				t.Errorf("%s has %s as one of a sentence and a noun, and English as the other", l, key)
			case !want.noun && !slices.Equal(got.parts, want.parts), slices.ContainsFunc(got.parts, func(part string) bool { return !slices.Contains(want.parts, part) }):
				t.Errorf("%s has the parts %v in %s, and English %v", key, got.parts, l, want.parts)
			}
		}
		for key := range other {
			if _, ok := english[key]; !ok {
				t.Errorf("%s has a sentence %s, which English has not", l, key)
			}
		}
	}
}

// options checks that no option is missing, by saying the sentences of a language with each number and word.
func options(t *testing.T, b *phrase.Book, l phrase.Language) {
	t.Helper()
	english := maps.Collect(b.All(phrase.English))
	for key, s := range b.All(l) {
		for part, own := range s.Parts() {
			words := english[key].Parts()[part]
			var values []any
			if slices.ContainsFunc(slices.Concat(own, words), isCount) {
				for n := range 202 {
					values = append(values, n)
				}
			} else {
				for _, word := range words {
					values = append(values, word)
				}
			}
			told := map[string]bool{}
			for _, value := range values {
				for _, fault := range b.Say(key, part, value).Faults(l) {
					if !told[fault] && (fault == fmt.Sprintf("no option %v of %s", value, part) || isCount(fault)) {
						t.Errorf("%s in %s, where %s is %v: %s", key, l, part, value, fault)
						told[fault] = true
					}
				}
			}
		}
	}
}

// isCount reports whether an option, or the fault that it is missing, is for a kind of number.
func isCount(option string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(option, "no option "), " ")
	return slices.Contains([]string{"zero", "one", "two", "few", "many"}, name)
}

// entry is a sentence, or a noun with the parts of all its forms together.
type entry struct {
	noun  bool
	parts []string
}

func read(b *phrase.Book, l phrase.Language) map[string]entry {
	all, sentences := map[string]entry{}, maps.Collect(b.All(l))
	for key, s := range sentences {
		name, noun := nounOf(sentences, key)
		e := entry{noun, slices.AppendSeq(all[name].parts, maps.Keys(s.Parts()))}
		slices.Sort(e.parts)
		e.parts = slices.Compact(e.parts)
		all[name] = e
	}
	return all
}

// nounOf is the noun that a key is a form of, or else the key itself.
func nounOf(all map[string]phrase.Sentence, key string) (name string, noun bool) {
	name = strings.TrimSuffix(key, path.Ext(key))
	if _, noun = all[name+".name"]; !noun {
		name = key
	}
	return name, noun
}

// Say says each sentence of a book in each language, with each sample of each part, and checks that nothing
// is missing and that the text looks right: sentences end with a full stop or the like and begin with a capital letter
// where English does, clauses end as in English. Samples are by the part's name; clauses begin the keys of clauses.
func Say(t *testing.T, b *phrase.Book, samples map[string][]any, clauses ...string) {
	t.Helper()
	english := maps.Collect(b.All(phrase.English))
	for key, s := range b.All(phrase.English) {
		_, noun := nounOf(english, key)
		clause := noun || slices.ContainsFunc(clauses, func(prefix string) bool { return strings.HasPrefix(key, prefix) })
		var first []any
		for part := range s.Parts() {
			if len(samples[part]) == 0 {
				t.Errorf("%s: there is no sample of {%s}", key, part)
				continue
			}
			first = append(first, part, samples[part][0])
		}
		say(t, b.Say(key, first...), clause)
		for i := 0; i < len(first); i += 2 {
			for _, sample := range samples[first[i].(string)][1:] {
				parts := slices.Clone(first)
				parts[i+1] = sample
				say(t, b.Say(key, parts...), clause)
			}
		}
	}
}

func say(t *testing.T, p phrase.Phrase, clause bool) {
	t.Helper()
	for _, l := range phrase.Languages() {
		text := p.Text(l)
		if faults := slices.Concat(p.Faults(l), oddities(text, p.String(), clause)); len(faults) > 0 {
			t.Errorf("%s in %s: %q: %s", p.Key(), l, text, strings.Join(faults, ", "))
		}
	}
}

// oddities tell what looks wrong in a text, also compared with English.
func oddities(text, english string, clause bool) (odd []string) {
	const stops = ".?!:…"
	for _, sign := range []string{"{", "}", "  ", " .", " ,", "..", "the the", "\\"} {
		if strings.Contains(text, sign) {
			odd = append(odd, fmt.Sprintf("has %q in it", sign))
		}
	}
	ends := func(text string) bool {
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, ")”»"))
		return strings.ContainsRune(stops, last)
	}
	small := func(text string) bool {
		first, _ := utf8.DecodeRuneInString(text)
		return unicode.IsLower(first)
	}
	switch {
	case text == "" || text != strings.TrimSpace(text):
		odd = append(odd, "is empty, or has space around it")
	case clause && ends(text) != ends(english):
		odd = append(odd, "does not end as in English")
	case !clause && !ends(text):
		odd = append(odd, "ends without a stop")
	case !clause && small(text) && !small(english):
		odd = append(odd, "begins with a small letter")
	}
	return odd
}
