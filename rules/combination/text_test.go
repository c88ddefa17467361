package combination_test

import (
	"errors"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/combination"
	"chimera/rules/internal/rulestest"
)

func TestChatText(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/written.txt") {
		t.Run(r[0], func(t *testing.T) { rulestest.Written(t, position(t, r[1]), r[2], r[3], strings.Fields(r[4])...) })
	}
}

func TestEffects(t *testing.T) {
	rulestest.Effects(t, combination.Combination(), []rulestest.Case{
		{"a move", "***k***/*5*/*5*/*5*/7/*5*/*5*/*N4*/***K*** w - - 0 1", "b2c4", "moved N b2c4"},
		{"a capture", "***k***/*5*/*5*/*5*/7/*1p3*/*5*/*N4*/***K*** w - - 0 1", "b2c4", "captured p b2c4, moved N b2c4"},
		{"an annihilation", "***k***/*n4*/*4r*/*3i1*/3b3/*1P3*/*P1A2*/*5*/***K*** w - - 7 1", "d3d5", "captured b d3d5, moved A d3d5, annihilated P d5c4, annihilated A d5d5, annihilated i d5e6, annihilated r d5f7"},
		{"a move that a rook lends", "***1***/*4k*/*5*/*5*/7/*5*/*1P3*/*2R2*/***K*** w - - 0 1", "c3c5", "moved P c3c5, lent R d2c5"},
		{"a move of one's own, though a rook lends it, too", "***1***/*4k*/*5*/*5*/7/*5*/*1P3*/*2R2*/***K*** w - - 0 1", "c3c4", "moved P c3c4"},
		{"a knight beside an isolator annihilates nothing", "***k***/*5*/*5*/*3i1*/7/*5*/*2N2*/*5*/***K*** w - - 7 1", "d3c5", "moved N d3c5"},
	})
}

func TestRefusals(t *testing.T) {
	for r := range rulestest.Rows(t, "testdata/refused.txt") {
		_, err := position(t, r[0]).Play(rules.Move{From: sq(r[1]), To: sq(r[2])})
		rulestest.Refused(t, err, rules.Reason(r[3]), r[4])
	}
}

func TestWhatNoPieceDoesIsRefused(t *testing.T) {
	for _, c := range []struct {
		m      rules.Move
		reason rules.Reason
	}{
		{rules.Move{Act: rules.Castle, From: sq("d1"), To: sq("d3")}, rules.CannotCastle},
		{rules.Move{Act: rules.Merge, From: sq("c2"), To: sq("d2")}, rules.NotPossible},
		{rules.Move{Act: rules.Rally, From: sq("c2"), With: sq("d2"), To: sq("d4")}, rules.NotPossible},
		{rules.Move{Act: rules.Split, From: sq("c2"), To: sq("c3"), Role: combination.Bishop}, rules.NotPossible},
		{rules.Move{From: sq("c4"), To: sq("c5"), Role: combination.Rook}, rules.NoPromotion},
		{rules.Move{From: sq("c4"), To: sq("c5"), With: sq("d2")}, rules.NotPossible},
		{rules.Move{From: sq("c4"), To: sq("c5"), Kills: sq("d2").Set()}, rules.NotPossible},
		{rules.Move{From: rules.NoSquare, To: sq("c5")}, rules.OffBoard},
		{rules.Move{From: 0, To: sq("c5")}, rules.OffBoard},
	} {
		_, err := position(t, "").Play(c.m)
		rulestest.Refused(t, err, c.reason, "")
	}
}

func TestHow(t *testing.T) {
	const (
		pawn   = " moves one square straight ahead, captures one square diagonally ahead, and lends nothing."
		knight = " leaps as in chess, and lends that leap to friends two squares away along a rank or file, whatever stands between."
		bishop = " moves any distance diagonally, and lends that move to friends beside it on its rank or file."
		king   = " moves one square in any direction, never into check, and lends nothing."
	)
	for _, c := range []struct{ fen, from, want string }{
		{"", "c3", ""},
		{"", "c4", "The pawn on c4" + pawn},
		{"", "d3", "The pawn on d3" + pawn + " It can now also move as a knight (lent by e2), a bishop (lent by c2) or an amplifier (lent by d2)."},
		{"", "d9", "The king on d9" + king + " It can now also move as a knight (lent by e8), a bishop (lent by c8) or an amplifier (lent by d8). On a borrowed line it can't cross a threatened square."},
		{"", "e2", "The knight on e2" + knight + " It can now also move as an amplifier (lent by d2). Amplified by the amplifier on d2, it lends its move to c2, d1, d2, d3, e4, f2 and f3."},
		{"***k***/*5*/*5*/*5*/7/*5*/*P2I1*/*Bi3*/***K*** w - - 0 1", "b3", "The pawn on b3" + pawn + " It borrows nothing from the bishop on b2, isolated by the isolator on c2."},
		{"***k***/*5*/*5*/*5*/7/*5*/*P2I1*/*Bi3*/***K*** w - - 0 1", "b2", "The bishop on b2" + bishop + " Isolated by the isolator on c2, it lends its move to nobody now."},
		{"***k***/*5*/*5*/*5*/7/*5*/*B4*/*5*/***K*** w - - 0 1", "b3", "The bishop on b3" + bishop + " It lends its move to nobody now."},
		{"***k***/*5*/*5*/*5*/7/*5*/*B4*/*P4*/***K*** w - - 0 1", "b3", "The bishop on b3" + bishop + " It lends its move to b2 now."},
		{"***k***/*5*/*5*/*2b2*/2I4/*5*/*5*/*5*/***K*** w - - 0 1", "c5", "Next to an enemy amplifier, the isolator on c5 annihilates both and all around them. It leaps exactly two squares along a rank or file, over anything, and lends that leap to friends on the eight squares around it; enemy bishops, rooks and knights there can't lend. It now isolates the bishop on d6. It lends its move to nobody now."},
	} {
		rulestest.Tells(t, position(t, c.fen), c.from, c.want)
	}
}

func TestWarning(t *testing.T) {
	const danger = "Black's king is within reach of an annihilation."
	for _, c := range []struct{ rule, fen, want string }{
		{"not at the start", "", ""},
		{"an amplifier can come beside an isolator near the king", "***1***/*5*/*4k*/*3i1*/7/*5*/*2A2*/*5*/***K*** b - - 0 1", danger},
		{"an isolator beside an amplifier", "***1***/*5*/*4k*/*3a1*/7/*5*/*2I2*/*5*/***K*** b - - 0 1", danger},
		{"by a borrowed move", "***1***/*2i2*/*1k3*/*5*/7/*5*/*5*/*1BA2*/***K*** b - - 0 1", ""},
		{"by a rook's move", "***1***/*2i2*/*1k3*/*5*/7/*5*/*2A2*/*1R3*/***K*** b - - 0 1", danger},
		{"not one's own turn's danger to the enemy", "***1***/*5*/*4k*/*3i1*/7/*5*/*2A2*/*5*/***K*** w - - 0 1", ""},
		{"not where the opponent's king would go too", "***1***/*5*/*4k*/*3i1*/7/*1K3*/*2A2*/*5*/***1*** b - - 0 1", ""},
		{"not where the king is far", "***k***/*5*/*5*/*3i1*/7/*5*/*2A2*/*5*/***K*** b - - 0 1", ""},
		{"not where a friend is in the way", "***1***/*5*/*4k*/*3i1*/3P3/*5*/*2A2*/*5*/***K*** b - - 0 1", ""},
		{"a check by a borrowed move", "***k***/*5*/*5*/*5*/4r2/*2p2*/*5*/*5*/***K*** w - - 0 1", "The check comes from the pawn on d4 (moving as the rook on e5)."},
		{"a check by the rook itself", "***k***/*5*/*5*/*5*/3r3/*5*/*5*/*5*/***K*** w - - 0 1", ""},
		{"a king in check is no annihilation", "***1***/*5*/*5*/*5*/3k3/*2i2*/*5*/*5*/***K*** b - - 0 1", ""},
		{"not after the end", "***1***/*5*/*5*/*3i1*/7/*5*/*2A2*/*5*/***K*** b - - 0 1", ""},
	} {
		if got := position(t, c.fen).Warning().String(); got != c.want {
			t.Errorf("%s: %s: %q", c.rule, c.fen, got)
		}
	}
}

func TestMovesAreMadeWithoutMemory(t *testing.T) {
	for _, fen := range []string{"", example, "***k***/*3r1*/*piban*/*1P1pp*/2P1P2/*p1A1P*/*PI3*/*1B1NR*/***K*** b - - 0 10"} {
		rulestest.WithoutMemory(t, position(t, fen))
	}
}

// Whatever a piece cannot do, there is a reason for it.
func TestEveryRefusalKnowsWhy(t *testing.T) {
	seen := map[rules.Reason]int{}
	for seed := range uint64(300) {
		pos := rulestest.RandomPosition(t, combination.Combination(), seed)
		if len(pos.Moves()) == 0 {
			continue
		}
		for from := range pos.Variant().Shape.Squares.Squares() {
			for to := range pos.Variant().Shape.Squares.Squares() {
				err := pos.Check(rules.Move{From: from, To: to})
				var no *rules.Illegal
				switch {
				case err == nil:
				case !errors.As(err, &no) || no.Reason == rules.NotPossible || no.Sentence.IsZero():
					t.Errorf("%s, %s: %v", pos.FEN(), pos.Variant().Coordinate(rules.Move{From: from, To: to}), err)
				default:
					seen[no.Reason]++
				}
			}
		}
	}
	for _, reason := range []rules.Reason{
		rules.NoSuchPiece, rules.NotYours, rules.OwnPiece, rules.CannotReach, rules.BlockedWay, rules.NothingToTake, rules.LeavesCheck,
		combination.Isolated, combination.SecondHand, combination.CrossesFire, combination.KingBlasted,
	} {
		if seen[reason] == 0 {
			t.Errorf("nothing is refused as %q", reason)
		}
	}
}
