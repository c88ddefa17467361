package brigade

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// start is the array of orthodox chess, with the castling field that this game
// always has.
const start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

// Brigade is the game.
func Brigade() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "brigade", Name: "Combined Arms Brigade Chess",
		Rules: rulesText, Start: start, Shape: fide.Shape(), Table: table,
	}, (*State).load)
}

// pieces are the orthodox ones, each an arm of the brigade.
var table = arms() //nolint:gochecknoglobals // never written

func arms() rules.Table {
	table := fide.Pieces()
	for role, does := range [...]string{
		fide.Pawn:   "is infantry: it steps one square in any direction, also to kill, and from its second rank also two squares straight ahead",
		fide.Knight: "is armor: it goes exactly three orthogonal steps, turning at will, and every enemy that it enters dies; its own pieces stop it, and the enemy king can be entered on the third step only",
		fide.Bishop: "is light artillery: it moves diagonally to empty squares, fires at distance 1 or 2 over anything, or does both in either order",
		fide.Rook:   "is heavy artillery: it moves along its rank or file to empty squares, or fires at distance 3 or 4 over anything",
		fide.Queen:  "is aviation: it flies to any empty square if it likes, then may take a pawn's step, a knight's three steps, a bishop's move or a bishop's shot, and may enter no square in range of enemy artillery",
		fide.King:   "goes as in chess, and is never shot and never passed through",
	} {
		table[role].Does = does
	}
	return table
}

const rulesText = `Orthodox set-up; each piece is an arm of a brigade. To win you must take the king.

Pawn (infantry): one step in any of 8 directions, also to kill; two straight ahead from its second rank, always. No en passant. Promotes as usual.
Knight (armor): exactly three orthogonal steps, turning at will; kills every enemy it enters: Nc3*b2. A path is read too: Nb1-b2-b3-c3.
Bishop (light artillery): moves to empty squares, fires at 1 or 2 squares in the 8 queen directions, over anything. One of them, or both in either order: Bd3, B*e5 (a shot from where it stands), Bd3*e5.
Rook (heavy artillery): moves to empty squares, or fires at 3 or 4 squares: R*a4.
Queen (aviation): flies to any empty square, if it likes; then, if it likes, one of: a pawn's step, a knight's three, a bishop's move, a bishop's shot: Qe5*f6. It may enter no square in range of enemy artillery (bishop 1-2, rook 3-4) still alive at that moment, not even the king's; it may fire from where it stands.
King: as in chess. It is never shot and never passed through.

Castling: whenever king and rook stand at home, even if they moved; not out of, through or into check.
Check: pawn, knight, queen or king could take the king. You must end it if you can, and may not put yourself in check. If you cannot end it (mate), play anything: your king may be taken next, but need not be. In check without any move you lose; without a legal move and not in check it is a draw.
A draw too: neither side has a pawn, knight or queen, and nobody is in check.

Decided where the author is silent: "any direction" means the 8 queen lines; the queen's safety is judged step by step, the killed no longer firing; two ways with the same end and the same kills are one move.`
