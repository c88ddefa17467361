package draw

import (
	"image"
	"slices"
)

// Split parts a line or curve that comes from a in two, at the time u from 0 to 1.
func (s Segment) Split(a Point, u float64) (first, second Segment) {
	if s.Op != Curve {
		return Segment{Op: s.Op, To: between(a, s.To, u)}, s
	}
	p, q, r := between(a, s.C1, u), between(s.C1, s.C2, u), between(s.C2, s.To, u)
	pq, qr := between(p, q, u), between(q, r, u)
	m := between(pq, qr, u)
	return Segment{Curve, p, pq, m}, Segment{Curve, qr, r, s.To}
}

// between is so much of the way from a to b.
func between(a, b Point, u float64) Point { return Point{a.X + (b.X-a.X)*u, a.Y + (b.Y-a.Y)*u} }

// byEnds sorts the outlines of p: those with ends, and those that come back to their
// start. Each of the latter begins halfway along its first step.
func (p Path) byEnds() (open, closed Path) {
	for len(p) > 0 {
		n := 1
		for n < len(p) && p[n].Op != Move {
			n++
		}
		if outline := p[:n]; n > 2 && p[n-1].Op == Close {
			closed = append(closed, outline.begunHalfway()...)
		} else {
			open = append(open, outline...)
		}
		p = p[n:]
	}
	return open, closed
}

// begunHalfway is a closed outline from the middle of its first step, where it is smooth.
func (p Path) begunHalfway() Path {
	start, steps := p[0].To, p[1:len(p)-1]
	first, second := steps[0].Split(start, .5)
	q := append(Path{{Op: Move, To: first.To}, second}, steps[1:]...)
	if steps[len(steps)-1].To != start {
		q = append(q, Segment{Op: Go, To: start})
	}
	return append(q, first, Segment{Op: Close})
}

// pixels is the rectangle of whole pixels that p goes around, if it does so.
func (p Path) pixels() (r image.Rectangle, ok bool) {
	if len(p) != 5 {
		return r, false
	}
	a, c := p[0].To, p[2].To
	r = image.Rect(int(a.X), int(a.Y), int(c.X), int(c.Y))
	return r, slices.Equal(p, Rectangle(float64(r.Min.X), float64(r.Min.Y), float64(r.Dx()), float64(r.Dy())))
}
