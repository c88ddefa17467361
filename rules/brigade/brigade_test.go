package brigade_test

import (
	"flag"
	"testing"

	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/internal/rulestest"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, brigade.Brigade(), "testdata/brigade.jsonl")
}

var seeds = flag.Int("seeds", 6, "random games to check")

func TestSuite(t *testing.T) { rulestest.Run(t, brigade.Brigade(), *seeds) }

func BenchmarkPerft(b *testing.B) { rulestest.Benchmark(b, brigade.Brigade(), 3) }

func BenchmarkMoves(b *testing.B) {
	for name, fen := range map[string]string{
		"start":  "",
		"one":    "r3k2r/pp6/q1n1b1p1/4N1Q1/6P1/3B4/2P2P2/R3K2R w - - 2 9",
		"open":   "1n1pk2r/rqp2p2/3b3P/1p6/6b1/1P1P4/2P2NP1/1NP1KP2 b - - 0 22",
		"three":  "q3k3/pp3ppp/8/3Q4/4q3/8/PPP2PPP/Q3K2Q w - - 0 1",
		"barred": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2",
	} {
		b.Run(name, func(b *testing.B) {
			c := position(b, fen).Cursor()
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				n = len(c.Moves())
			}
			b.ReportMetric(float64(n), "moves")
		})
	}
}

func TestMovesAreMadeWithoutMemory(t *testing.T) {
	for _, fen := range []string{
		"1n1pk2r/rqp2p2/3b3P/1p6/6b1/1P1P4/2P2NP1/1NP1KP2 b - - 0 22",
		"q3k3/pp3ppp/8/3Q4/4q3/8/PPP2PPP/Q3K2Q w - - 0 1",
		"8/8/6k1/8/1P6/1Q6/1PP2P1P/2R1K2P b - - 12 34",
	} {
		rulestest.WithoutMemory(t, position(t, fen))
	}
}

func position(t testing.TB, fen string) *rules.Position {
	return rulestest.Position(t, brigade.Brigade(), fen)
}
