// Package knightmare is Combining Knightmare Chess: orthodox chess in which two
// enemy pieces that meet become one piece of both sides.
//
// The rulebook in short. Knights, bishops, rooks and queens are regular pieces. A
// regular piece that captures an enemy regular piece does not remove it: the two
// become a knightmare, which each side moves as its own part of it. Every other
// capture removes: by or of a pawn, by a king, by or of a knightmare (both its parts
// go). The knightmare that was just formed or moved is frozen for the very next
// ply. A knightmare gives check to each king by the other side's part, frozen or
// not, so that joining a checking piece does not lift its check.
//
// Where the author is silent, this was chosen:
//   - a knightmare never captures a plain piece of the side that moves it, and either
//     side may capture any knightmare, also one with a part of its own;
//   - a player may not move a knightmare to where its enemy part attacks their own
//     king, nor join the enemy piece that pins the one that would join it;
//   - a rook that became part of a knightmare has lost castling for good;
//   - a birth sets the half-move clock to 0, as the capture it is; a knightmare's
//     quiet move raises it;
//   - half of a knightmare is no knight and no bishop for the draw by too few pieces;
//   - a FEN may name both a frozen knightmare and an en-passant square, though no one
//     ply makes both.
//
// # Design
//
// [State] holds the board as the side to move sees it. For that side a knightmare
// is an enemy piece in its way, with the powers of its enemy part, so it stands
// among the enemy's pieces in the orthodox [chimera/rules/fide.State], whose attacks,
// pins, castling and en passant are then right as they are. What the mover's own
// parts can do is kept beside it, and Play exchanges the two as the turn passes.
// A board without a knightmare costs what orthodox chess costs.
package knightmare
