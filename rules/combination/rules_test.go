package combination_test

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/combination"
	"chimera/rules/internal/rulestest"
)

func sq(name string) rules.Square { return combination.Combination().Shape.Parse(name) }

func TestMoves(t *testing.T) {
	rulestest.Goes(t, combination.Combination(), []rulestest.Case{
		{"a rook stops at the board's edge and at holes", "***k***/*5*/*5*/*5*/7/*R4*/*5*/*5*/***K*** w - - 0 1", "b4", "b2 b3 b5 b6 b7 b8 c4 d4 e4 f4"},
		{"the fifth rank is wider", "***k***/*5*/*5*/*5*/R6/*5*/*5*/*5*/***K*** w - - 0 1", "a5", "b5 c5 d5 e5 f5 g5"},
		{"a bishop stops there too", "***k***/*5*/*5*/*5*/B6/*5*/*5*/*5*/***K*** w - - 0 1", "a5", "b4 b6 c3 c7 d2 d8"},
		{"a knight leaps holes", "***k***/*5*/*5*/*5*/N6/*5*/*5*/*5*/***K*** w - - 0 1", "a5", "b3 b7 c4 c6"},
		{"an amplifier leaps exactly two squares straight, over anything", "***k***/*5*/*5*/*2p2*/2pA3/*2P2*/*5*/*5*/***K*** w - - 0 1", "d5", "b5 d3 d7 f5"},
		{"and captures where it lands", "***k***/*5*/*2p2*/*5*/3A3/*5*/*2P2*/*5*/***K*** w - - 0 1", "d5", "b5 d7 f5"},
		{"an isolator goes likewise", "***k***/*5*/*5*/*5*/4p1I/*5*/*5*/*5*/***K*** w - - 0 1", "g5", "e5"},
		{"a pawn steps one square ahead", "***k***/*5*/*5*/*5*/7/*5*/*1P3*/*5*/***K*** w - - 0 1", "c3", "c4"},
		{"it has no double step", "***k***/*5*/*5*/*5*/7/*5*/*5*/*P4*/***K*** w - - 0 1", "b2", "b3"},
		{"it captures one step diagonally ahead", "***k***/*5*/*5*/*5*/7/*ppp2*/*1P3*/*5*/***K*** w - - 0 1", "c3", "b4 d4"},
		{"black pawns go down", "***k***/*5*/*1p3*/*PPP2*/7/*5*/*5*/*5*/***K*** b - - 0 1", "c7", "b6 d6"},
		{"no promotion", "***1***/*k1P2*/*5*/*5*/7/*5*/*5*/*5*/***K*** w - - 0 1", "d8", "d9"},
		{"a pawn at the end has no move of its own", "***1***/*kP3*/*5*/*5*/7/*5*/*5*/*5*/***K*** w - - 0 1", "c8", ""},
		{"the king steps, and does not castle", "***k***/*5*/*5*/*5*/7/*5*/*5*/*R3R*/***K*** w - - 0 1", "d1", "c2 d2 e2"},
		{"at the start the pawn on c4 borrows nothing", "", "c4", "c5"},
		{"and the one on d3 much", "", "d3", "b4 c5 d4 d5 e5 f4"},
		{"the rook's leaps all end on friends", "", "f2", ""},

		{"a pawn beside a bishop slides diagonally", "***k***/*5*/*5*/*5*/7/*5*/*1BP2*/*5*/***K*** w - - 0 1", "d3", "b5 c2 c4 d4 e2 e4 f5"},
		{"and loses that where it goes", "***k***/*5*/*5*/*5*/7/*2P2*/*1B3*/*5*/***K*** w - - 0 1", "d4", "d5"},
		{"a knight diagonally beside a rook slides straight", "***1***/*5*/*5*/*2N2*/4R2/*5*/*k4*/*5*/***K*** w - - 0 1", "d6", "b5 b6 b7 c4 c6 c8 d2 d3 d4 d5 d7 d8 d9 e4 e6 e8 f5 f6 f7"},
		{"a knight lends over a piece between", "***k***/*5*/*5*/*5*/3N3/*2p2*/*2P2*/*5*/***K*** w - - 0 1", "d3", "b2 b4 c5 e5 f2 f4"},
		{"an amplifier lends its leap", "***k***/*5*/*5*/*5*/7/*1P3*/*2A2*/*5*/***K*** w - - 0 1", "c4", "c2 c5 c6 e4"},
		{"an isolator too", "***k***/*5*/*5*/*5*/7/*1P3*/*2I2*/*5*/***K*** w - - 0 1", "c4", "c2 c5 c6 e4"},
		{"a pawn lends nothing", "***k***/*5*/*5*/*5*/7/*1PP2*/*5*/*5*/***K*** w - - 0 1", "c4", "c5"},
		{"a king lends nothing", "***k***/*5*/*5*/*5*/7/*1PK2*/*5*/*5*/***1*** w - - 0 1", "c4", "c5"},
		{"an enemy lends nothing", "***k***/*5*/*5*/*5*/7/*1Pb2*/*5*/*5*/***K*** w - - 0 1", "c4", "c5"},
		{"what is borrowed is not lent on", "***k***/*5*/*5*/*2P2*/7/*2N2*/*1R3*/*5*/***K*** w - - 0 1", "d6", "b5 b7 c4 c8 d7 e4 e8 f5 f7"},
		{"an amplified rook lends straight too", "***k***/*2p2*/*5*/*5*/7/*1PR2*/*2A2*/*5*/***K*** w - - 0 1", "c4", "b4 c2 c3 c5 c6 c7 c8 e4"},
		{"an isolated one lends nothing, amplified or not", "***k***/*2p2*/*5*/*5*/4i2/*1PR2*/*2A2*/*5*/***K*** w - - 0 1", "c4", "c2 c5 c6 e4"},

		{"the king borrows", "***k***/*5*/*5*/*5*/7/*5*/*2N2*/*5*/***K*** w - - 0 1", "d1", "b2 c2 c3 d2 e2 e3 f2"},
		{"and crosses no threatened square", "***1***/*k4*/*5*/*5*/7/*r4*/*5*/*1R3*/***K*** w - - 0 1", "d1", "d2 d3 e2"},
		{"one allowed way is enough", "***1***/*5*/*5*/*r4*/3KA2/*3R1*/*5*/*4k*/***1*** w - - 0 1", "d5", "c4 c5 d1 d2 d3 d4 d7 f5"},
		{"it does not hide from a line behind itself", "***1***/*5*/*5*/*5*/1r1K3/*3R1*/*5*/*4k*/***1*** w - - 0 1", "d5", "c4 c6 d1 d2 d3 d4 d6 d7 d8 d9 e6"},
		{"the way is judged before the capture", "***1***/*k4*/*5*/*2r2*/7/*5*/*5*/*1R3*/***K*** w - - 0 1", "d1", "e2"},

		{"to capture the lender ends a borrowed check", "***k***/*5*/*5*/*5*/4r2/*2p2*/*4N*/*5*/***K*** w - - 0 1", "f3", "d2 d4 e5"},
		{"so may a pinned piece", "***k***/*5*/*5*/*5*/3p3/*3r1*/*5*/*2N2*/***K*** w - - 0 1", "d2", "e4"},
		{"an isolator may not free a checking lender", "***k***/*5*/*5*/*4I*/4r2/*2p2*/*5*/*5*/***K*** w - - 0 1", "f6", "d6 f4"},
		{"it may isolate one", "***k***/*4I*/*5*/*5*/4r2/*2p2*/*5*/*5*/***K*** w - - 0 1", "f8", "f6"},
		{"a second isolator keeps it isolated", "***k***/*5*/*5*/*4I*/4r1I/*2p1I*/*5*/*5*/***K*** w - - 0 1", "f6", "d6 f8"},
		{"a pinned piece does not leap past its pinner", "***k***/*5*/*5*/*5*/7/*5*/*2r2*/*2A2*/***K*** w - - 0 1", "d2", ""},
		{"nor past its king", "***1***/*5*/*2r2*/*2A2*/3K3/*5*/*5*/*5*/***k*** w - - 0 1", "d6", ""},
		{"but as far as its pinner", "***1***/*2r2*/*5*/*2A2*/3K3/*5*/*5*/*5*/***k*** w - - 0 1", "d6", "d8"},
		{"a check by line and leap is not blocked", "***k***/*5*/*5*/*5*/7/*1a1rB*/*2p2*/*5*/***K*** w - - 0 1", "f4", ""},
		{"a check by line alone is", "***k***/*5*/*5*/*5*/7/*3rB*/*2p2*/*5*/***K*** w - - 0 1", "f4", "d2"},
		{"only the king answers a double check", "***k***/*5*/*5*/*5*/3r2B/*5*/*1n3*/*5*/***K*** w - - 0 1", "g5", ""},
	})
}

// example is the author's, with kings.
const example = "***k***/*1rnai*/*4B*/*1N1P1*/1R5/*5*/*5*/*5*/***K*** w - - 0 1"

func TestTheAuthorsExample(t *testing.T) {
	pos := position(t, example)
	// "The white pawn absorbs the abilities of the Knight", and "cannot move like a
	// rook".
	if got, want := rulestest.From(pos, "e6"), "c5 c7 d4 d8 e7 f4 f8 g5"; got != want {
		t.Errorf("the pawn goes to %s, want %s", got, want)
	}
	// "The white Knight absorbs the abilities of the rook."
	if got := rulestest.From(pos, "c6"); !strings.Contains(got, "c2 c3 c4 c5 c7 c8 d4 d6 d8") {
		t.Errorf("the knight goes to %s", got)
	}
	// "If the white pawn moves one square forward, it loses its Knight move, and does
	// not gain the bishop move"; "the black rook can move like a Knight".
	stepped := rulestest.After(t, pos, "e6e7")
	if got, want := rulestest.From(stepped, "c8"), "b6 b8 c6 c7 d6 e7"; got != want {
		t.Errorf("the rook goes to %s, want %s", got, want)
	}
	again := position(t, strings.Replace(stepped.FEN(), " b ", " w ", 1))
	if got, want := rulestest.From(again, "e7"), "d8 f8"; got != want {
		t.Errorf("the pawn then goes to %s, want %s", got, want)
	}
	// "The white pawn could capture the black isolator, and would also lose the Knight
	// move, but gain the bishop move."
	again = position(t, strings.Replace(rulestest.After(t, pos, "e6f8").FEN(), " b ", " w ", 1))
	if got, want := rulestest.From(again, "f8"), "b4 c5 d6 e7"; got != want {
		t.Errorf("after the capture the pawn goes to %s, want %s", got, want)
	}
}

// "The following list covers how the pieces are influenced at the start of the game."
// It leaves out the amplifier at the king and the bishop, which its zone covers.
func TestInitialInfluences(t *testing.T) {
	const list = `
     king at d1 or d9: amplifier bishop knight
 isolator at b2 or b8: bishop
   bishop at c2 or c8: amplifier isolator knight
amplifier at d2 or d8: bishop knight
   knight at e2 or e8: amplifier
     rook at f2 or f8: knight
     pawn at b3 or b7: bishop isolator
     pawn at c4 or c6:
     pawn at d3 or d7: amplifier bishop knight
     pawn at e4 or e6: knight
     pawn at f3 or f7: knight`
	pos := position(t, "")
	pieces := pos.Board()
	got := map[rules.Square][]string{}
	for _, influence := range pos.Influences() {
		for on := range influence.On.Squares() {
			if lender := pieces[influence.From]; pieces[on] != (rules.Piece{}) && (pieces[on].White == 0) == (lender.White == 0) {
				got[on] = append(got[on], pos.Variant().Noun(lender).String())
			}
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(list), "\n") {
		fields := strings.Fields(strings.ReplaceAll(line, ":", ""))
		for _, square := range []string{fields[2], fields[4]} {
			name, lenders := pos.Variant().Noun(pieces[sq(square)]).String(), got[sq(square)]
			slices.Sort(lenders)
			if name != fields[0] || !slices.Equal(lenders, fields[5:]) {
				t.Errorf("the %s on %s is influenced by %v, want the %s by %v", name, square, lenders, fields[0], fields[5:])
			}
		}
		delete(got, sq(fields[2]))
		delete(got, sq(fields[4]))
	}
	if len(got) > 0 {
		t.Errorf("others are influenced: %v", got)
	}
}

func TestZones(t *testing.T) {
	const b, e = "***k***/*2p2*/*5*/*5*/", "/*5*/*5*/***K*** w - - 0 1"
	for _, c := range []struct{ rule, fen, from, want string }{
		{"a bishop's", b + "3B3/*5*" + e, "d5", "c5 d4 d6 e5"},
		{"holes are left out", b + "B6/*5*" + e, "a5", "b5"},
		{"a rook's", b + "3R3/*5*" + e, "d5", "c4 c6 e4 e6"},
		{"a knight's", b + "3N3/*5*" + e, "d5", "b5 d3 d7 f5"},
		{"an amplifier's", b + "3A3/*5*" + e, "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"an isolator's", b + "3I3/*5*" + e, "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"a pawn has none", b + "3P3/*5*" + e, "d5", ""},
		{"not even amplified", b + "3PA2/*5*" + e, "d5", ""},
		{"a king has none", b + "3PA2/*5*" + e, "d1", ""},
		{"an amplified bishop's", b + "3B3/*1A3*" + e, "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"an amplified rook's", b + "3R3/*1A3*" + e, "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"an amplified knight's", b + "3N3/*1A3*" + e, "d5", "b5 c4 c5 c6 d3 d4 d6 d7 e4 e5 e6 f5"},
		{"an amplifier two squares away is too far", b + "3B1A1/*5*" + e, "d5", "c5 d4 d6 e5"},
		{"the enemy's amplifier has no effect", b + "3Ba2/*5*" + e, "d5", "c5 d4 d6 e5"},
		{"nor has a friendly isolator", b + "3BI2/*5*" + e, "d5", "c5 d4 d6 e5"},
		{"an isolated bishop has none", b + "3Bi2/*5*" + e, "d5", ""},
		{"nor an isolated rook", b + "3R3/*3i1*" + e, "d5", ""},
		{"nor an isolated knight", b + "3N3/*2i2*" + e, "d5", ""},
		{"amplified or not", b + "1AN1i2/*5*" + e, "c5", "a5 b4 b5 b6 c3 c4 c6 c7 d4 d5 d6 e5"},
		{"amplified, and isolated", b + "1A1N1i1/*5*" + e, "d5", "b5 d3 d7 f5"},
		{"amplified and isolated at once", b + "2AN3/*3i1*" + e, "d5", ""},
		{"isolators do not affect each other", b + "3Ii2/*5*" + e, "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"black's are alike", b + "3nI2/*5*" + e, "d5", ""},
	} {
		pos := position(t, c.fen)
		got := ""
		for _, influence := range pos.Influences() {
			if influence.From == sq(c.from) {
				var names []string
				for _, on := range pos.Variant().Shape.ByFile(influence.On) {
					names = append(names, pos.Variant().Shape.Name(on))
				}
				got = strings.Join(names, " ")
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, %s:\n got %s\nwant %s", c.rule, c.fen, c.from, got, c.want)
		}
	}
}

func TestAnnihilation(t *testing.T) {
	rulestest.LeadsTo(t, combination.Combination(), []rulestest.Case{
		{"an amplifier comes beside an isolator", "***k***/*n4*/*4r*/*3i1*/7/*1P3*/*P1A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*n4*/*5*/*5*/7/*5*/*P4*/*5*/***K*** b - - 0 1"},
		{"an isolator beside an amplifier", "***k***/*n4*/*4r*/*3a1*/7/*1P3*/*P1I2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*n4*/*5*/*5*/7/*5*/*P4*/*5*/***K*** b - - 0 1"},
		{"straight beside it is beside it", "***k***/*5*/*5*/*2i2*/4p2/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*5*/*5*/*5*/7/*5*/*5*/*5*/***K*** b - - 0 1"},
		{"two pairs at once", "***1***/*k4*/*5*/*1i1i1*/7/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", "***1***/*k4*/*5*/*5*/7/*5*/*5*/*5*/***K*** b - - 0 1"},
		{"by a borrowed move", "***1***/*5*/*2i2*/*5*/1k5/*5*/*2A2*/*1R3*/***K*** w - - 7 1", "d3d6", "***1***/*5*/*5*/*5*/1k5/*5*/*5*/*1R3*/***K*** b - - 0 1"},
		{"with a capture", "***k***/*5*/*5*/*3i1*/3p3/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*5*/*5*/*5*/7/*5*/*5*/*5*/***K*** b - - 0 1"},
		{"a captured isolator annihilates nobody", "***k***/*5*/*5*/*5*/3i3/*1P3*/*P1A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*5*/*5*/*5*/3A3/*1P3*/*P4*/*5*/***K*** b - - 0 1"},
		{"two amplifiers do nothing to each other", "***k***/*5*/*5*/*3a1*/7/*1P3*/*P1A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*5*/*5*/*3a1*/3A3/*1P3*/*P4*/*5*/***K*** b - - 8 1"},
		{"nor does one's own isolator", "***k***/*5*/*5*/*3I1*/7/*1P3*/*P1A2*/*5*/***K*** w - - 7 1", "d3d5", "***k***/*5*/*5*/*3I1*/3A3/*1P3*/*P4*/*5*/***K*** b - - 8 1"},
		{"it may end a check", "***1***/*2k2*/*5*/*5*/4i2/*2r2*/*4A*/*5*/***K*** w - - 4 8", "f3f5", "***1***/*2k2*/*5*/*5*/7/*5*/*5*/*5*/***K*** b - - 0 8"},
		{"it wins, even in check", "***1***/*5*/*4k*/*3i1*/7/*2r2*/*4A*/*5*/***K*** w - - 5 9", "f3f5", "***1***/*5*/*5*/*5*/7/*2r2*/*5*/*5*/***K*** b - - 0 9"},
	})
}
