package combination

import (
	"embed"

	"chimera/rules"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// The roles, in the order of the piece table.
const (
	Pawn rules.Role = iota + 1
	Knight
	Bishop
	Rook
	Amplifier
	Isolator
	King
)

const start = "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1"

// table is the table of pieces.
//
//nolint:gochecknoglobals // never written
var table = rules.Table{
	Pawn:      {Code: "P", Name: "pawn", Glyph: "pawn", Worth: 1, Pawn: true, Noun: rules.Book().Say("pawn"), Does: book.Say("does.pawn")},
	Knight:    {Code: "N", Name: "knight", Glyph: "knight", Worth: 2, Noun: rules.Book().Say("knight"), Does: book.Say("does.knight")},
	Bishop:    {Code: "B", Name: "bishop", Glyph: "bishop", Worth: 2, Noun: rules.Book().Say("bishop"), Does: book.Say("does.bishop")},
	Rook:      {Code: "R", Name: "rook", Glyph: "rook", Worth: 3, Noun: rules.Book().Say("rook"), Does: book.Say("does.rook")},
	Amplifier: {Code: "A", Name: "amplifier", Glyph: "amplifier", Worth: 2, Noun: book.Say("amplifier"), Does: book.Say("does.amplifier")},
	Isolator:  {Code: "I", Name: "isolator", Glyph: "isolator", Worth: 2, Noun: book.Say("isolator"), Does: book.Say("does.isolator")},
	King:      {Code: "K", Name: "king", Glyph: "king", Royal: true, Noun: rules.Book().Say("king"), Does: book.Say("does.king")},
}

// Combination is the game of Combination Chess.
func Combination() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "combination", Name: "Combination Chess", Words: book, About: book.Say("about"), Rules: book.Say("rules"),
		Start: start, Shape: board, Table: table, Files: files.ReadFile,
	}, (*State).load)
}
