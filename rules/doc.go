// Package rules is the vocabulary that all games of Chimera share.
//
// Read it in this order:
//
//   - board.go: who stands where on what board;
//   - move.go: what a player does, and what then happens;
//   - setup.go: all that a FEN says, read and written;
//   - variant.go, position.go: a game, and a position of it that never changes;
//   - words.go: names of pieces, and what a move did;
//   - chat.go, read.go, spoken.go: move text for people, written strictly and read leniently;
//   - refuse.go: why a move was refused, and what may have been meant;
//   - game.go: how a game ends, and the past that some ends ask about.
//
// # Design
//
// A game keeps its positions in a small value type of its own and implements
// [State] on a pointer to it: generate into a buffer, play into a value. The
// public [Position] wraps such a value, never changes, and may be shared between
// goroutines. A [Cursor] walks a tree of moves with the same code and without
// allocating; perft and search use it.
//
// Text typed by people only ever chooses among generated moves. Nothing builds a
// move out of a stranger's text.
package rules
