package combination

import "chimera/rules"

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
	Pawn: {
		Code: "P", Name: "pawn", Glyph: "pawn", Pawn: true,
		Does: "steps one square straight ahead, captures one square diagonally ahead, and lends nothing",
	},
	Knight: {
		Code: "N", Name: "knight", Glyph: "knight",
		Does: "leaps as in chess, and lends that leap to friends two squares straight from it, whatever stands between",
	},
	Bishop: {
		Code: "B", Name: "bishop", Glyph: "bishop",
		Does: "slides diagonally, any distance, and lends that move to friends straight beside it",
	},
	Rook: {
		Code: "R", Name: "rook", Glyph: "rook",
		Does: "slides along its rank or file, any distance, and lends that move to friends diagonally beside it",
	},
	Amplifier: {
		Code: "A", Name: "amplifier", Glyph: "amplifier",
		Does: "leaps exactly two squares straight, over anything, and lends that leap to friends on the eight squares around it, of which bishops, rooks and knights then lend to the eight squares around themselves too",
	},
	Isolator: {
		Code: "I", Name: "isolator", Glyph: "isolator",
		Does: "leaps exactly two squares straight, over anything, lends that leap to friends on the eight squares around it, and keeps enemy bishops, rooks and knights there from lending",
	},
	King: {
		Code: "K", Name: "king", Glyph: "king", Royal: true,
		Does: "steps one square in any direction, never into check, and lends nothing",
	},
}

// Combination is the game of Combination Chess.
func Combination() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "combination", Name: "Combination Chess", Rules: rulesText, Start: start, Shape: board, Table: table,
	}, (*State).load)
}

const rulesText = `39 squares, and pieces lend each other their moves. Checkmate wins. No castling, double step, en passant or promotion.

King, bishop, rook, knight: as in chess. Pawn: one step ahead, captures one step diagonally ahead. Amplifier A, isolator I: leap exactly two squares straight, over anything.

A piece in the zone of a friend can also move as that friend does by itself (not as the friend borrows). Zones:
- bishop: the 4 squares straight beside it
- rook: the 4 diagonally beside it
- knight: the 4 two squares straight away
- A and I: all 8 around
King and pawn borrow, but lend nothing.
A bishop, rook or knight beside its own amplifier lends to all 8 squares around it too. Beside an enemy isolator it lends nothing.

Annihilation: when an amplifier comes beside an enemy isolator, or it beside that, both vanish, and all around either, kings too: Ad6@. You may not lose your own king so. If the enemy's goes you have won (@#), even from check. The threat of it is no check.

On a borrowed rook's or bishop's line the king may not cross a threatened square.

Decided where the author is silent: zones count as they are before the move; at the start the amplifier reaches king and bishop too, though his list leaves them out; a king that leaps crosses nothing; borrowed moves give check, a king's too; a pawn's borrowed moves are pawn moves for the 50-move count; only two bare kings are too few to mate.

Moves: d4, Nc4, exf6, Ad5; also d3e5.`
