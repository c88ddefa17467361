package knightmare

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words
var words embed.FS

//go:embed numbers.txt
var numbers string

//go:embed puzzles.txt
var puzzles string

//go:embed course.json
var course []byte

var book = phrase.NewBook(words) //nolint:gochecknoglobals // read once, never written

const start = fide.Start + " -"

// Knightmare is the game.
func Knightmare() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "knightmare", Name: "Combining Knightmare Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Start: start,
		Shape: fide.Shape(), Table: fide.Pieces(), Shared: book.Say("knightmare-of"), Fields: []string{"frozen square"}, Numbers: numbers, Puzzles: puzzles, Course: rules.ReadCourse(course),
	}, (*State).load)
}
