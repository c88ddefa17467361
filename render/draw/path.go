package draw

import (
	"image"
	"slices"
	"strconv"
	"strings"
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

// box is the side of the square, in units, in which figures are drawn: x grows to
// the right, y down.
const box = 100

// outline reads a path written as in SVG with the commands M, L, C and Z, capital
// letters and spaces throughout, and O for a circle: its centre and radius.
func outline(text string) Path {
	words := strings.Fields(text)
	next := func() float64 {
		n := numbers(words[0])[0]
		words = words[1:]
		return n
	}
	at := func() Point { return Point{X: next(), Y: next()} }
	var p Path
	for len(words) > 0 {
		op := words[0]
		words = words[1:]
		switch op {
		case "M":
			p = append(p, Segment{Op: Move, To: at()})
		case "L":
			p = append(p, Segment{Op: Go, To: at()})
		case "C":
			p = append(p, Segment{Op: Curve, C1: at(), C2: at(), To: at()})
		case "Z":
			p = append(p, Segment{Op: Close})
		case "O":
			p = append(p, Circle(at(), next())...)
		default:
			panic("draw: bad path: " + text)
		}
	}
	return p
}

// numbers reads numbers between spaces.
func numbers(text string) (all []float64) {
	for word := range strings.FieldsSeq(text) {
		n, err := strconv.ParseFloat(word, 64)
		if err != nil {
			panic("draw: a file that is part of this program is broken: " + text)
		}
		all = append(all, n)
	}
	return all
}

// symmetric is an open path, the left half of something, closed with its mirror image.
func (p Path) symmetric() Path {
	q := slices.Clone(p)
	for i := len(p) - 1; i > 0; i-- {
		q = append(q, Segment{Op: p[i].Op, C1: mirrored(p[i].C2), C2: mirrored(p[i].C1), To: mirrored(p[i-1].To)})
	}
	return append(q, Segment{Op: Close})
}

// closed reports whether p comes back to its start.
func (p Path) closed() bool { return p[len(p)-1].Op == Close }

// within is p, whose units are those of the frame, in units of what the frame is in.
func (p Path) within(f frame) Path {
	q := slices.Clone(p)
	for i := range q {
		for _, at := range []*Point{&q[i].C1, &q[i].C2, &q[i].To} {
			at.X, at.Y = f.at(*at)
		}
	}
	return q
}

func mirrored(p Point) Point { return Point{X: box - p.X, Y: p.Y} }

// frame says where units are on the surface.
type frame struct {
	x, y   float64 // of the origin
	sx, sy float64 // pixels per unit; sx below 0 mirrors
}

func (f frame) at(p Point) (x, y float64) { return f.x + p.X*f.sx, f.y + p.Y*f.sy }

// within is the frame of g's units, where g is given in those of f.
func (f frame) within(g frame) frame {
	x, y := f.at(Point{X: g.x, Y: g.y})
	return frame{x, y, f.sx * g.sx, f.sy * g.sy}
}

// scaled is the frame of units of another size, in which the middle of the line
// y = from comes to lie on that of the line y = to.
func scaled(size, from, to float64) frame {
	return frame{box/2 - box/2*size, to - from*size, size, size}
}
