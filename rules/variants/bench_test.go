package variants_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// BenchmarkParse reads what people write for the moves of a position, and what is none.
func BenchmarkParse(b *testing.B) {
	for _, v := range variants.All() {
		b.Run(v.Key, func(b *testing.B) {
			pos := rulestest.RandomPosition(b, v, 6)
			texts := append(pos.ChatTexts(), "n x d5", "c~Nd4", "Qh9", "that was a good move")
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				_, _ = pos.Parse(texts[i%len(texts)])
			}
		})
	}
}
