package rulestest

import (
	"testing"

	"chimera/rules"
	"chimera/rules/perft"
)

// Benchmark counts perft of the start position of v, without playing the last ply, and reports nodes per second and
// allocations per node.
func Benchmark(b *testing.B, v *rules.Variant, depth int) {
	pos, err := v.Position("")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var nodes uint64
	for b.Loop() {
		nodes += perft.Nodes(pos, depth)
	}
	b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
}

// played is perft that also plays the last ply: slower, with the same result.
func played(c rules.Cursor, depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	var sum uint64
	for _, m := range c.Moves() {
		c.Push(m)
		sum += played(c, depth-1)
		c.Pop()
	}
	return sum
}
