package render

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
)

func TestManyPaintAtOnce(t *testing.T) {
	encoded := func(p *Painter, d diagram.Diagram) []byte {
		var b bytes.Buffer
		if err := p.PNG(&b, d, 160); err != nil {
			t.Error(err)
		}
		return b.Bytes()
	}
	want := map[string][]byte{}
	all := sample.All(t)
	for name, d := range all {
		want[name] = encoded(NewPainter(), d)
	}
	names := slices.Sorted(maps.Keys(all))
	for _, kept := range []int{maxParts, 16} { // all at once, and hardly any
		shared := NewPainter()
		shared.parts.Resize(kept)
		var group sync.WaitGroup
		for i := range 64 {
			group.Go(func() {
				for k := range 3 {
					name := names[(i+k)%len(names)]
					if !bytes.Equal(encoded(shared, all[name]), want[name]) {
						t.Errorf("%s looks different when many paint", name)
					}
				}
			})
		}
		group.Wait()
	}
}

func TestNothingIsDrawnTwice(t *testing.T) {
	d := sample.All(t)["hybrids"]
	p := NewPainter()
	var before int
	for range 2 {
		before = p.parts.Len()
		golden.Must(t, p.PNG(io.Discard, d, Medium))
	}
	if kept := p.parts.Len(); kept != before || kept == 0 {
		t.Errorf("a picture left %d parts, the same again %d", before, kept)
	}
}

// TestNoPictureTakesMuchMemory draws the largest pictures there are, and the replay of a long game,
// as a painter who has nothing yet: what is in use when it is written is less than 48 MB.
func TestNoPictureTakesMuchMemory(t *testing.T) {
	paintsForLong(t)
	const most = 48 << 20
	d := sample.All(t)["hybrids"]
	long := replay(t, "combine", 60, 1)
	for len(long) < 400 {
		long = append(long, long[len(long)-1], long[len(long)-2], long[len(long)-60])
	}
	for name, draw := range map[string]func(p *Painter, w io.Writer) error{
		"a board":  func(p *Painter, w io.Writer) error { return p.PNG(w, d, MaxSize) },
		"a replay": func(p *Painter, w io.Writer) error { return p.GIF(w, long, Large, Pace{Step: time.Second}) },
	} {
		var before, after heap
		if _, err := before.Write(nil); err != nil {
			t.Fatal(err)
		}
		golden.Must(t, draw(NewPainter(), &after))
		if took := after.most - min(after.most, before.most); took > most {
			t.Errorf("%s takes %d MB, want at most %d", name, took>>20, most>>20)
		} else {
			t.Logf("%s takes %d MB", name, took>>20)
		}
	}
}
