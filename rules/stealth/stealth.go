package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Stealth is the game of Stealth Bomber Chess.
func Stealth() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "stealth", Name: "Stealth Bomber Chess", Rules: rulesText, Start: fide.Start, Shape: fide.Shape(), Table: roster.table,
	}, (*State).load)
}

const rulesText = `Orthodox chess, and pieces absorb what they capture.

A piece is a set of powers: R and B lines, N, W (one step straight), F (one step diagonally), G (Pegasus: a step, then on outward like a knight's turn, any distance, over anything). Capturing another piece adds its powers: R~Nd4 makes a rook-knight RN. If one can already do all the other can, the stronger of the two remains.

Capturing its equal raises a piece's lines a level. RR (stealth) may leap one piece on its way. RRR (bomber) may also run: over friends, capturing every enemy on the way, as in RRRa8*a4*a6. Q = RB. N and N, or two princes (WF), make a Zebra NWF; two Zebras a Pegasus.

A pawn becomes what it captures: c~Nd4 makes a knight. Capturing a pawn makes it a captain C: steps straight, captures diagonally, any direction, never promotes. Captured pawns and captains, and whatever a king captures, just vanish: x. A pawn moving to the last rank becomes what began on that file; on the e-file a Prince WF, a king that is none (e8=P).

Castling and en passant as in chess. Stealth lines check a king over one piece, bombers over any number.

Decided where the author left it open: every set is legal, named or not; a captain that captures a pawn stays a captain; a pawn capturing on the last rank becomes what it took; a bomber that runs takes every enemy on the way, in order, but may leap a single piece untouched; his second "Aeroplane + Missile" is read as B52 + Rocket = Conqueror.

Coordinates (e2e4, e7e8p, a1a8xa4xa6) are read too.`
