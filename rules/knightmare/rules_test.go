package knightmare_test

import (
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/knightmare"
)

func legal(pos *rules.Position, text string) bool {
	_, err := pos.ParseCoordinate(text)
	return err == nil
}

func TestTwoEnemyRegularPiecesThatMeetBecomeAKnightmare(t *testing.T) {
	cases := []rulestest.Case{{"b and N", "4k3/8/8/8/4b3/8/2N5/4K3 b - - 7 9 -", "e4c2", "4k3/8/8/8/8/8/2[Nb]5/4K3 w - - 0 10 c2"}}
	for _, mover := range []struct{ letter, square, rank2 string }{
		{"N", "c2", "2N5"}, {"B", "f2", "5B2"}, {"R", "d2", "3R4"}, {"Q", "d2", "3Q4"},
	} {
		for _, stands := range []string{"n", "b", "r", "q"} {
			cases = append(cases, rulestest.Case{
				Rule: mover.letter + " and " + stands, FEN: "k7/8/8/8/3" + stands + "4/8/" + mover.rank2 + "/1K6 w - - 7 30 -", Does: mover.square + "d4",
				Want: "k7/8/8/8/3[" + mover.letter + stands + "]4/8/8/1K6 b - - 0 30 d4",
			})
		}
	}
	rulestest.LeadsTo(t, knightmare.Knightmare(), cases)
}

func TestEveryOtherCaptureRemoves(t *testing.T) {
	rulestest.LeadsTo(t, knightmare.Knightmare(), []rulestest.Case{
		{"a pawn takes a regular piece", "4k3/8/8/3r4/4P3/8/8/4K3 w - - 5 9 -", "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 9 -"},
		{"a pawn takes a knightmare", "4k3/8/8/3[Nr]4/4P3/8/8/4K3 w - - 5 9 d5", "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 9 -"},
		{"a pawn takes a pawn", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 5 9 -", "e4d5", "4k3/8/8/3P4/8/8/8/4K3 b - - 0 9 -"},
		{"a pawn takes en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9 -", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 9 -"},
		{"a pawn promotes as it takes", "3rk3/2P5/8/8/8/8/8/4K3 w - - 5 9 -", "c7d8n", "3Nk3/8/8/8/8/8/8/4K3 b - - 0 9 -"},
		{"a pawn promotes as it takes a knightmare", "3[Rr]4/2P3k1/8/8/8/8/8/4K3 w - - 5 9 -", "c7d8q", "3Q4/6k1/8/8/8/8/8/4K3 b - - 0 9 -"},
		{"a king takes a regular piece", "4k3/8/8/8/8/8/4r3/4K3 w - - 5 9 -", "e1e2", "4k3/8/8/8/8/8/4K3/8 b - - 0 9 -"},
		{"a king takes a knightmare", "4k3/8/8/8/8/8/4[Nr]3/4K3 w - - 5 9 e2", "e1e2", "4k3/8/8/8/8/8/4K3/8 b - - 0 9 -"},
		{"a regular piece takes a pawn", "4k3/8/8/3p4/8/2N5/8/4K3 w - - 5 9 -", "c3d5", "4k3/8/8/3N4/8/8/8/4K3 b - - 0 9 -"},
		{"a regular piece takes a knightmare", "4k3/8/8/3[Bq]4/8/2N5/8/4K3 w - - 5 9 -", "c3d5", "4k3/8/8/3N4/8/8/8/4K3 b - - 0 9 -"},
		{"a knightmare takes a regular piece", "4k3/2r5/8/3[Nr]4/8/8/8/4K3 w - - 5 9 -", "d5c7", "4k3/2[Nr]5/8/8/8/8/8/4K3 b - - 0 9 c7"},
		{"a knightmare takes a pawn", "4k3/2p5/8/3[Nr]4/8/8/8/4K3 w - - 5 9 -", "d5c7", "4k3/2[Nr]5/8/8/8/8/8/4K3 b - - 0 9 c7"},
		{"a knightmare takes a knightmare", "4k3/2[Bb]5/8/3[Nr]4/8/8/8/4K3 w - - 5 9 -", "d5c7", "4k3/2[Nr]5/8/8/8/8/8/4K3 b - - 0 9 c7"},
		{"a knightmare takes a frozen knightmare", "4k3/2[Bb]5/8/3[Nr]4/8/8/8/4K3 w - - 5 9 c7", "d5c7", "4k3/2[Nr]5/8/8/8/8/8/4K3 b - - 0 9 c7"},
		{"Black's part takes a regular piece", "4k3/8/8/3[Nr]3R/8/8/8/4K3 b - - 5 9 -", "d5h5", "4k3/8/8/7[Nr]/8/8/8/4K3 w - - 0 10 h5"},
	})
}

func TestThePieceOnASquareMayGo(t *testing.T) {
	const attacked = "4k3/8/8/8/[Rn]3r3/2NP4/8/4K3 w - - 0 1 -"
	rulestest.Goes(t, knightmare.Knightmare(), []rulestest.Case{
		{"each side moves a knightmare as its own part, but not to where the other's part would attack its king", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "d5", "b4 b6 c3 c7 f4 f6"},
		{"so does Black", "4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 -", "d5", "a5 b5 c5 d1 d2 d3 d4 d7 d8 e5 f5 g5 h5"},
		{"so does a bishop", "7k/8/8/8/8/[Bq]7/8/6K1 w - - 0 1 -", "a3", "b2 b4 d6 e7 f8"},
		{"a king keeps away from the other side's part", "7k/8/8/8/8/[Bq]7/8/6K1 w - - 0 1 -", "g1", "f1 f2 g2 h1 h2"},

		{"a knightmare is in the way of White", "7k/8/8/R2[Nb]4/8/8/8/6K1 w - - 0 1 -", "a5", "a1 a2 a3 a4 a6 a7 a8 b5 c5 d5"},
		{"and of Black", "7k/8/8/r2[Nb]4/8/8/8/6K1 b - - 0 1 -", "a5", "a1 a2 a3 a4 a6 a7 a8 b5 c5 d5"},
		{"of a pawn's double step", "7k/8/8/8/3[Nb]4/8/3P3K/8 w - - 0 1 -", "d2", "d3"},
		{"of castling", "4k3/8/8/8/8/8/8/4K[Nb]1R w K - 0 1 -", "e1", "d1 d2 f1 f2"},

		{"a frozen knightmare goes nowhere", "4k3/8/4p3/3[Nb]4/8/8/8/4K3 b - - 0 1 d5", "d5", ""},
		{"but can be captured", "4k3/8/4p3/3[Nb]4/8/8/8/4K3 b - - 0 1 d5", "e6", "d5 e5"},

		{"joining a checking piece does not lift its check", attacked, "c3", "e2"}, // not e4
		{"a pawn removes it", attacked, "d3", "e4"},
		{"and so does a knightmare", attacked, "a4", "e4"},
		{"nor does a queen beside the king", "4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1 -", "d1", ""},
		{"which the king takes", "4k3/8/8/8/8/8/4r3/3QK3 w - - 0 1 -", "e1", "e2 f1"},
		{"a knightmare that gives check is removed", "4k3/8/8/8/8/8/4[Br]3/3QK3 w - - 0 1 -", "d1", "e2"},

		{"a pinned regular piece may not join its pinner", "4k3/8/8/4r3/8/8/4R3/4K3 w - - 0 1 -", "e2", "e3 e4"},
		{"it captures a knightmare", "4k3/8/8/4[Nr]3/8/8/4R3/4K3 w - - 0 1 -", "e2", "e3 e4 e5"},
		{"a pawn before a queen is not pinned", "4k3/8/8/8/7b/6P1/5Q2/4K3 w - - 0 1 -", "g3", "g4 h4"},
		{"a pinned pawn takes its pinner", "4k3/8/8/8/7b/6P1/8/4K3 w - - 0 1 -", "g3", "h4"},
		{"a pinned knightmare keeps to the line", "4k3/8/8/4r3/8/8/4[Rn]3/4K3 w - - 0 1 -", "e2", "e3 e4 e5"},
		{"or stays", "4k3/8/8/4r3/8/8/4[Nb]3/4K3 w - - 0 1 -", "e2", ""},

		{"a knightmare that gives check may be moved away", "4k3/8/8/8/4[Nr]3/8/8/4K3 w - - 0 1 -", "e4", "c3 c5 d2 d6 f2 f6 g3 g5"},
		{"not a frozen one", "4k3/8/8/8/4[Nr]3/8/8/4K3 w - - 0 1 e4", "e4", ""},
		{"going, it may end a second check as well", "4k3/8/8/8/4[Nr]2b/8/8/4K3 w - - 0 1 -", "e4", "f2 g3"},
		{"from another square too", "4k3/8/8/8/4[Nr]3/6b1/8/4K3 w - - 0 1 -", "e4", "f2 g3"},
	})
}

func TestAKnightmareJustFormedOrMovedIsFrozenForOnePly(t *testing.T) {
	pos := rulestest.After(t, position(t, "4k3/7p/8/3b4/8/2N5/P7/4K3 w - - 0 1 -"), "c3d5")
	if got := rulestest.From(pos, "d5"); got != "" {
		t.Errorf("Black moves the knightmare that White has just formed: %s", got)
	}
	pos = rulestest.After(t, pos, "h7h6")
	for _, text := range []string{"d5f4", "f4g6", "g6h8"} { // a side that moves it every turn keeps it
		pos = rulestest.After(t, pos, text)
		if got := rulestest.From(pos, text[2:]); got != "" {
			t.Errorf("Black moves the knightmare that White has just moved: %s", got)
		}
		pos = rulestest.After(t, pos, map[bool]string{true: "e8d8", false: "d8e8"}[legal(pos, "e8d8")])
	}
	pos = rulestest.After(t, pos, "a2a3")
	if !legal(pos, "h8b2") {
		t.Error("Black may not move a knightmare that rested for a ply")
	}
	if pos = rulestest.After(t, pos, "h8g7"); rulestest.From(pos, "g7") != "" {
		t.Error("White moves the knightmare that Black has just moved")
	}
}

func TestAKnightmareGivesCheckByTheOtherSidesPartFrozenOrNot(t *testing.T) {
	for _, c := range []struct {
		fen   string
		check bool
	}{
		{"4k3/8/8/8/8/4[Nr]3/8/4K3 w - - 0 1 e3", true},
		{"4k3/8/8/8/8/4[Nr]3/8/4K3 w - - 0 1 -", true},
		{"4k3/8/8/8/8/4[Rn]3/8/4K3 b - - 0 1 e3", true},
		{"4k3/8/8/8/8/4[Rn]3/8/4K3 b - - 0 1 -", true},
		{"4k3/8/8/8/8/4[Nr]3/8/4K3 b - - 0 1 -", false},
	} {
		pos, err := knightmare.Knightmare().Position(c.fen)
		if !c.check {
			if err == nil {
				t.Errorf("%s is accepted, with White in check and Black to move", c.fen)
			}
			continue
		}
		if err != nil || pos.Checked() == 0 {
			t.Errorf("%s is no check: %v", c.fen, err)
		}
	}
	if pos := position(t, "4k3/8/8/8/8/2[Rn]5/8/4K3 w - - 0 1 -"); pos.Checked() != 0 {
		t.Error("White's own part gives check to White")
	}
}

func TestFoolsMateByAKnight(t *testing.T) {
	for _, fen := range []string{
		"rnbqkbnr/pp1ppppp/8/1N6/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 4 -",
		"rnbqkbnr/pppppppp/8/1N6/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 4 -",
	} {
		after := rulestest.After(t, position(t, fen), "b5c7")
		if why := after.Warning().String(); after.Status() != rules.Checkmate || why != "Joining the knight on c7 doesn't end its check: as part of a knightmare it would attack the king on e8." {
			t.Errorf("%s, after b5c7: %s %q", fen, after.Status(), why)
		}
	}
	if why := position(t, "R3k3/8/4K3/8/8/8/8/8 b - - 0 1 -").Warning(); !why.IsZero() {
		t.Errorf("a mate as in chess says %q", why)
	}
	// In orthodox chess the queen would take the knight.
	escape := "rnbqkbnr/pppp1ppp/4p3/1N6/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 4 -"
	if got := rulestest.From(rulestest.After(t, position(t, escape), "b5c7"), "e8"); got != "e7" {
		t.Errorf("the king escapes to %q", got)
	}
}

func TestCastlingSquaresAttackedByTheEnemyPartAreAttacked(t *testing.T) {
	for fen, want := range map[string]bool{
		"4k3/8/8/5[Nr]2/8/8/8/4K2R w K - 0 1 -":  false,
		"4k3/8/8/5[Nr]2/8/8/8/4K2R w K - 0 1 f5": false,
		"4k3/8/8/4[Nr]3/8/8/8/4K2R w K - 0 1 -":  false,
		"4k3/8/8/5[Rn]2/8/8/8/4K2R w K - 0 1 -":  true,
		"4k3/8/8/7[Nr]/8/8/8/4K2R w K - 0 1 -":   true,
		"4k3/8/8/1[Nr]6/8/8/8/R3K3 w Q - 0 1 -":  true,
		"r3k3/8/8/3[Rn]4/8/8/8/4K3 b q - 0 1 -":  false,
	} {
		castle := map[bool]string{true: "e1g1", false: "e1c1"}[strings.Contains(fen, " K ")]
		if strings.Contains(fen, " q ") {
			castle = "e8c8"
		}
		if got := legal(position(t, fen), castle); got != want {
			t.Errorf("%s: castling is %v, want %v", fen, got, want)
		}
	}
}

func TestWhatMovesLeadTo(t *testing.T) {
	rulestest.LeadsTo(t, knightmare.Knightmare(), []rulestest.Case{
		{"a rook that became part of a knightmare has lost castling", "4k3/1b6/8/8/8/8/8/R3K2R b KQ - 0 1 -", "b7h1", "4k3/8/8/8/8/8/8/R3K2[Rb] w Q - 0 2 h1"},
		{"both that did", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 -", "h1h8", "r3k2[Rr]/8/8/8/8/8/8/R3K3 b Qq - 0 1 h8"},
		{"a rook that went away", "r3k2r/8/8/8/[Bq]7/8/8/4K3 b kq - 0 1 -", "a8a4", "4k2r/8/8/8/r7/8/8/4K3 w k - 0 2 -"},
		{"a rook that a knightmare takes", "r3k2r/8/8/8/3[Bq]4/8/8/6K1 w kq - 0 1 -", "d4h8", "r3k2[Bq]/8/8/8/8/8/8/6K1 b q - 0 1 h8"},
		{"a knightmare's move raises the half-move clock", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 7 9 -", "d5b4", "4k3/8/8/8/1[Nr]6/8/8/4K3 b - - 8 9 b4"},
		{"and any other quiet move", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 7 9 -", "e1f1", "4k3/8/8/3[Nr]4/8/8/8/5K2 b - - 8 9 -"},
	})
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		fen  string
		want rules.Status
	}{
		{"4k3/8/8/8/8/8/8/4K3 w - - 0 1 -", rules.Insufficient},
		{"4k3/8/8/8/8/8/8/4K1N1 w - - 0 1 -", rules.Insufficient},
		{"4k3/8/8/8/8/8/8/4KB2 w - - 0 1 -", rules.Insufficient},
		{"4k3/8/8/8/8/8/8/4K1[Nb]1 w - - 0 1 -", rules.Ongoing}, // half a knightmare is no knight
		{"4k3/8/8/8/8/8/8/4K1[Nn]1 w - - 0 1 g1", rules.Ongoing},
		{"4k3/8/8/8/8/8/8/4KR2 w - - 0 1 -", rules.Ongoing},
		{"4k3/8/8/8/8/8/8/3BKN2 w - - 0 1 -", rules.Ongoing},
		{"k7/3N4/K7/8/8/8/8/8 b - - 0 1 -", rules.Insufficient},    // before stalemate
		{"k7/2Q5/8/8/8/4K3/8/7[Rn] b - - 1 1 h1", rules.Stalemate}, // all it could move is frozen
		{"k7/2Q5/8/8/8/4K3/8/7[Rn] b - - 1 1 -", rules.Ongoing},
		{"k7/2Q5/K7/8/8/8/8/7[Rn] b - - 1 1 -", rules.Ongoing},
		{"7k/6pp/8/8/8/8/8/1K2[Rb]3 b - - 1 1 -", rules.Ongoing},
		{"4[Rb]2k/6pp/8/8/8/8/8/1K6 b - - 1 1 e8", rules.Checkmate}, // frozen
		{"4[Rb]2k/6pp/8/8/8/8/8/1K6 b - - 1 1 -", rules.Ongoing},    // it may step away
	} {
		if got := position(t, c.fen).Status(); got != c.want {
			t.Errorf("%s is %s, want %s", c.fen, got, c.want)
		}
	}
}

func TestAFrozenKnightmareMakesAnotherPosition(t *testing.T) {
	const pieces = "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 "
	if position(t, pieces+"-").Key() == position(t, pieces+"d5").Key() {
		t.Error("the two would count as repeated")
	}
}

func TestEffects(t *testing.T) {
	rulestest.Effects(t, knightmare.Knightmare(), []rulestest.Case{
		{"a piece joins another", "4k3/8/8/3r4/8/2N5/8/4K3 w - - 0 1 -", "c3d5", "born r c3d5 into Nr, moved N c3d5"},
		{"the other way", "4k3/8/8/3N4/8/2r5/8/4K3 w - - 0 1 -", "d5c3", "born r d5c3 into Nr, moved N d5c3"},
		{"a capture of a knightmare", "4k3/8/8/3[Nr]4/8/2N5/8/4K3 w - - 0 1 -", "c3d5", "captured Nr c3d5, moved N c3d5"},
		{"a knightmare's move", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "d5c3", "moved Nr d5c3"},
		{"a knightmare's capture", "4k3/8/8/3[Nr]4/8/2r5/8/4K3 w - - 0 1 -", "d5c3", "captured r d5c3, moved Nr d5c3"},
	})
}
