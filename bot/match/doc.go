// Package match is the life of a match: challenge, moves, offers, and the end. It alone
// plays moves in games that are stored.
//
// # Design
//
// Each request becomes one transaction. The rules are tried before it, on what
// was read; inside it only the game's revision is compared, and the request is
// tried again if somebody else was faster. The transaction writes the game with
// its indexes, an outbox entry for each thing that must be said, and the answer
// that the message was given, so that a message that comes again changes nothing
// and gets the same answer.
//
// An entry holds facts (who, which game, which ply), no words.
package match
