package knightmare_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/knightmare"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, knightmare.Knightmare(), "testdata/knightmare.jsonl")
}

func TestSuite(t *testing.T) { rulestest.Run(t, knightmare.Knightmare(), 10) }

func BenchmarkPerft(b *testing.B) { rulestest.Benchmark(b, knightmare.Knightmare(), 5) }

func position(t testing.TB, fen string) *rules.Position {
	return rulestest.Position(t, knightmare.Knightmare(), fen)
}
