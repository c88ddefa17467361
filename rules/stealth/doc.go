// Package stealth is Stealth Bomber Chess: orthodox chess in which a piece that
// captures another absorbs its powers, and grows into hybrids, stealth bombers
// and worse.
//
// # Powers
//
// A piece is a set of powers: a rook's line (R) and a bishop's line (B), each of
// level 0 to 3, the knight's leap (N), one step orthogonally (W), one step
// diagonally (F), and the flight of the Pegasus (G). A line of level 1 slides as
// in chess. Level 2, stealth, may also leap exactly one piece on its way. Level
// 3, the bomber, may also run: it leaps every friend and captures every enemy on
// the way to any square that no friend holds. G goes one step as a prince and then
// any number of steps outward, in one of the two directions in which a knight's
// move could end, over anything.
//
// A set is called by its letters, a level by repeating the letter, equal levels of
// both lines by Q: RN is the author's General, QQ the Empress. What another power
// includes is dropped: a rook with a prince's powers is RF.
//
// # Captures
//
// A piece that captures a piece becomes, by the first of these that fits: if they
// are the same, that set with its lines a level higher (or, without lines, the
// next of knight or prince, Zebra, Pegasus); the captured one, if it can do all
// that the captor can; itself, if it can do all that the captured one can; both.
//
// A pawn becomes what it captures, and a Captain by capturing a pawn or a Captain:
// one step orthogonally, captures one step diagonally, never promotes. A captured
// pawn or Captain is only removed. So is whatever a king captures.
//
// A pawn that moves to the last rank becomes what stood there at the start, on the
// king's file the Prince (WF), who steps like a king and is none.
//
// # Where the author is silent
//
// The author names some thirty pieces and says that the list is not exhaustive.
// All sets of powers are legal here, and those without a name go by their code.
//
// The author has "Aeroplane + Missile" make an Empress, and later a Conqueror. The second
// is read as the next step of the ladder, B52 + Rocket.
//
// The author says that "Pawns and Captains convert to whatever piece they capture", which
// would turn a captain that captures a pawn into a pawn. It stays a captain, since
// it "loses the Pawn's power to promote". A pawn that captures on the last rank
// becomes what it captures, and is not promoted.
//
// What a run captures is absorbed in order along the way. A king on a bomber's
// line is in check whatever stands between, on a stealth line with at most one
// piece between; the prey need not be worth the flight.
//
// # Design
//
// [State] is an orthodox one in which every piece is in the sets of the orthodox
// powers that it has, with one more set for each power beyond them, and what
// stands on each square by role. The roles are computed from all sets of powers,
// and so is who becomes what by capturing whom, so that playing looks it up.
package stealth
