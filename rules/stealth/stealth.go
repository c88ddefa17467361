package stealth

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

// Stealth is the game of Stealth Bomber Chess.
func Stealth() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "stealth", Name: "Stealth Bomber Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"), Start: fide.Start, Shape: fide.Shape(), Table: roster.table, Numbers: numbers, Puzzles: puzzles, Course: rules.ReadCourse(course),
	}, (*State).load)
}
