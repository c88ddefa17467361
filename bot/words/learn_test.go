package words_test

import (
	"testing"

	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
)

// A piece of both sides is no pawn, and can be attacked.
func TestAttackedPiecesOfBothSidesAreTold(t *testing.T) {
	v := rules.Find(variants.All(), "knightmare")
	pos, err := v.Position("1rbqkb2/p1ppp2r/np3p2/6Np/P1B1P2P/2P5/RP1P1P2/1NB[Qn]K1R1 b - - 1 17 -")
	if err != nil {
		t.Fatal(err)
	}
	const want = "None of Black's pieces can be taken with gain.\nAttacked, but without gain: knight a6 (by bishop c4); knightmare (queen + knight) d1 (by king e1); pawn h5 (by knightmare (queen + knight) d1); rook h7 (by knight g5)."
	if told := words.Attacked(pos, words.FindThreats(pos)).In(phrase.English).Plain(); told != want {
		t.Errorf("%q is told, want %q", told, want)
	}
}
