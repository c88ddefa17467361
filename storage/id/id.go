// Package id has the numbers by which what is stored is known, so that records of one kind can
// name those of another. They are our own, from 1; 0 is none.
package id

// Person is the number of somebody who plays, or has been challenged.
type Person uint64

// Place is the number of a room in which games are played.
type Place uint64

// Server is the number of a community.
type Server uint64

// Game is the number of a game, and before that of the challenge that it came from. People write
// it "#12".
type Game uint64
