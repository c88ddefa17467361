// Package think plays the computer's games.
//
// # Design
//
// Which games wait for the computer is an index of the games themselves, so that there is no work
// that could be lost: it is read when the program begins, and heard of as games are stored. A game
// is read, thought about outside any transaction, and the move is played on the game as it was
// read: where that has changed meanwhile nothing is done, and the game, if it still waits, is heard
// of again. What is done is a pure function of the game, so that a program that was killed while it
// thought does the same the next time.
//
// There is a bounded number of workers. What waits is thought about in the order of when its answer
// is wanted: weak levels, which take no time, at once, strong ones a little later, and a person's
// second game after the first games of others. As that moment is fixed when a game begins to wait,
// none waits for ever.
package think
