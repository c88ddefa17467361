package adapter

import (
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
	var page, line words.Text
	paged, lined := 0, 0
	endPage := func() {
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
		page, paged = nil, 0
	}
	endLine := func() {
		if paged+lined >= most {
			endPage()
		}
		page, paged = append(page, line...), paged+lined
		line, lined = nil, 0
	}
	for _, s := range t {
		for i, part := range strings.Split(s.Words, "\n") {
			if i > 0 {
				endLine()
				page, paged = append(page, words.Span{Words: "\n"}), paged+1
			}
			for _, s.Words = range chunks(part, most/4-50) {
				n := length(s)
				if lined+n >= most {
					endLine()
				}
				line, lined = append(line, s), lined+n
			}
		}
	}
	endLine()
	endPage()
	return pages
}

// chunks are parts of a text of at most that many characters; an empty text has one.
func chunks(text string, most int) (parts []string) {
	signs := []rune(text)
	for len(signs) > most {
		parts = append(parts, string(signs[:most]))
		signs = signs[most:]
	}
	return append(parts, string(signs))
}
