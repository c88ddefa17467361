package render

import (
	"bytes"
	"image"
	"image/color/palette"
	imagedraw "image/draw"
	"image/gif"
	"image/png"
	"math/rand/v2"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/rules"
	"chimera/rules/variants"
)

// naive paints all of a diagram anew with gg, onto one canvas.
func naive(d diagram.Diagram, size int) image.Image {
	s := newScene(&d, size, false)
	m := image.NewRGBA(image.Rect(0, 0, s.width, s.height))
	imagedraw.Draw(m, m.Rect, image.NewUniform(draw.SchemeOf(d.Theme).Ground), image.Point{}, imagedraw.Src)
	on := draw.OnPixels(m)
	for i := range s.areas {
		s.paint(&s.areas[i], on, s.areas[i].Min)
	}
	return m
}

func naivePNG(d diagram.Diagram, size int) ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, naive(d, size))
	return b.Bytes(), err
}

func naiveGIF(frames []diagram.Diagram, size int) ([]byte, error) {
	var g gif.GIF
	for _, d := range frames {
		m := naive(d, size)
		p := image.NewPaletted(m.Bounds(), palette.Plan9)
		imagedraw.FloydSteinberg.Draw(p, p.Rect, m, image.Point{})
		g.Image = append(g.Image, p)
		g.Delay = append(g.Delay, 80)
	}
	var b bytes.Buffer
	err := gif.EncodeAll(&b, &g)
	return b.Bytes(), err
}

// replay is a game of a number of plies, with moves chosen at random by the seed.
func replay(t testing.TB, key string, plies int, seed uint64) []diagram.Diagram {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	for _, v := range variants.All() {
		if v.Key != key {
			continue
		}
		pos, err := v.Position("")
		golden.Must(t, err)
		frames := []diagram.Diagram{diagram.Of(pos, nil, rules.White)}
		for range plies {
			moves := pos.Moves()
			if len(moves) == 0 {
				t.Fatalf("%s, seed %d: the game is over after %d plies", key, seed, len(frames)-1)
			}
			m := moves[random.IntN(len(moves))]
			next, err := pos.Play(m)
			golden.Must(t, err)
			frames = append(frames, diagram.Of(next, pos.Effects(m), rules.White))
			pos = next
		}
		return frames
	}
	t.Fatalf("no game %s", key)
	return nil
}

// BenchmarkPNG measures a start board, drawn anew and from sprites, and one of the usual size with players.
func BenchmarkPNG(b *testing.B) {
	d := sample.All(b)["start"]
	b.Run("drawn anew", func(b *testing.B) {
		b.ReportAllocs()
		var file []byte
		for b.Loop() {
			var err error
			if file, err = naivePNG(d, Medium); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(file)), "B/picture")
	})
	named := d
	named.Bars = &diagram.Bars{Sides: [2]diagram.Bar{{Name: "alice", Rating: "1934", When: "12 Nov"}, {Name: "Бартоломей", Rating: "1620"}}}
	for _, c := range []struct {
		name string
		d    diagram.Diagram
		size int
	}{
		{"from sprites", d, Medium}, {"720 pixels, with players", named, DefaultSize},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var out bytes.Buffer
			p := NewPainter()
			for b.Loop() {
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
	b.Run("drawn anew", func(b *testing.B) {
		var file []byte
		for b.Loop() {
			var err error
			if file, err = naiveGIF(frames, Medium); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(file)), "B/replay")
	})
	b.Run("from sprites", func(b *testing.B) {
		b.ReportAllocs()
		var out bytes.Buffer
		p := NewPainter()
		for b.Loop() {
			out.Reset()
			golden.Must(b, p.GIF(&out, frames, Medium, Pace{Step: time.Second}))
		}
		b.ReportMetric(float64(out.Len()), "B/replay")
	})
}
