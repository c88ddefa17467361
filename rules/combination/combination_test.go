package combination_test

import (
	"flag"
	"testing"

	"chimera/rules"
	"chimera/rules/combination"
	"chimera/rules/internal/rulestest"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, combination.Combination(), "testdata/combination.jsonl")
}

var seeds = flag.Int("seeds", 5, "random games to check")

func TestSuite(t *testing.T) { rulestest.Run(t, combination.Combination(), *seeds) }

func BenchmarkPerft(b *testing.B) { rulestest.Benchmark(b, combination.Combination(), 4) }

func position(t testing.TB, fen string) *rules.Position {
	return rulestest.Position(t, combination.Combination(), fen)
}
