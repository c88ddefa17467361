package engine

import (
	"context"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

func BenchmarkSearch(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			e, err := New(v)
			rulestest.Must(b, err)
			var games []rules.Game
			for seed := uint64(0); len(games) < 10; seed++ {
				if pos := rulestest.RandomPosition(b, v, seed); !rules.NewGame(pos).Outcome().Over() {
					games = append(games, rules.NewGame(pos))
				}
			}
			b.ReportAllocs()
			nodes, depth, n := 0, 0, 0
			for b.Loop() {
				result, err := e.Search(context.Background(), games[n%len(games)], Limits{Nodes: 20_000})
				rulestest.Must(b, err)
				nodes += result.Nodes
				depth += result.Depth
				n++
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(depth)/float64(n), "depth")
		})
	}
}
