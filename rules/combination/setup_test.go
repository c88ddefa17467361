package combination_test

import (
	"errors"
	"testing"

	"chimera/rules"
	"chimera/rules/combination"
	"chimera/rules/internal/rulestest"
)

func TestPositionsAreWrittenAsTheyAreRead(t *testing.T) {
	rulestest.SameFEN(t, combination.Combination(),
		combination.Combination().Start,
		"***P***/*P3P*/*5*/*k4*/p5P/*5*/*2P2*/*pK3*/***p*** b - - 12 34", // pawns stand anywhere
		"***1***/*k4*/*5*/*5*/7/*1AIA1*/*2IK1*/*5*/***1*** w - - 0 1",    // any number of each
		"***1***/*5*/*5*/*5*/2iI3/*5*/*3K1*/*5*/***k*** w - - 0 1",
		"***1***/*5*/*5*/*5*/7/*5*/*3K1*/*5*/***r*** b - - 0 1", // annihilated
		"***1***/*5*/*5*/*3R1*/7/*5*/*3k1*/*5*/***r*** w - - 0 1",
		"***1***/*5*/*5*/*5*/7/*5*/*3n1*/*5*/***K*** b - - 0 7", // from check
		"***1***/*5*/*5*/*5*/7/*5*/*5*/*5*/***1*** b - - 0 7",
	)
}

func TestFENsThatDescribeNoPosition(t *testing.T) {
	const start = "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K***"
	for _, c := range []struct{ rule, fen, sentence string }{
		{"no castling", start + " w KQkq - 0 1", "There is no castling in Combination Chess"},
		{"no en passant", start + " w - c4 0 1", "There is no en passant here, so the en-passant field of a FEN is always -."},
		{"not even off the board", start + " w - a4 0 1", "The en-passant field"},
		{"six fields", start + " w - - 0", "has 6 fields"},
		{"one king at most", "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANK*/***K*** w - - 0 1", "A side has one king at most; White has 2."},
		{"one of Black too", "***k***/*ibank*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "A side has one king at most; Black has 2."},
		{
			"an amplifier beside an isolator", "***k***/*5*/*5*/*5*/3Ai2/*5*/*5*/*5*/***K*** w - - 0 1",
			"The amplifier on d5 cannot stand beside the enemy isolator on e5: they would have annihilated each other.",
		},
		{
			"of either side, diagonally too", "***k***/*5*/*5*/*4I*/4a2/*5*/*5*/*5*/***K*** w - - 0 1",
			"The amplifier on e5 cannot stand beside the enemy isolator on f6: they would have annihilated each other.",
		},
		{"a side that has moved is not in check", "***k***/*5*/*5*/*2R2*/7/*5*/*5*/*5*/***K*** w - - 0 1", "White is to move, so Black may not be in check, but the rook on d6 gives it."},
		{"nor by a borrowed move", "***k***/*5*/*5*/*2P2*/4R2/*5*/*5*/*5*/***K*** w - - 0 1", "White is to move, so Black may not be in check, but the pawn on d6 gives it."},
		{"nor by a king's, over threatened squares", "***k***/*1r3*/*5*/*5*/1R5/*5*/*5*/*5*/***K*** b - - 0 1", "Black is to move, so White may not be in check, but the king on d9 gives it."},
		{"kings do not touch", "***1***/*5*/*5*/*2k2*/3K3/*5*/*5*/*5*/***1*** w - - 0 1", "Black may not be in check, but the king on d5 gives it."},
		{"holes are holes", "***k***/*ibanr*/*p1p1p*/*1p1p1*/8/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "Rank 5"},
		{"holes are not counted into digits", "3*k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "Rank 9"},
		{"nothing stands in a hole", "***k***/*ibanrr/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "Rank 8"},
		{"a square is no hole", "***k***/**banr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "rank 8"},
		{"nine ranks", "*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K*** w - - 0 1", "9 ranks"},
		{"there are no queens", "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBQNR*/***K*** w - - 0 1", `"Q"`},
		{"a plain piece has no brackets", "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IB[A]NR*/***K*** w - - 0 1", `"[A]"`},
		{"nothing has two letters", "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IB[AN]R1*/***K*** w - - 0 1", `"[AN]"`},
	} {
		t.Run(c.rule, func(t *testing.T) { rulestest.BadFEN(t, combination.Combination(), c.fen, c.sentence) })
	}
}

func TestASetupWithCastlingIsRefused(t *testing.T) {
	var bad *rules.BadFEN
	_, err := combination.Combination().FromSetup(rules.Setup{Castling: sq("f2").Set(), EnPassant: rules.NoSquare, FullMove: 1})
	if !errors.As(err, &bad) || bad.Sentence != "There is no castling here, so the castling field of a FEN is always -." {
		t.Errorf("got %v", err)
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		rule, fen string
		want      rules.Status
	}{
		{"a side without a king has lost", "***1***/*5*/*5*/*5*/7/*5*/*3n1*/*5*/***K*** b - - 0 7", rules.KingTaken},
		{"whoever is to move", "***1***/*5*/*5*/*5*/7/*5*/*3n1*/*5*/***K*** w - - 0 7", rules.KingTaken},
		{"so has one with nothing else", "***1***/*5*/*5*/*5*/7/*5*/*5*/*5*/***K*** b - - 0 7", rules.KingTaken},
		{"two bare kings draw", "***k***/*5*/*5*/*5*/7/*5*/*5*/*5*/***K*** w - - 0 7", rules.Insufficient},
		{"a knight may mate", "***k***/*5*/*5*/*5*/3N3/*5*/*5*/*5*/***K*** w - - 0 7", rules.Ongoing},
		{"a bishop may", "***k***/*5*/*5*/*5*/3B3/*5*/*5*/*5*/***K*** w - - 0 7", rules.Ongoing},
		{"mate", "***1***/*R4*/*k4*/*1p3*/K3B2/*5*/*5*/*5*/***1*** b - - 6 33", rules.Checkmate},
		{"stalemate", "***1***/*5*/*3R1*/*k4*/1P5/*PK3*/*1P3*/*P4*/***1*** b - - 0 38", rules.Stalemate},
		{"a threat of annihilation is no check, and no mate", "***k***/*3i1*/*5*/*2A2*/7/*5*/*5*/*5*/***K*** b - - 0 1", rules.Ongoing},
	} {
		if got := position(t, c.fen).Status(); got != c.want {
			t.Errorf("%s: %s is %s", c.rule, c.fen, got)
		}
	}
}

func TestWhoAnnihilatesTheKingWins(t *testing.T) {
	pos := position(t, "***1***/*5*/*4k*/*3i1*/7/*2r2*/*4A*/*5*/***K*** w - - 5 9")
	game, err := rules.NewGame(pos).Play(rules.Move{From: sq("f3"), To: sq("f5")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := game.Outcome(), (rules.Outcome{Result: rules.WhiteWins, Ending: rules.ByKingTaken}); got != want {
		t.Errorf("the outcome is %v, want %v", got, want)
	}
	if after := game.Position; after.Checked() != 0 || len(after.Moves()) != 0 || !after.Warning().IsZero() {
		t.Errorf("%s: check %x, moves %v, warning %q", after.FEN(), after.Checked(), after.Moves(), after.Warning())
	}
}

func TestTheHalfMoveClock(t *testing.T) {
	for _, c := range []struct {
		rule, fen, move string
		want            int
	}{
		{"a quiet move raises it", "***k***/*5*/*5*/*5*/7/*5*/*5*/*1N3*/***K*** w - - 7 9", "c2d4", 8},
		{"a capture ends it", "***k***/*5*/*5*/*5*/7/*2p2*/*5*/*1N3*/***K*** w - - 7 9", "c2d4", 0},
		{"a pawn's step", "***k***/*5*/*5*/*5*/7/*5*/*1P3*/*1B3*/***K*** w - - 7 9", "c3c4", 0},
		{"a pawn's borrowed move", "***k***/*5*/*5*/*5*/7/*5*/*1P3*/*1B3*/***K*** w - - 7 9", "c3e5", 0},
		{"not the lender's own move", "***k***/*5*/*5*/*5*/7/*5*/*1P3*/*1B3*/***K*** w - - 7 9", "c2b3", 8},
		{"an annihilation", "***k***/*5*/*5*/*2i2*/7/*5*/*2A2*/*5*/***K*** w - - 7 1", "d3d5", 0},
	} {
		if got := rulestest.After(t, position(t, c.fen), c.move).HalfMoves(); got != c.want {
			t.Errorf("%s: %d, want %d", c.rule, got, c.want)
		}
	}
}
