package render

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/rules"
)

// BenchmarkPNG measures a start board, and one of the usual size with players: the same
// again, and after a move, when the date is another and the other bar is lit.
func BenchmarkPNG(b *testing.B) {
	d := sample.Diagram(b, sample.StartBoard)
	named := d
	named.Bars = sample.Barred(b).Bars
	for _, c := range []struct {
		name  string
		d     diagram.Diagram
		size  int
		moves bool
	}{
		{"alone", d, Medium, false}, {"720 pixels, with players", named, DefaultSize, false}, {"720 pixels, after a move", named, DefaultSize, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var out bytes.Buffer
			p := NewPainter()
			for n := 0; b.Loop(); n++ {
				if c.moves {
					c.d.Turn = rules.Color(n % 2)
					c.d.Bars.Sides[c.d.Turn].When = fmt.Sprintf("Tue 24 Nov %d UTC", n)
					c.d.Bars.Sides[c.d.Turn.Other()].When = ""
				}
				out.Reset()
				golden.Must(b, p.PNG(&out, c.d, c.size))
			}
			b.ReportMetric(float64(out.Len()), "B/picture")
		})
	}
}

func BenchmarkGIF(b *testing.B) {
	const plies, seed = 60, 1
	frames := replay(b, "combine", plies, seed)
	b.ReportAllocs()
	var out bytes.Buffer
	p := NewPainter()
	for b.Loop() {
		out.Reset()
		golden.Must(b, p.GIF(&out, frames, Medium, Pace{Step: time.Second}))
	}
	b.ReportMetric(float64(out.Len()), "B/replay")
}
