package main

import (
	"fmt"
	"slices"
	"strings"

	"chimera/bot/discord"
	"chimera/bot/telegram"
	botwords "chimera/bot/words"
	"chimera/render"
	"chimera/render/chart"
	"chimera/rules/phrase"
)

// words lists what the program says to people.
type words struct {
	Language string `short:"l" default:"en" help:"Language: en, de, fr, es, pt or ru."`
}

// Help implements [kong.HelpProvider].
func (words) Help() string {
	return "Each line is a sentence with its key. Sentences that aren't translated yet are in English, after a \"!\"."
}

// Run lists the sentences.
func (w *words) Run(std streams) error {
	language := phrase.Language(strings.ToLower(w.Language))
	if !slices.Contains(phrase.Languages(), language) {
		return fmt.Errorf("there is no language %q: choose from en, de, fr, es, pt and ru", w.Language)
	}
	for _, b := range books() {
		said := map[string]string{}
		for key, sentence := range b.book.All(language) {
			said[key] = sentence.String()
		}
		for key, sentence := range b.book.All(phrase.English) {
			text, ok := said[key]
			if !ok {
				text = "! " + sentence.String()
			}
			fmt.Fprintf(std.out, "%s.%s\t%s\n", b.name, key, strings.ReplaceAll(text, "\n", "\n\t"))
		}
	}
	return nil
}

// namedBook is a book, and whose it is.
type namedBook struct {
	name string
	book *phrase.Book
}

// books are all there are.
func books() []namedBook {
	return []namedBook{
		{"phrase", phrase.Common()}, {"bot", botwords.Book()}, {"discord", discord.Words()}, {"telegram", telegram.Words()},
		{"render", render.Book()}, {"chart", chart.Book()},
	}
}
