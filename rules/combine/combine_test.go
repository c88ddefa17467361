package combine_test

import (
	"testing"

	"chimera/rules/combine"
	"chimera/rules/rulestest"
)

func TestCountedPositions(t *testing.T) {
	rulestest.Counts(t, combine.Combine(), "testdata/combine.jsonl")
}

func TestCountedPositionsOfTheFreeGame(t *testing.T) {
	rulestest.Counts(t, combine.CombineFree(), "testdata/combine-free.jsonl")
}

func TestSuite(t *testing.T)              { rulestest.Run(t, combine.Combine(), 10) }
func TestSuiteOfTheFreeGame(t *testing.T) { rulestest.Run(t, combine.CombineFree(), 10) }

func BenchmarkPerft(b *testing.B)     { rulestest.Benchmark(b, combine.Combine(), 4) }
func BenchmarkPerftFree(b *testing.B) { rulestest.Benchmark(b, combine.CombineFree(), 4) }
