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
	for _, c := range []struct{ rule, fen, coordinate, written, read string }{
		{"a pawn", "", "d3d4", "d4", "d3-d4 Pd3d4 dd4"},
		{"a knight", "***k***/*5*/*5*/*5*/7/*5*/*5*/*N4*/***K*** w - - 0 1", "b2c4", "Nc4", "nc4 Nb2c4 Nb2-c4 N2c4 Nbc4 ♘c4"},
		{"a capture", "***k***/*5*/*5*/*5*/7/*1p3*/*5*/*N4*/***K*** w - - 0 1", "b2c4", "Nxc4", "Nc4 nxc4 Nbxc4 bxPc4 NxPc4 N×c4"},
		{"a pawn's capture has its file", "***k***/*5*/*5*/*5*/7/*1n3*/*P4*/*5*/***K*** w - - 0 1", "b3c4", "bxc4", "bc4 b3c4 PxNc4 b3xc4"},
		{"also a borrowed one straight ahead", "***k***/*5*/*5*/*5*/1n5/*1R3*/*P4*/*5*/***K*** w - - 0 1", "b3b5", "bxb5", "b3xb5 xb5 Pxb5"},
		{"an amplifier's leap", "***k***/*5*/*5*/*5*/7/*5*/*A4*/*5*/***K*** w - - 0 1", "b3d3", "Ad3", "ad3 Ab3d3 a3d3 b3-d3 Abd3"},
		{"an isolator's", "***k***/*5*/*5*/*5*/7/*5*/*I4*/*5*/***K*** w - - 0 1", "b3d3", "Id3", "id3 Ib3d3 Id3!"},
		{"a small a is a file if it fits as one", "***k***/*2p2*/*5*/*n4*/P6/*A4*/*5*/*5*/***K*** w - - 0 1", "a5b6", "axb6", "ab6 axb6 a5b6"},
		{"else a piece", "***k***/*2p2*/*5*/*5*/R6/*5*/*2A2*/*5*/***K*** w - - 0 1", "d3d5", "Ad5", "ad5"},
		{"a file names no piece without its letter", "***k***/*2p2*/*5*/*5*/R6/*5*/*2A2*/*5*/***K*** w - - 0 1", "a5d5", "Rd5", "Rad5 rd5 a5d5"},
		{"a capital is a piece", "***k***/*2p2*/*5*/*5*/R6/*5*/*2A2*/*5*/***K*** w - - 0 1", "d3d5", "Ad5", "Ad5 Add5"},
		{"a pawn before a bishop", "***k***/*5*/*5*/*1n3*/1P5/*2B2*/*5*/*5*/***K*** w - - 0 1", "b5c6", "bxc6", "bc6 bxc6"},
		{"a bishop where no file fits", "***k***/*5*/*5*/*5*/7/*5*/*2B2*/*5*/***K*** w - - 0 1", "d3c4", "Bc4", "bc4 Bdc4"},
		{"an annihilation", "***k***/*5*/*5*/*2i2*/7/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", "Ad5@", "Ad5 ad5 Ad5@! d3d5"},
		{"one with a capture", "***k***/*5*/*5*/*3i1*/3p3/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", "Axd5@", "Axd5 Ad5 AxPd5@"},
		{"one with check", "***k***/*5*/*5*/*5*/i2A3/*5*/*5*/*4K*/***R*** w - - 0 1", "d5b5", "Ab5@+", "Ab5 Ab5@ Ab5+"},
		{"one of a king", "***1***/*5*/*4k*/*3i1*/7/*2r2*/*4A*/*5*/***K*** w - - 5 9", "f3f5", "Af5@#", "Af5 Af5@ Af5#"},
		{"a rook's check", "***1***/*1k3*/*5*/*5*/7/*5*/*5*/*R4*/***K*** w - - 0 1", "b2c2", "Rc2+", "Rc2 rc2+"},
		{"a pawn straight ahead needs no file", "***k***/*5*/*5*/*5*/2N4/*2P2*/*1P3*/*5*/***K*** w - - 0 1", "d4d5", "d5", "dd5 Pd4d5"},
		{"another's borrowed move there has it", "***k***/*5*/*5*/*5*/2N4/*2P2*/*1P3*/*5*/***K*** w - - 0 1", "c3d5", "cd5", "Pcd5 c3-d5"},
		{"two of a kind", "***1***/*3k1*/*5*/*5*/7/*R3R*/*5*/*5*/***K*** w - - 0 1", "b4c4", "Rbc4", "Rb4c4 rbc4"},
		{"two on one file", "***1***/*3k1*/*5*/*5*/7/*R4*/*5*/*R4*/***K*** w - - 0 1", "b2b3", "R2b3", "Rb2b3"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			rulestest.Written(t, position(t, c.fen), c.coordinate, c.written, strings.Fields(c.read)...)
		})
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
	const lone = "***k***/*5*/*5*/*5*/"
	for _, c := range []struct {
		fen, from, to string
		reason        rules.Reason
		sentence      string
	}{
		{"", "c3", "c4", rules.NoSuchPiece, "There is no piece on c3."},
		{"", "c6", "c5", rules.NotYours, "The pawn on c6 is your opponent's."},
		{"", "c4", "c4", rules.CannotReach, "The pawn already stands on c4."},
		{"", "d2", "d3", rules.OwnPiece, "Your own pawn stands on d3."},
		{"", "c4", "c6", rules.CannotReach, "The pawn on c4 moves one square only: there is no double step in this game."},
		{"", "c4", "d5", rules.NothingToTake, "There is nothing for the pawn on c4 to capture on d5."},
		{"", "c4", "f5", rules.CannotReach, "The pawn on c4 can't reach f5."},
		{"", "b2", "b8", rules.CannotReach, "The isolator on b2 can't reach b8."},
		{"", "d1", "f3", rules.OwnPiece, "Your own pawn stands on f3."},
		{"", "c2", "a4", rules.OffBoard, "That square isn't on the board."},
		{lone + "7/*1p3*/*1P3*/*5*/***K*** w - - 0 1", "c3", "c4", rules.BlockedWay, "The way from c3 to c4 is blocked by the pawn on c4."},
		{lone + "7/*5*/*pp1R1*/*5*/***K*** w - - 0 1", "e3", "b3", rules.BlockedWay, "The way from e3 to b3 is blocked by the pawn on c3."},
		{lone + "7/*2p2*/*2P2*/*1R3*/***K*** w - - 0 1", "d3", "d5", rules.BlockedWay, "The way from d3 to d5 is blocked by the pawn on d4."},
		{ // the bishop is isolated
			lone + "7/*5*/*P2I1*/*Bi3*/***K*** w - - 0 1", "b3", "d5", combination.Isolated,
			"The pawn on b3 can't borrow from the bishop on b2, which the isolator on c2 isolates.",
		},
		{ // the knight lends no rook's moves
			"***k***/*5*/*5*/*2P2*/7/*2N2*/*1R3*/*5*/***K*** w - - 0 1", "d6", "d8", combination.SecondHand,
			"The pawn on d6 can't reach d8: the knight on d4 lends its own move only, not what it borrows from the rook on c3.",
		},
		{ // nor would those lead there
			"***k***/*5*/*5*/*2P2*/7/*2N2*/*1R3*/*5*/***K*** w - - 0 1", "d6", "g5", rules.CannotReach,
			"The pawn on d6 can't reach g5.",
		},
		{ // crossing
			"***1***/*k4*/*5*/*5*/7/*r4*/*5*/*1R3*/***K*** w - - 0 1", "d1", "d6", combination.CrossesFire,
			"Your king can't cross d4 on a borrowed line: the rook on b4 threatens it.",
		},
		{ // stepping on it is check
			"***1***/*k4*/*5*/*5*/7/*r4*/*5*/*1R3*/***K*** w - - 0 1", "d1", "d4", rules.LeavesCheck,
			"Your king would be in check on d4 from the rook on b4.",
		},
		{ // who borrows threatens too
			"***1***/*k4*/*5*/*5*/2r4/*p4*/*5*/*1R3*/***K*** w - - 0 1", "d1", "d6", combination.CrossesFire,
			"Your king can't cross d4 on a borrowed line: the pawn on b4 (moving as the rook on c5) threatens it.",
		},
		{"***1***/*k4*/*5*/*5*/2r4/*p4*/*5*/*1R3*/***K*** w - - 0 1", "d1", "d4", rules.LeavesCheck, "Your king would be in check on d4 from the pawn on b4 (moving as the rook on c5)."},
		{"***k***/*5*/*5*/*4I*/4r2/*2p2*/*5*/*5*/***K*** w - - 0 1", "f6", "f8", rules.LeavesCheck, "That leaves your king on d1 in check from the pawn on d4 (moving as the rook on e5)."},
		{"***k***/*5*/*5*/*5*/7/*5*/*2r2*/*2A2*/***K*** w - - 0 1", "d2", "d4", rules.LeavesCheck, "That leaves your king on d1 in check from the rook on d3."},
		{ // one's own king
			"***k***/*5*/*5*/*3i1*/7/*1K3*/*2A2*/*5*/***1*** w - - 0 1", "d3", "d5", combination.KingBlasted,
			"That annihilates your own king: on d5 the amplifier on d3 meets the isolator on e6.",
		},
		{ // even with the enemy's
			"***1***/*5*/*4k*/*3i1*/7/*1K3*/*2A2*/*5*/***1*** w - - 0 1", "d3", "d5", combination.KingBlasted,
			"That annihilates your own king: on d5 the amplifier on d3 meets the isolator on e6.",
		},
	} {
		_, err := position(t, c.fen).Play(rules.Move{From: sq(c.from), To: sq(c.to)})
		rulestest.Refused(t, err, c.reason, c.sentence)
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
