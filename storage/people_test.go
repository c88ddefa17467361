package storage_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"chimera/storage"
)

func TestNamesAreFitToBeSaidOnAnyPlatform(t *testing.T) {
	for name, want := range map[string]string{
		"alice": "alice", "J. R. Smith": "J. R. Smith", "@victim": "victim", "https://evil.example/x": "https:∕∕evil․example∕x",
		"/resign": "∕resign", "two\nlines": "two lines", "left\u202eright": "leftright", "  ": storage.Nobody, "\u200b@": storage.Nobody,
		"\u3164\u2800": storage.Nobody, "a\u115fb": "ab",
		strings.Repeat("x", 120): strings.Repeat("x", 39) + "…",
	} {
		if got := storage.SafeName(name); got != want {
			t.Errorf("%q is called %q, want %q", name, got, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range []string{"alice", "@a", "a\u202eb", "/x", "a.b", "\xff", "…"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := storage.SafeName(name)
		switch {
		case got == "" || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 40:
			t.Errorf("%q is called %q", name, got)
		case strings.ContainsAny(got, "@/\n\r") || strings.ContainsFunc(got, func(c rune) bool { return !unicode.IsGraphic(c) }):
			t.Errorf("%q is called %q", name, got)
		case storage.SafeName(got) != got:
			t.Errorf("%q is called %q, and that %q", name, got, storage.SafeName(got))
		}
	})
}
