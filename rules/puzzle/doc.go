// Package puzzle knows positions in which one move alone wins, turn after turn, in any game.
//
// # Design
//
// Puzzles are mined from self-play by cmd/train, and written to one small readable file for each
// game, which the game embeds as [rules.Variant.Puzzles]; [Read] reads it. A line of it is a
// position, the solution, what it is about and how hard it is:
//
//	4r1k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1 ; e8e1 d1e1 ; mate gain ; 2
//
// The [Theme]s of a puzzle are read off what its moves make happen, so a new game has puzzles
// and themes at once. A search decides that no other move wins: see [Only].
//
// The number of a puzzle is its line. People's records refer to puzzles by number, so new ones go
// to the end, and a line that turns out to be wrong gets " ; withdrawn" at its end.
package puzzle
