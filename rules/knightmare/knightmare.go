package knightmare

import (
	"chimera/rules"
	"chimera/rules/fide"
)

const start = fide.Start + " -"

// Knightmare is the game.
func Knightmare() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "knightmare", Name: "Combining Knightmare Chess", Rules: rulesText, Start: start,
		Shape: fide.Shape(), Table: fide.Pieces(), Shared: true, Fields: []string{"frozen square"},
	}, (*State).load)
}

const rulesText = `Orthodox chess, but enemy pieces that meet become one.

Birth: when a knight, bishop, rook or queen captures an enemy knight, bishop, rook or queen, both become a knightmare, a piece of both sides: Q~Nc2 takes the queen to the knight on c2.

Moving: each side moves a knightmare as its own part of it. It is called by both letters, in the order Q R B N whoever owns which: QNe4.

Every other capture removes: pawns and kings capturing anything, anything capturing a pawn, a knightmare capturing anything, and anything capturing a knightmare (both parts go). Either side may capture any knightmare.

Freeze: the knightmare just formed or moved may not be moved in the very next turn. Who moves it every turn keeps it. A frozen one can be captured.

Check: a knightmare gives check to each king by the other side's part, frozen or not. So joining a checking piece with a regular piece does not end its check: capture it with the king, a pawn or a knightmare, block it, or step away. You may not move a knightmare to where its enemy part attacks your king.

Castling, en passant and promotion (e8=Q) are as in chess. A rook that became part of a knightmare has lost castling for good.

Draws are as in chess. The author leaves open, and we decided: a birth counts as a capture for the 50 moves; half of a knightmare is no knight or bishop when too few men are left; a piece pinned by an enemy regular piece may not join it, but a knightmare that pins may be captured.

Moves: e4, Nf3, Q~Nc2, QNe4, RNxd5, O-O. Coordinates (d1c2) are read too.`
