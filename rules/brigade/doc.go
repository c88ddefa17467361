// Package brigade is Combined Arms Brigade Chess: orthodox pieces as the arms of a
// brigade, and a king that must really be taken.
//
//   - Pawn (infantry): one step in any of the 8 directions, to an empty square or
//     killing there; two straight ahead from its second rank, however it came
//     there. On the last rank it becomes a queen, rook, bishop or knight.
//   - Knight (armor): exactly three orthogonal steps, turning as it likes, squares
//     visited again if it likes, killing every enemy it enters.
//   - Bishop (light artillery): moves as a bishop to empty squares, fires at
//     distance 1 or 2 in the 8 queen directions, over anything; either, or both in
//     either order.
//   - Rook (heavy artillery): moves as a rook to empty squares, or fires at distance
//     3 or 4.
//   - Queen (aviation): flies to any empty square if it likes; then, if it likes, one
//     of a pawn's single step, an armor's three, a bishop's move, a bishop's shot. It
//     enters no square in range of enemy artillery.
//   - King: as in chess. It is never shot, and never passed through.
//
// Castling needs king and rook at home and nothing else of the past. A side in
// check must end the check if it can; if it cannot, it plays what it likes, and its
// king may be taken. Only that wins, or a check that leaves no move whatever.
//
// # Where the author is silent
//
//   - "Any direction" is read as the eight lines of the queen. There is no en
//     passant: infantry kills by occupying.
//   - "Cannot pass through or end up within enemy artillery's range" is judged step
//     by step: what the queen has killed on its way covers nothing any more. It holds
//     for the king's square too, so artillery beside a king shields it from queens.
//     The square on which the queen stands as its turn begins is not entered by
//     standing there.
//   - "Passing armor through" a king does not kill it; here it cannot be done at all.
//   - Ways with one outcome (the same piece, final square and killed squares) are one
//     move.
//
// # Design
//
// A queen has thousands of ways and a few hundred outcomes, so ways are never
// listed. raid.go finds, for each set of pieces that can die on the way, the squares on
// which the raid can end, all at once as a set; a piece's own fire never covers its
// own square, so it does not matter for the square itself whether the piece there is
// dead first.
//
// Whether a move leaves its king in check is mostly known without playing it
// (moves.go): pawns, armor and the king ask only which of their own pieces are left,
// and no queen gets past artillery that covers the king from where a raid cannot
// reach it.
package brigade
