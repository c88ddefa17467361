// Package fide is orthodox chess by FIDE's Laws, as a game of its own and as the
// parts that other games borrow: rays and leaps over any board (rays.go), a
// placement of pieces by what they can do (placement.go), attacks, pins and checks
// (danger.go), the legal moves (moves.go), and why a move is none (refuse.go).
//
// # Design
//
// [Placement] keeps one set of squares for each power (leaping as a knight, sliding
// along ranks and files, sliding along diagonals), not one for each kind of piece:
// a queen slides both ways, and a piece of a game that combines pieces is in as
// many sets as it has powers. So attacks and moves of any such piece are those of
// the same few lines, and cost no more than a queen's.
//
// Slides are looked up by obstruction difference, one line at a time: the masks
// below and above a square are all the table there is, and they serve boards of
// any shape.
package fide
