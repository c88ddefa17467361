package glyph

import (
	"slices"
	"strconv"
	"strings"

	"chimera/render/paint"
)

// box is the side of the square, in units, in which figures are drawn: x grows to
// the right, y down.
const box = 100

type point struct{ x, y float64 }

// segment is one step of a path: a move ('M') or line ('L') to a point, a cubic
// curve ('C') by way of two control points, or the way back to the start ('Z').
type segment struct {
	op         byte
	c1, c2, to point
}

type path []segment

// outline reads a path written as in SVG with the commands M, L, C and Z, capital
// letters and spaces throughout, and O for a circle: its centre and radius.
func outline(text string) path {
	words := strings.Fields(text)
	next := func() float64 {
		n, err := strconv.ParseFloat(words[0], 64)
		if err != nil {
			panic("glyph: bad path: " + text)
		}
		words = words[1:]
		return n
	}
	at := func() point { return point{next(), next()} }
	var p path
	for len(words) > 0 {
		op := words[0][0]
		words = words[1:]
		switch op {
		case 'M', 'L':
			p = append(p, segment{op: op, to: at()})
		case 'C':
			p = append(p, segment{op: op, c1: at(), c2: at(), to: at()})
		case 'Z':
			p = append(p, segment{op: op})
		case 'O':
			p = append(p, circle(at(), next())...)
		default:
			panic("glyph: bad path: " + text)
		}
	}
	return p
}

func circle(c point, r float64) path {
	const k = 0.5523 // the control points of a quarter of a circle
	from := func(x, y float64) point { return point{c.x + x*r, c.y + y*r} }
	return path{
		{op: 'M', to: from(1, 0)},
		{'C', from(1, k), from(k, 1), from(0, 1)},
		{'C', from(-k, 1), from(-1, k), from(-1, 0)},
		{'C', from(-1, -k), from(-k, -1), from(0, -1)},
		{'C', from(k, -1), from(1, -k), from(1, 0)},
		{op: 'Z'},
	}
}

// symmetric closes an open path, the left half of something, with its mirror
// image.
func symmetric(text string) path {
	left := outline(text)
	p := slices.Clone(left)
	for i := len(left) - 1; i > 0; i-- {
		s := left[i]
		p = append(p, segment{s.op, s.c2.mirrored(), s.c1.mirrored(), left[i-1].to.mirrored()})
	}
	return append(p, segment{op: 'Z'})
}

func (p point) mirrored() point { return point{box - p.x, p.y} }

// frame says where units are on the surface.
type frame struct {
	x, y   float64 // of the origin
	sx, sy float64 // pixels per unit; sx below 0 mirrors
}

func (f frame) at(p point) (x, y float64) { return f.x + p.x*f.sx, f.y + p.y*f.sy }

// within is the frame of g's units, where g is given in those of f.
func (f frame) within(g frame) frame {
	x, y := f.at(point{g.x, g.y})
	return frame{x, y, f.sx * g.sx, f.sy * g.sy}
}

// scaled is the frame of units of another size, in which the middle of the line
// y = from comes to lie on that of the line y = to.
func scaled(size, from, to float64) frame {
	return frame{box/2 - box/2*size, to - from*size, size, size}
}

// trace has a brush follow p, to be filled or stroked.
func (p path) trace(dc *paint.Brush, f frame) {
	for _, s := range p {
		x, y := f.at(s.to)
		switch s.op {
		case 'M':
			dc.MoveTo(x, y)
		case 'L':
			dc.LineTo(x, y)
		case 'C':
			x1, y1 := f.at(s.c1)
			x2, y2 := f.at(s.c2)
			dc.CubicTo(x1, y1, x2, y2, x, y)
		case 'Z':
			dc.ClosePath()
		}
	}
}
