package combine_test

import (
	"testing"

	"chimera/rules/combine"
	"chimera/rules/internal/rulestest"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, combine.Strict(), "testdata/combine.jsonl")
}

func TestCountedPositionsOfTheFreeGame(t *testing.T) {
	rulestest.Counts(t, combine.Free(), "testdata/combine-free.jsonl")
}

func TestSuite(t *testing.T)              { rulestest.Run(t, combine.Strict(), 10) }
func TestSuiteOfTheFreeGame(t *testing.T) { rulestest.Run(t, combine.Free(), 10) }

func BenchmarkPerft(b *testing.B)     { rulestest.Benchmark(b, combine.Strict(), 4) }
func BenchmarkPerftFree(b *testing.B) { rulestest.Benchmark(b, combine.Free(), 4) }
