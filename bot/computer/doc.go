// Package computer plays the computer's games, gives hints, and reviews games that have ended.
//
// # Playing
//
// Which games wait for the computer is an index of the games themselves, so that no work can be
// lost: it is read when the program begins, and heard of as games are stored. A game is read,
// searched outside any transaction, and the move is played on the game as it was read: if that has
// changed meanwhile nothing is done, and the game, if it still waits, is heard of again. What the
// computer does is a pure function of the game, so that a program that was killed while it
// searched does the same the next time.
//
// The number of workers is bounded. Games are searched in the order in which their answers are
// wanted: weak levels, which take no time, at once, strong ones a little later, and a person's
// second game after the first games of others. As that time is fixed when a game begins to wait,
// none waits for ever.
//
// # Reviews
//
// A review finds how well either side has played, what decided the game, and where pieces became
// one. It is a pure function of the game's moves. Each position is searched briefly, those around
// the moves that cost most once more and longer: the difference between the scores of two positions
// is what the move between them was worth. A review is made in steps, so that games can be played
// in between.
//
// Centipawns become winning chances, and these a player's accuracy, by the formulas that Lichess
// publishes (https://lichess.org/page/accuracy and its AccuracyPercent.scala): people know such
// figures. They were fitted to chess; in other games they still tell better from worse.
//
// Only the scores and a few lines of moves are stored; all else, such as which piece was lost, is
// worked out from them when the review is shown.
package computer
