// Package combination is Combination Chess: pieces that lend their moves to the friends
// around them, on a board of 39 squares.
//
// King, bishop, rook and knight go as in chess, a pawn one step ahead, capturing one
// step diagonally ahead. Amplifier and isolator leap exactly two squares straight,
// over anything. There is no castling, no double step, no en passant and no promotion.
// Sliders stop at the board's edge and at its holes.
//
// # Zones
//
// A piece in the zone of a friend adds that friend's own moves to its own, never what
// the friend itself has borrowed. The zone of a bishop are the four squares straight
// beside it, of a rook the four diagonally beside it, of a knight the four two squares
// straight away, of an amplifier or isolator the eight around it. Kings and pawns
// borrow, and lend nothing.
//
// A bishop, rook or knight in the zone of its amplifier lends to the eight squares
// around itself too. In the zone of an enemy isolator it lends nothing, amplified or
// not, and keeps its own moves and what it borrows. Isolators do not affect each
// other.
//
// # Annihilation
//
// If after a move an amplifier and an enemy isolator are neighbours, both vanish with
// all that stands around either, several pairs at once. Nobody may so remove their
// own king. Whoever removes the enemy's has won, even if their own is left in check. The
// threat of it is no check.
//
// # The king
//
// It borrows like any piece, but on a borrowed line it crosses no threatened square. The
// check that its borrowed moves give knows no such limit.
//
// # Where the author is silent
//
//   - What a piece may do is judged on the board before the move; whether its king is in
//     check then, on the board after it.
//   - The author's list of initial influences leaves out the amplifier at the king and
//     the bishop, which its zone covers by the author's own definition. It does so here.
//   - The author says that a king may never move "through a square that is threatened". The
//     square is threatened if the king, put there and off its own square, would be in
//     check. Leaps cross nothing, and one way that is allowed is enough.
//   - Whoever annihilates the enemy's king need not ask for their own: the game is over.
//   - A pawn's borrowed moves set the half-move clock to 0 as its own do, and so does
//     an annihilation. Pawns may stand on any rank.
//   - Two bare kings draw. One piece more may mate, since it lends the king its move.
//   - In a FEN a missing king reads as annihilated, and an amplifier beside an enemy
//     isolator is refused.
//
// # Design
//
// Zones are found all at once by shifting sets of pieces, so for each side a position
// knows the few sets of pieces with each power (zones.go), and from there on attacks and
// pins are those of chess.
//
// A move changes what the enemy's pieces can do in three ways only: it captures a lender,
// which takes powers away; an isolator comes, which does so too, or goes; or it
// annihilates. All other moves are known to be legal or not by checks and pins alone
// (moves.go), and these are played and looked at.
package combination
