package draw

import (
	"slices"
	"strconv"
	"strings"
)

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
