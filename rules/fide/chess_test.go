package fide_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/perft"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, fide.Chess(), "testdata/chess.jsonl")
}

func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		fen   string
		depth int
		want  uint64
	}{
		// https://www.chessprogramming.org/Perft_Results
		{fide.Start, 5, 4865609},
		{"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603},
		{"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11030083},
		{"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292},
		{"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
		{"r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3894594},
	} {
		if got := perft.Nodes(position(t, c.fen), c.depth); got != c.want {
			t.Errorf("%s: perft(%d) is %d, want %d", c.fen, c.depth, got, c.want)
		}
	}
}

func TestSuite(t *testing.T) { rulestest.Run(t, fide.Chess(), 20) }

func BenchmarkPerft(b *testing.B) { rulestest.Benchmark(b, fide.Chess(), 5) }

func position(t testing.TB, fen string) *rules.Position {
	return rulestest.Position(t, fide.Chess(), fen)
}
