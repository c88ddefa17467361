// Package review finds out how a game was played that has ended: how well by either side, what
// decided it, and where pieces became one. It is a pure function of the game's moves.
//
// # Design
//
// Each position is searched for a little while, those around the moves that cost most once more
// and longer: what such a search says of two positions one after the other is what a move was
// worth. A review is made in steps, so that whoever makes it can do what is more urgent in between.
//
// Centipawns become winning chances, and these a player's accuracy, by the formulas that Lichess
// publishes (https://lichess.org/page/accuracy and its AccuracyPercent.scala): people know what
// such figures mean. They were fitted to chess; in other games they still tell better from worse.
//
// What is stored is the scores and a few lines of moves; all else, such as which piece was lost,
// is found in those whenever it is told.
package review
