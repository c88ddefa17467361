package fide

import (
	"embed"

	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// Start is the array of orthodox chess.
const Start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Pieces are the rows of a piece table for the orthodox roles.
func Pieces() rules.Table {
	return rules.Table{
		Pawn:   {Code: "P", Name: "pawn", Glyph: "pawn", Worth: 1, Pawn: true, Noun: rules.Book().Say("pawn"), Does: book.Say("does.pawn")},
		Knight: {Code: "N", Name: "knight", Glyph: "knight", Worth: 3, Noun: rules.Book().Say("knight"), Does: book.Say("does.knight")},
		Bishop: {Code: "B", Name: "bishop", Glyph: "bishop", Worth: 3, Noun: rules.Book().Say("bishop"), Does: book.Say("does.bishop")},
		Rook:   {Code: "R", Name: "rook", Glyph: "rook", Worth: 5, Noun: rules.Book().Say("rook"), Does: book.Say("does.rook")},
		Queen:  {Code: "Q", Name: "queen", Glyph: "queen", Worth: 9, Noun: rules.Book().Say("queen"), Does: book.Say("does.queen")},
		King:   {Code: "K", Name: "king", Glyph: "king", Royal: true, Noun: rules.Book().Say("king"), Does: book.Say("does.king")},
	}
}

// Chess is the game of orthodox chess.
func Chess() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "chess", Name: "Chess", Also: book.Say("also"), Words: book, About: book.Say("about"), Rules: book.Say("rules"),
		Start: Start, Shape: Shape(), Table: Pieces(), Files: files.ReadFile,
	}, func(s *State, setup rules.Setup) error { return s.Load(setup, nil) })
}
