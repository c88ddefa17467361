package analysis_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// BenchmarkFind finds the threats at the start of each game.
func BenchmarkFind(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			pos := rulestest.Position(b, v, "")
			for b.Loop() {
				analysis.Find(pos)
			}
		})
	}
}

// BenchmarkOf finds what the last piece of each game's table can do.
func BenchmarkOf(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			for b.Loop() {
				if _, err := analysis.Of(v, rules.Piece{White: rules.Role(len(v.Table) - 1)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
