package render

import (
	"bytes"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"chimera/render/diagram"
	"chimera/render/internal/sample"
)

func TestManyPaintAtOnce(t *testing.T) {
	want := map[string][]byte{}
	all := sample.All(t)
	for name, d := range all {
		want[name] = encoded(t, newAtelier(1<<20), d)
	}
	names := slices.Sorted(maps.Keys(all))
	for _, limit := range []int{1 << 20, 1 << 17} { // all at once, and hardly any
		shared := newAtelier(limit)
		var group sync.WaitGroup
		for i := range 64 {
			group.Go(func() {
				for k := range 3 {
					name := names[(i+k)%len(names)]
					if !bytes.Equal(encoded(t, shared, all[name]), want[name]) {
						t.Errorf("%s looks different when many paint", name)
					}
				}
			})
		}
		group.Wait()
	}
}

func encoded(t *testing.T, a *atelier, d diagram.Diagram) []byte {
	var b bytes.Buffer
	if err := a.png(&b, &d, 160); err != nil {
		t.Error(err)
	}
	return b.Bytes()
}

func TestSpritesAreKeptAndForgotten(t *testing.T) {
	const side, limit = 20, 40 * (20*20 + overhead)
	a := newAtelier(limit)
	count := func() int { return len(a.sprites.young) + len(a.sprites.old) }
	d := sample.All(t)["start"]
	encode := func(d diagram.Diagram) {
		if err := a.png(io.Discard, &d, 8*side); err != nil {
			t.Fatal(err)
		}
	}
	encode(d)
	before := count()
	encode(d)
	if count() != before || before == 0 {
		t.Errorf("a picture left %d sprites, the same again %d", before, count())
	}
	for _, d := range sample.All(t) {
		for range 3 {
			d.Bottom = d.Bottom.Other()
			encode(d)
			size := 0
			for _, m := range []map[key]sprite{a.sprites.young, a.sprites.old} {
				for _, painted := range m {
					size += len(painted.pix) + overhead
				}
			}
			// The old ones are at most half, and so are the young but for the last.
			if size > limit+side*side+overhead {
				t.Fatalf("%d sprites take %d bytes, more than %d", count(), size, limit)
			}
		}
	}
}

func TestNothingIsDrawnTwice(t *testing.T) {
	d := sample.All(t)["hybrids"]
	s := newScene(&d, Medium)
	c := newSprites(1 << 24)
	first, second := c.of(s, new(brushwork)), c.of(s, new(brushwork))
	for i := range first {
		if &first[i].pix[0] != &second[i].pix[0] {
			t.Fatalf("tile %d was drawn anew", i)
		}
	}
}

// TestOursIsSmaller: pictures take at most 0.3 of the bytes of ones drawn anew.
func TestOursIsSmaller(t *testing.T) {
	d := sample.All(t)["start"]
	naiveFile, err := naivePNG(d, Medium)
	if err != nil {
		t.Fatal(err)
	}
	var ours bytes.Buffer
	if err := PNG(&ours, d, Medium); err != nil {
		t.Fatal(err)
	}
	if most := .3 * float64(len(naiveFile)); float64(ours.Len()) > most {
		t.Errorf("a picture takes %d bytes, want at most %.0f", ours.Len(), most)
	}
}

// TestNoPictureTakesMuchMemory draws the largest pictures there are, and the replay of a long game,
// in an atelier that has nothing yet: all that each takes, thrown away or not, is less than 64 MB.
func TestNoPictureTakesMuchMemory(t *testing.T) {
	paintsForLong(t)
	const most = 64 << 20
	d := sample.All(t)["hybrids"]
	long := replay(t, "combine", 60, 1)
	for len(long) < 400 {
		long = append(long, long[len(long)-1], long[len(long)-2], long[len(long)-60])
	}
	for name, draw := range map[string]func(a *atelier) error{
		"a board":  func(a *atelier) error { return a.png(io.Discard, &d, MaxSize) },
		"a replay": func(a *atelier) error { return a.gif(io.Discard, long, Large, Pace{Step: time.Second}) },
	} {
		a := newAtelier(32 << 20)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := draw(a); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > most {
			t.Errorf("%s takes %d MB, want at most %d", name, took>>20, most>>20)
		} else {
			t.Logf("%s takes %d MB", name, took>>20)
		}
	}
}
