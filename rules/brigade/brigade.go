package brigade

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// start is the array of orthodox chess, with the castling field that this game
// always has.
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

// Brigade is the game.
func Brigade() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "brigade", Name: "Combined Arms Brigade Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"),
		Start: start, Shape: fide.Shape(), Table: table, Files: files.ReadFile,
	}, (*State).load)
}

// table has the arms of the brigade, each in place of an orthodox piece, whose letter it has.
var table = arms() //nolint:gochecknoglobals // never written

func arms() rules.Table {
	table := fide.Pieces()
	for role := fide.Pawn; role <= fide.King; role++ {
		table[role].Does = book.Say("does." + table[role].Name)
	}
	for role, arm := range map[rules.Role]struct{ name, glyph string }{
		fide.Pawn:   {"infantry", "infantry"},
		fide.Knight: {"tank", "armor"},
		fide.Bishop: {"gun", "light-gun"},
		fide.Rook:   {"howitzer", "howitzer"},
		fide.Queen:  {"plane", "aviation"},
	} {
		info := &table[role]
		info.Name, info.Alias, info.Noun, info.Glyph = arm.name, info.Noun, book.Say(arm.name), arm.glyph
	}
	for role, worth := range map[rules.Role]int{fide.Knight: 2, fide.Bishop: 3, fide.Rook: 1, fide.Queen: 6} {
		table[role].Worth = worth
	}
	return table
}
