package adapter

import (
	"slices"
	"strings"
	"unicode/utf16"

	"chimera/bot/words"
)

// Length is the length of a text as platforms count it, in UTF-16 units.
func Length(text string) (units int) {
	for _, c := range text {
		units += utf16.RuneLen(c)
	}
	return units
}

// Clip cuts a text to at most that length.
func Clip(text string, most int) string {
	if Length(text) <= most {
		return text
	}
	n := 0
	for i, c := range text {
		if n += utf16.RuneLen(c); n > most-1 {
			return text[:i] + "…"
		}
	}
	return text
}

// Lines are the lines of a text; an empty text has one.
func Lines(t words.Text) (all []words.Text) {
	var line words.Text
	for _, s := range t {
		for i, part := range strings.Split(s.Words, "\n") {
			if i > 0 {
				all, line = append(all, line), nil
			}
			s.Words = part
			line = append(line, s)
		}
	}
	return append(all, line)
}

// Pages are the parts of a text that fit one message each, cut between lines where possible.
// length is how long a span is as its platform writes it; no character may be longer than four.
func Pages(t words.Text, most int, length func(words.Span) int) (pages []words.Text) {
	var page words.Text
	size := 0
	end := func() {
		blank := func(s words.Span) bool { return s.Words == "\n" }
		for len(page) > 0 && blank(page[0]) {
			page = page[1:]
		}
		for len(page) > 0 && blank(page[len(page)-1]) {
			page = page[:len(page)-1]
		}
		if len(page) > 0 {
			pages = append(pages, page)
		}
		page, size = nil, 0
	}
	add := func(part words.Text, n int) {
		if size+n >= most {
			end()
		}
		page, size = append(page, part...), size+n
	}
	for i, line := range Lines(t) {
		if i > 0 {
			page, size = append(page, words.Span{Words: "\n"}), size+1
		}
		var part words.Text // of the line that fits a message
		long := 0
		for _, s := range line {
			for signs := range slices.Chunk([]rune(s.Words), most/4-50) {
				s.Words = string(signs)
				n := length(s)
				if long+n >= most {
					add(part, long)
					part, long = nil, 0
				}
				part, long = append(part, s), long+n
			}
		}
		add(part, long)
	}
	end()
	return pages
}
