package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"chimera/rules/phrase"
)

// update rewrites what is stored of this.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// listed is what "chimera words" says.
func listed(t *testing.T, language phrase.Language) string {
	t.Helper()
	var out, fault bytes.Buffer
	if status := run(t.Context(), []string{"words", "--language", string(language)}, streams{strings.NewReader(""), &out, &fault}, wall()); status != allWell {
		t.Fatalf("words ends with %d: %s", status, fault.String())
	}
	return out.String()
}

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
	for _, l := range phrase.Languages() {
		for line := range strings.Lines(listed(t, l)) {
			if strings.Contains(line, "\t! ") {
				t.Errorf("%s lacks %s", l, line)
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
			regexp.MustCompile("[^\u00a0]:[ |}]"), regexp.MustCompile("[^\u202f][;!?»][ |}]"), regexp.MustCompile("«[^\u202f]"),
		} {
			if found := bad.FindString(text); found != "" {
				t.Errorf("%s: %q in %s", key, found, text)
			}
		}
	}
}
