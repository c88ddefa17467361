package draw

import (
	"maps"
	"slices"
	"testing"
)

// TestAHalfCoversWhatTheWholeCovers looks at points all over each figure: on one side of
// the seam a half covers those of the whole, on the other none.
func TestAHalfCoversWhatTheWholeCovers(t *testing.T) {
	const seam = 51.3
	for _, name := range slices.Sorted(maps.Keys(figures)) {
		for i, s := range slices.Concat(figures[name].head, figures[name].crest, figures[name].tower) {
			half := s.path.cut(seam)
			switch {
			case s.finish == crease:
				continue
			case half == nil:
				half = Path{{Op: Move}, {Op: Close}}
			}
			whole, left := s.path.corners(), half.corners()
			for x := .5; x < box; x += 3 {
				for y := .5; y < box; y += 3 {
					at := Point{X: x, Y: y}
					if want := x < seam && covers(whole, at); covers(left, at) != want {
						t.Fatalf("%s, shape %d: the half covers %v: %v", name, i, at, !want)
					}
				}
			}
		}
	}
}

// corners are points along a closed path, so near to each other that lines do for curves.
func (p Path) corners() []Point {
	var all []Point
	for _, s := range p {
		switch s.Op {
		case Move:
			all = append(all, s.To)
		case Go, Curve:
			const steps = 32
			from := all[len(all)-1]
			for i := range steps {
				all = append(all, along(s, from, float64(i+1)/steps))
			}
		case Close:
		}
	}
	return all
}

// covers reports whether an outline goes around a point.
func covers(outline []Point, q Point) bool {
	around := 0
	for i, to := range outline {
		from := outline[(i+len(outline)-1)%len(outline)]
		down := to.Y > q.Y
		if down == (from.Y > q.Y) || from.X+(q.Y-from.Y)/(to.Y-from.Y)*(to.X-from.X) <= q.X {
			continue
		}
		if down {
			around++
		} else {
			around--
		}
	}
	return around != 0
}
