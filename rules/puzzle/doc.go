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
// What a puzzle is about, its [Theme], is told by what its moves make happen, so a new game
// has puzzles and themes at once. That a move is the only one that wins is what a search says of
// it, see package proof: with so many nodes, one move wins by a margin and no other does.
//
// The number of a puzzle is its line. People's records name puzzles by it, so new ones are added
// at the end, and the line of one that turns out to be wrong ends with " ; withdrawn".
package puzzle
