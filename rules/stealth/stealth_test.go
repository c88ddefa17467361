package stealth_test

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, stealth.Stealth(), "testdata/stealth.jsonl")
}

func TestSuite(t *testing.T) { rulestest.Run(t, stealth.Stealth(), 10) }

func BenchmarkPerft(b *testing.B) { rulestest.Benchmark(b, stealth.Stealth(), 5) }

// on is the code of what stands on a square, "" if nothing does.
func on(pos *rules.Position, square string) string {
	return pos.Variant().Table.Code(pos.Board()[pos.Variant().Shape.Parse(square)])
}

func TestThePieceOnASquareMayGo(t *testing.T) {
	rulestest.Goes(t, stealth.Stealth(), []rulestest.Case{
		{"an aeroplane leaps one piece of either side, up to and including the next if it is an enemy's", "3k4/8/8/p7/8/p7/8/[RR]1N2n1K w - - 0 1", "a1", "a2 a3 a4 a5 b1 d1 e1 f1"},
		{"an aeroplane takes the first enemy, or the one behind a friend", "3k4/8/p7/8/p7/8/N7/[RR]6K w - - 0 1", "a1", "a3 a4 b1 c1 d1 e1 f1 g1"},
		{"a stealth line ends before a friend behind the leap", "3k4/8/N7/8/p7/8/8/[RR]1N1N2K w - - 0 1", "a1", "a2 a3 a4 a5 b1 d1"},
		{"a missile leaps one piece on its diagonal", "3k4/6p1/8/4p3/8/2P5/7K/[BB]7 w - - 0 1", "a1", "b2 d4 e5"},
		{"a b52 leaps a friend, captures on a4 and a6 and flies on", "7k/8/n7/8/n7/N7/8/[RRR]5K1 w - - 0 1", "a1", "a2 a4 a5xa4 a6xa4 a7xa4xa6 a8xa4xa6 b1 c1 d1 e1 f1 h1"},
		{"a b52 may leap a single enemy without capturing it", "7k/8/8/8/n7/8/8/[RRR]5K1 w - - 0 1", "a1", "a2 a3 a4 a5 a5xa4 a6 a6xa4 a7 a7xa4 a8 a8xa4 b1 c1 d1 e1 f1 h1"},
		{"a b52 runs over any number of friends, its king too", "4k3/8/8/8/8/8/P7/[RRR]1N1K1N1 w - - 0 1", "a1", "a3 a4 a5 a6 a7 a8 b1 d1 f1 h1"},
		{"a rocket runs on its diagonal", "1k6/8/8/4p3/8/2p5/1P5K/[BBB]7 w - - 0 1", "a1", "c3 d4xc3 e5xc3 f6xc3xe5 g7xc3xe5 h8xc3xe5"},
		{"a zebra is a knight and a prince", "7k/8/8/8/8/8/8/[NWF]6K w - - 0 1", "a1", "a2 b1 b2 b3 c2"},
		{"a prince steps like a king", "7k/8/8/8/8/8/8/[WF]6K w - - 0 1", "a1", "a2 b1 b2"},
		{"a tank is a rook that steps diagonally", "7k/8/8/8/P7/8/8/[RF]2N3K w - - 0 1", "a1", "a2 a3 b1 b2 c1"},
		{"a frigate is a bishop that steps straight", "6k1/8/8/4P3/8/8/8/[BW]6K w - - 0 1", "a1", "a2 b1 b2 c3 d4"},
		{"a knight's leap does not blend into a stealth line", "7k/8/8/P7/P7/8/P7/[RRN]N1N3K w - - 0 1", "a1", "a3 b3 c1 c2"},
		{"a captain goes straight to empty squares, and captures diagonally only", "7k/8/8/2rr4/2PC4/2Nrb3/8/K7 w - - 0 1", "d4", "c5 e3 e4"},
		{"a captain goes backward too", "7k/8/8/8/8/2p1p3/3C4/K7 w - - 0 1", "d2", "c2 c3 d1 d3 e2 e3"},
		{"a pawn on the last rank becomes what stood there, and what it captures", "1n1r3k/2P5/8/8/8/8/8/K7 w - - 0 1", "c7", "b8 c8b d8"},
		{"a pawn captures en passant, a captain does not", "4k3/8/8/2CpP3/8/8/8/4K3 w - d6 0 1", "e5", "d6 e6"},
		{"a captain on the fifth rank lets a double step pass", "4k3/8/8/2CpP3/8/8/8/4K3 w - d6 0 1", "c5", "b5 c4 c6"},
		{"castling is as in chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "c1 d1 d2 e2 f1 f2 g1"},
		{"a king does not castle through a missile's line behind one piece", "r3k3/8/8/[bb]7/8/2N5/8/R3K2R w KQq - 0 1", "e1", "d1 e2 f1 f2"},
		{"a king does not castle over a square that a missile sees over one piece", "4k3/8/8/8/2[bb]5/3P4/8/R3K2R w KQ - 0 1", "e1", "c1 d1 d2 f2"},
		{"a king does not step back along a b52's line", "4k3/8/8/4[rrr]3/4p3/4N3/8/4K3 w - - 0 1", "e1", "d1 d2 f1 f2"},
	})
}

// The squares that a Pegasus reaches from d4 of an empty board, x; everything may
// be leapt.
func TestAPegasusStepsAndFliesOutward(t *testing.T) {
	const flights = `
		x . x . x . x .
		. x x . x x . x
		x . x . x . x .
		x x x x x x x x
		. . x P x . . .
		x x x x x x x x
		x . x . x . x .
		. x x . x x . K`
	pos := position(t, "7k/8/8/3p4/2p[G]p3/3p4/8/7K w - - 0 1")
	shape := pos.Variant().Shape
	var want []string
	for i, row := range strings.Split(strings.TrimSpace(flights), "\n") {
		for file, mark := range strings.Fields(row) {
			if mark == "x" {
				want = append(want, shape.Name(shape.At(file, 7-i)))
			}
		}
	}
	slices.Sort(want)
	if got := rulestest.From(pos, "d4"); got != strings.Join(want, " ") {
		t.Errorf("got  %s\nwant %s", got, strings.Join(want, " "))
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		rule, fen string
		check     bool
		status    rules.Status
	}{
		{"an aeroplane checks over no piece", "k7/8/8/8/8/8/8/K3[rr]3 w - - 0 1", true, rules.Ongoing},
		{"an aeroplane checks over one piece of either side", "k7/8/8/8/8/8/8/K1n1[rr]3 w - - 0 1", true, rules.Ongoing},
		{"an aeroplane does not check over two pieces", "k7/8/8/8/8/8/8/KNn1[rr]3 w - - 0 1", false, rules.Ongoing},
		{"a b52 checks over any number", "1k6/8/8/8/8/8/8/KNbbN2[rrr] w - - 0 1", true, rules.Ongoing},
		{"a rocket checks over its own side", "k6[bbb]/6p1/5p2/4p3/8/8/8/K7 w - - 0 1", true, rules.Ongoing},
		{"a captain checks diagonally", "k7/8/8/8/8/8/1c6/K7 w - - 0 1", true, rules.Ongoing},
		{"a captain does not check straight ahead", "k7/8/8/8/8/8/c7/K7 w - - 0 1", false, rules.Ongoing},
		{"a pinned piece checks", "k7/[rr]7/8/8/8/[RR]7/8/7K b - - 0 1", true, rules.Ongoing},
		{"a prince is not royal", "k7/8/8/8/8/8/8/[WF]1r4K w - - 0 1", true, rules.Ongoing},
		{"a b52 mates where a rook would be blocked", "k7/8/7r/8/8/8/1R6/[RRR]5K1 b - - 0 1", true, rules.Checkmate},
		{"two bare kings are drawn", "k7/8/8/8/8/8/8/7K w - - 0 1", false, rules.Insufficient},
		{"a knight cannot mate", "k7/8/8/8/8/8/8/6NK w - - 0 1", false, rules.Insufficient},
		{"a bishop cannot mate", "k7/8/8/8/8/8/8/6bK w - - 0 1", false, rules.Insufficient},
		{"a missile is no bishop", "k7/8/8/8/8/8/8/6[bb]K w - - 0 1", false, rules.Ongoing},
		{"a zebra is no knight", "k7/8/8/8/8/8/8/6[NWF]K w - - 0 1", false, rules.Ongoing},
		{"a captain is no pawn, and enough", "k7/8/8/8/8/8/8/6CK w - - 0 1", false, rules.Ongoing},
		{"two knights are enough", "k7/8/8/8/8/8/8/5NNK w - - 0 1", false, rules.Ongoing},
		{"insufficient comes before stalemate", "k7/8/8/8/8/8/1B6/1K6 b - - 0 1", false, rules.Insufficient},
		{"stalemate", "k7/8/1Q6/8/8/8/8/7K b - - 0 1", false, rules.Stalemate},
	} {
		pos := position(t, c.fen)
		if pos.Checked() != 0 != c.check || pos.Status() != c.status {
			t.Errorf("%s\n%s: checked on %v, %s", c.rule, c.fen, pos.Variant().Shape.ByFile(pos.Checked()), pos.Status())
		}
	}
}

// Which moves of a piece leave its king safe, where orthodox pins would mislead.
func TestPinsOfStealthLines(t *testing.T) {
	rulestest.Goes(t, stealth.Stealth(), []rulestest.Case{
		{"one of two pieces before an aeroplane may not leave the line", "k7/4[rr]3/8/4B3/8/4R3/8/4K3 w - - 0 1", "e5", ""},
		{"nor may the other, but along the line", "k7/4[rr]3/8/4B3/8/4R3/8/4K3 w - - 0 1", "e3", "e2 e4"},
		{"a piece between may not capture another between", "k7/4[rr]3/8/4n3/8/4R3/8/4K3 w - - 0 1", "e3", "e2 e4"},
		{"one of three pieces before an aeroplane may leave", "k7/4[rr]3/4p3/4B3/8/4R3/8/4K3 w - - 0 1", "e5", "a1 b2 b8 c3 c7 d4 d6 f4 f6 g3 g7 h2 h8"},
		{"a capture between keeps the shield", "k7/4[rr]3/8/4n3/2N5/4P3/8/4K3 w - - 0 1", "c4", "a3 a5 b2 b6 d2 d6 e5"},
		{"a second piece between stops an aeroplane's check", "k7/4[rr]3/8/8/4P3/8/8/1R2K3 w - - 0 1", "b1", ""},
		{"a second piece between stops an aeroplane's check, if it can come there", "1k6/4[rr]3/8/8/4P3/8/R7/4K3 w - - 0 1", "a2", "e2"},
		{"no piece between stops a b52", "1k6/4[rrr]3/8/8/4P3/8/R7/4K3 w - - 0 1", "a2", ""},
		{"a leap off the shield exposes the king", "k7/4r3/8/8/4[RR]3/8/8/4K3 w - - 0 1", "e4", "e2 e3 e5 e6 e7"},
		{"a run may not remove the enemy that shields its king", "1k2r3/8/8/8/[RRR]3p2n/8/8/4K3 w - - 0 1", "a4", "a1 a2 a3 a5 a6 a7 a8 b4 c4 d4 e4 f4 g4 h4"},
		{"a run may capture two checkers at once", "k7/8/8/8/8/1[RRR]1n1n2/4P3/4K3 w - - 0 1", "b3", "f3xd3 g3xd3xf3 h3xd3xf3"},
		{"a capture en passant may expose the king to an aeroplane", "7k/8/8/K1pP2[rr]1/8/8/8/8 w - c6 0 1", "d5", ""},
	})
}

func TestWhatMovesLeadTo(t *testing.T) {
	rulestest.LeadsTo(t, stealth.Stealth(), []rulestest.Case{
		{"a captured castling rook ends the right", "r3k2r/8/8/8/8/8/8/R3K1NR w KQkq - 3 9", "a1a8", "[RR]3k2r/8/8/8/8/8/8/4K1NR b Kk - 0 9"},
		{"a rook killed on the way ends the right", "r3k2r/8/7n/8/8/8/[RRR]7/4K3 w kq - 3 9", "a2h2", "r3k2r/8/7n/8/8/8/7[RRR]/4K3 b kq - 4 9"},
		{"a capture on the way sets the clock back", "4k3/8/8/8/p7/8/[RRR]7/4K3 w - - 3 9", "a2a6xa4", "4k3/8/[RRR]7/8/8/8/8/4K3 b - - 0 9"},
		{"a leap over an enemy does not", "4k3/8/8/8/p7/8/[RRR]7/4K3 w - - 3 9", "a2a6", "4k3/8/[RRR]7/8/p7/8/8/4K3 b - - 4 9"},
		{"a captain's step does not", "4k3/8/8/8/p7/8/C7/4K3 b - - 3 9", "e8e7", "8/4k3/8/8/p7/8/C7/4K3 w - - 4 10"},
		{"a captain is no pawn for the clock", "4k3/8/8/8/p7/8/C7/4K3 w - - 3 9", "a2b2", "4k3/8/8/8/p7/8/1C6/4K3 b - - 4 9"},
		{"a captain that arrives on the last rank stays one", "4k3/C7/8/8/8/8/8/4K3 w - - 3 9", "a7a8", "C3k3/8/8/8/8/8/8/4K3 b - - 4 9"},
		{"a double step names the square where a pawn stands ready", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 3 9", "e2e4", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9"},
		{"no captain stands ready en passant", "4k3/8/8/8/3c4/8/4P3/4K3 w - - 3 9", "e2e4", "4k3/8/8/8/3cP3/8/8/4K3 b - - 0 9"},
		{"en passant makes a captain", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 9", "e5d6", "4k3/8/3C4/8/8/8/8/4K3 b - - 0 9"},
		{"a pawn that captures on the last rank becomes what it captures", "3[nwf]2k1/4P3/8/8/8/8/8/4K3 w - - 3 9", "e7d8", "3[NWF]2k1/8/8/8/8/8/8/4K3 b - - 0 9"},
		{"on the king's file a pawn becomes a prince", "6k1/4P3/8/8/8/8/8/4K3 w - - 3 9", "e7e8p", "4[WF]1k1/8/8/8/8/8/8/4K3 b - - 0 9"},
		{"Black's pawns promote by the same files", "6k1/8/8/8/8/8/3p4/7K b - - 3 9", "d2d1q", "6k1/8/8/8/8/8/8/3q3K w - - 0 10"},
		{"a king absorbs nothing", "7k/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", "7k/8/8/8/8/8/1K6/8 b - - 0 1"},
		{"castling moves the rook", "4k3/8/8/8/8/8/8/R3K3 w Q - 3 9", "e1c1", "4k3/8/8/8/8/8/8/2KR4 b - - 4 9"},
	})
}

func TestARunAbsorbsInOrder(t *testing.T) {
	rulestest.LeadsTo(t, stealth.Stealth(), []rulestest.Case{
		{"each adds what it has", "7k/8/n7/8/b7/8/8/[RRR]6K w - - 0 1", "a1a8xa4xa6", "[RRRBN]6k/8/8/8/8/8/8/7K b - - 0 1"},
		{"pawns and captains add nothing", "7k/8/c7/8/p7/8/8/[RRR]6K w - - 0 1", "a1a8xa4xa6", "[RRR]6k/8/8/8/8/8/8/7K b - - 0 1"},
		{"what it has become may be the same as what comes next", "7k/8/[rrrbn]7/8/b7/n7/8/[RRR]6K w - - 0 1", "a1a7xa3xa4xa6", "7k/[RRRBBN]7/8/8/8/8/8/7K b - - 0 1"},
		{"in the other order it is not", "7k/8/b7/n7/[rrrbn]7/8/8/[RRR]6K w - - 0 1", "a1a7xa4xa5xa6", "7k/[RRRBN]7/8/8/8/8/8/7K b - - 0 1"},
		{"down the board the order is from the top", "[RRR]7/7k/b7/n7/[rrrbn]7/8/8/7K w - - 0 1", "a8a1xa4xa5xa6", "8/7k/8/8/8/8/8/[RRRBBN]6K b - - 0 1"},
	})
}

func position(t testing.TB, fen string) *rules.Position {
	return rulestest.Position(t, stealth.Stealth(), fen)
}
