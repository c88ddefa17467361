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
	for role, arm := range map[rules.Role]rules.RoleInfo{
		fide.Pawn:   {Name: "infantry", Glyph: "infantry", Worth: 1},
		fide.Knight: {Name: "tank", Glyph: "armor", Worth: 2},
		fide.Bishop: {Name: "gun", Glyph: "light-gun", Worth: 3},
		fide.Rook:   {Name: "howitzer", Glyph: "howitzer", Worth: 1},
		fide.Queen:  {Name: "plane", Glyph: "aviation", Worth: 6},
	} {
		info := &table[role]
		info.Name, info.Alias, info.Noun, info.Glyph, info.Worth = arm.Name, info.Noun, book.Say(arm.Name), arm.Glyph, arm.Worth
	}
	return table
}
