package stealth

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Stealth is the game of Stealth Bomber Chess.
func Stealth() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "stealth", Name: "Stealth Bomber Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"),
		Start: fide.Start, Shape: fide.Shape(), Table: roster.table, Files: files.ReadFile,
	}, (*State).load)
}
