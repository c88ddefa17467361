package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"chimera/bot/console"
	"chimera/bot/discord"
	"chimera/bot/telegram"
	"chimera/bot/web"
	botwords "chimera/bot/words"
	"chimera/render/chart"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
)

// words lists what the program says to people.
type words struct {
	Language string `short:"l" default:"en" help:"Language: en, de, fr, es, pt or ru."`
}

// Help implements [kong.HelpProvider].
func (words) Help() string {
	return "Each line is a sentence with its key. Sentences that aren't translated yet come first, in English, after a \"!\"."
}

// Run lists the sentences.
func (w *words) Run(std streams) error {
	language := phrase.Language(strings.ToLower(w.Language))
	if !slices.Contains(phrase.Languages(), language) {
		return fmt.Errorf("there is no language %q: choose from en, de, fr, es, pt and ru", w.Language)
	}
	for _, b := range books() {
		english, said := maps.Collect(b.book.All(phrase.English)), maps.Collect(b.book.All(language))
		for key, sentence := range english {
			if _, ok := said[key]; !ok && !isForm(english, key) {
				fmt.Fprintf(std.out, "%s.%s\t! %s\n", b.name, key, indented(sentence))
			}
		}
		for key, sentence := range b.book.All(language) {
			fmt.Fprintf(std.out, "%s.%s\t%s\n", b.name, key, indented(sentence))
		}
	}
	return nil
}

// isForm reports whether a key is that of a noun's form, of which each language has its own.
func isForm(all map[string]phrase.Sentence, key string) bool {
	noun := key[:max(strings.LastIndexByte(key, '.'), 0)]
	_, ok := all[noun+".name"]
	return ok && key != noun+".name"
}

func indented(s phrase.Sentence) string { return strings.ReplaceAll(s.String(), "\n", "\n\t") }

// namedBook is a book, and whose it is.
type namedBook struct {
	name string
	book *phrase.Book
}

// books are all there are.
func books() []namedBook {
	all := []namedBook{
		{"phrase", phrase.Common()},
		{"bot", botwords.Book()},
		{"discord", discord.Book()},
		{"telegram", telegram.Book()},
		{"console", console.Book()},
		{"web", web.Book()},
		{"render", text.Book()},
		{"chart", chart.Book()},
		{"rules", rules.Book()},
	}
	for _, v := range variants.All() {
		if !slices.ContainsFunc(all, func(b namedBook) bool { return b.book == v.Words }) {
			all = append(all, namedBook{v.Key, v.Words})
		}
	}
	return all
}
