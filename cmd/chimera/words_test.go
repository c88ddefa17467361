package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"chimera/rules/phrase"
	"chimera/rules/phrase/phrasetest"
)

// update rewrites what is stored of this.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// speakers are the folders whose words folder has sentences.
func speakers(t *testing.T) (folders []string) {
	t.Helper()
	parents, err := filepath.Glob("../../*/words/en.toml")
	must(t, err)
	packages, err := filepath.Glob("../../*/*/words/en.toml")
	must(t, err)
	for _, file := range slices.Concat(parents, packages) {
		folders = append(folders, filepath.Dir(filepath.Dir(file)))
	}
	return folders
}

// listed are the sentences of a language, each with its key on a line, and after a "!" those that are in English still.
func listed(t *testing.T, language phrase.Language) string {
	t.Helper()
	var all strings.Builder
	for _, folder := range speakers(t) {
		name := filepath.Base(folder)
		if called, ok := map[string]string{"words": "bot", "text": "render", "fide": "chess"}[name]; ok {
			name = called
		}
		book := phrase.NewBook(os.DirFS(folder))
		english, said := maps.Collect(book.All(phrase.English)), maps.Collect(book.All(language))
		for _, key := range slices.Sorted(maps.Keys(english)) {
			if _, ok := said[key]; !ok && !isForm(english, key) {
				fmt.Fprintf(&all, "%s.%s\t! %s\n", name, key, indented(english[key]))
			}
		}
		for key, sentence := range book.All(language) {
			fmt.Fprintf(&all, "%s.%s\t%s\n", name, key, indented(sentence))
		}
	}
	return all.String()
}

// isForm reports whether a key is that of a noun's form, of which each language has its own.
func isForm(all map[string]phrase.Sentence, key string) bool {
	noun := key[:max(strings.LastIndexByte(key, '.'), 0)]
	_, ok := all[noun+".name"]
	return ok && key != noun+".name"
}

func indented(s phrase.Sentence) string { return strings.ReplaceAll(s.String(), "\n", "\n\t") }

func TestEverySentenceIsListed(t *testing.T) {
	const golden = "testdata/words.txt"
	got := listed(t, phrase.English)
	if update {
		must(t, os.WriteFile(golden, []byte(got), 0o644))
	}
	want := contents(t, golden)
	differ := func(what, these, those string) {
		known := map[string]bool{}
		for line := range strings.Lines(those) {
			known[line] = true
		}
		for line := range strings.Lines(these) {
			if !known[line] {
				t.Errorf("%s: %s", what, line)
			}
		}
	}
	differ("new, or changed", got, string(want))
	differ("gone", string(want), got)
}

func TestEveryLanguageHasEverySentence(t *testing.T) {
	for _, folder := range speakers(t) {
		t.Run(folder, func(t *testing.T) { phrasetest.Same(t, phrase.NewBook(os.DirFS(folder))) })
	}
	for _, l := range phrase.Languages() {
		for line := range strings.Lines(listed(t, l)) {
			if other := l != phrase.English && l != phrase.German; strings.Contains(line, "\t! ") || other && strings.Contains(line, "@name") || l == phrase.Russian && strings.Contains(line, ".»") {
				t.Errorf("%s lacks, or writes oddly: %s", l, line)
			}
		}
	}
}

// French has no-break spaces before its signs, so that none of them begins a line: a usual one
// before colons, narrow ones before the others and within quotation marks.
func TestFrenchSignsAreNeverPartedFromTheirWords(t *testing.T) {
	typed := regexp.MustCompile("`[^`]*`|\\b[a-z]+: [a-z]") // commands, and lines of a console
	for line := range strings.Lines(listed(t, phrase.French)) {
		key, text, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(text, "! ") {
			continue // it is in English still
		}
		text = typed.ReplaceAllString(text, "C") + " "
		for _, bad := range []*regexp.Regexp{
			regexp.MustCompile("[^\u00a0]:[ |}]"), regexp.MustCompile("[^\u202f][;!?%»][ ,.|}]"), regexp.MustCompile("«[^\u202f]"),
		} {
			if found := bad.FindString(text); found != "" {
				t.Errorf("%s: %q in %s", key, found, text)
			}
		}
	}
}
