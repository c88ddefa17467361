package knightmare

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

const start = fide.Start + " -"

// Knightmare is the game.
func Knightmare() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "knightmare", Name: "Combining Knightmare Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Start: start,
		Shape: fide.Shape(), Table: fide.Pieces(), Shared: book.Say("knightmare-of"), Fields: []string{"frozen square"}, Files: files.ReadFile,
	}, (*State).load)
}
