package draw

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Surface is what a [Brush] paints on. It must not keep the paths given to it.
type Surface interface {
	// Fill fills a path by the nonzero winding rule. Open parts of it are closed.
	Fill(p Path, c color.NRGBA)
	// Stroke draws a line along a path.
	Stroke(p Path, c color.NRGBA, l Line)
	// Write writes a text.
	Write(t Text, c color.NRGBA)
	// Stamp paints something that looks the same in every square, by calling draw for this surface and square or for
	// others.
	Stamp(s Stamp, at Square, draw func(Surface, Square))
}

// Path is a sequence of outlines.
type Path []Segment

// Segment is one step of a path.
type Segment struct {
	Op     Op
	C1, C2 Point // control points of a Curve
	To     Point // end of the step, unless it is a Close
}

// Op is the kind of a segment.
type Op uint8

// The kinds of segments.
const (
	Move  Op = iota // begins an outline
	Go              // a straight line
	Curve           // a cubic curve
	Close           // back to where the outline began
)

// Point is a place on a surface: x grows to the right, y down.
type Point struct{ X, Y float64 }

// Line is how a path is stroked. Corners are round, and so are ends unless they are blunt.
type Line struct {
	Width  float64
	Blunt  bool
	Dashes []float64 // lengths of dashes and gaps in turn, none for a solid line
}

// Text is words in one line.
type Text struct {
	Words  string
	At     Point // on the baseline
	Size   float64
	Bold   bool
	Middle bool // At is in the middle of the text, not where it begins
}

// Stamp identifies a painted thing: a short name, and its colors.
type Stamp struct {
	Name   string
	Colors [2]Livery
}

// Square is a square part of a surface.
type Square struct {
	Point // its upper left corner
	Side  float64
}

// Brush paints on a surface, in units from a corner. It has a path, which grows until it is painted. It is for one
// goroutine.
type Brush struct {
	Corner Point   // the upper left one, in pixels
	Unit   float64 // in pixels

	surface Surface
	path    Path
}

// NewBrush is a brush for a surface, whose units are pixels.
func NewBrush(s Surface) *Brush { return &Brush{Unit: 1, surface: s} }

// At is a place in pixels.
func (b *Brush) At(x, y float64) Point { return Point{b.Corner.X + x*b.Unit, b.Corner.Y + y*b.Unit} }

// Line adds straight lines from each place to the next.
func (b *Brush) Line(places ...Point) {
	op := Move
	for _, p := range places {
		b.path = append(b.path, Segment{Op: op, To: b.At(p.X, p.Y)})
		op = Go
	}
}

// Loop adds straight lines from each place to the next, and back to the first.
func (b *Brush) Loop(places ...Point) {
	b.Line(places...)
	b.path = append(b.path, Segment{Op: Close})
}

// Rectangle adds a rectangle, with rounded corners if they have a radius.
func (b *Brush) Rectangle(x, y, width, height, round float64) {
	if round == 0 {
		at := b.At(x, y)
		b.path = append(b.path, Rectangle(at.X, at.Y, width*b.Unit, height*b.Unit)...)
		return
	}
	x, y, width, height = x+round, y+round, width-2*round, height-2*round
	b.Line(Point{x, y - round})
	for i, corner := range []Point{{x + width, y}, {x + width, y + height}, {x, y + height}, {x, y}} {
		turn := quarter(b.At(corner.X, corner.Y), round*b.Unit, (i+3)%4)
		b.path = append(b.path, Segment{Op: Go, To: turn[0].To}, turn[1])
	}
	b.path = append(b.path, Segment{Op: Close})
}

// Rectangle is a path around a rectangle with that upper left corner.
func Rectangle(x, y, width, height float64) Path {
	return Path{
		{Op: Move, To: Point{x, y}},
		{Op: Go, To: Point{x + width, y}},
		{Op: Go, To: Point{x + width, y + height}},
		{Op: Go, To: Point{x, y + height}},
		{Op: Close},
	}
}

// Circle adds a circle.
func (b *Brush) Circle(x, y, radius float64) {
	b.path = append(b.path, Circle(b.At(x, y), radius*b.Unit)...)
}

// Circle is a path around a circle.
func Circle(c Point, radius float64) Path {
	p := Path{{Op: Move, To: Point{c.X + radius, c.Y}}}
	for i := range 4 {
		p = append(p, quarter(c, radius, i)[1])
	}
	return append(p, Segment{Op: Close})
}

// quarter follows a quarter of a circle clockwise, the first one from the right to
// the lower end.
func quarter(c Point, radius float64, i int) Path {
	const k = 0.5523 // distance of the control points along the tangents
	sin, cos := math.Sincos(float64(i) * math.Pi / 2)
	at := func(along, across float64) Point {
		return Point{c.X + radius*(along*cos-across*sin), c.Y + radius*(along*sin+across*cos)}
	}
	return Path{{Op: Move, To: at(1, 0)}, {Curve, at(1, k), at(k, 1), at(0, 1)}}
}

// Fill fills the path, and clears it.
func (b *Brush) Fill(c color.NRGBA) {
	b.FillPreserve(c)
	b.Clear()
}

// FillPreserve fills the path and keeps it, for example to stroke it.
func (b *Brush) FillPreserve(c color.NRGBA) { b.surface.Fill(b.path, c) }

// Stroke draws a line along the path, with dashes and gaps of these lengths in turn if there are any, all in units, and
// clears it.
func (b *Brush) Stroke(c color.NRGBA, width float64, dashes ...float64) {
	b.Follow(c, Line{Width: width, Dashes: dashes})
	b.Clear()
}

// Clear clears the path.
func (b *Brush) Clear() { b.path = b.path[:0] }

// Follow draws a line along the path, with lengths in units, and keeps the path.
func (b *Brush) Follow(c color.NRGBA, l Line) {
	l.Width *= b.Unit
	l.Dashes = slices.Clone(l.Dashes)
	for i := range l.Dashes {
		l.Dashes[i] *= b.Unit
	}
	b.surface.Stroke(b.path, c, l)
}

// Box fills a rectangle, with rounded corners if they have a radius.
func (b *Brush) Box(ink color.NRGBA, x, y, width, height, round float64) {
	b.Rectangle(x, y, width, height, round)
	b.Fill(ink)
}

// Disc fills a circle.
func (b *Brush) Disc(ink color.NRGBA, x, y, radius float64) {
	b.Circle(x, y, radius)
	b.Fill(ink)
}

// Style is how something is written.
type Style struct {
	Size  float64 // in units
	Bold  bool
	Ink   color.NRGBA
	Room  float64 // greatest width in units, beyond which text is cut; 0 for any
	Align Align
}

// Align is the share of a text that stands before its place.
type Align float64

// The ways to align a text.
const (
	Begin  Align = 0  // it begins there
	Center Align = .5 // it is written around the place
	End    Align = 1  // it ends there
)

// Face is the font of a style.
func (b *Brush) Face(s Style) *Face { return FaceOf(s.Size*b.Unit, s.Bold) }

// Write writes words with their baseline at y, cut to their room, and returns where they end if they begin at x.
func (b *Brush) Write(s Style, x, y float64, words string) (end float64) {
	words = b.Face(s).Fit(words, s.Room*b.Unit)
	if words == "" {
		return x
	}
	at, wide := b.At(x, y), b.Face(s).Width(words)
	at.X -= wide * float64(s.Align)
	b.surface.Write(Text{Words: words, At: at, Size: s.Size * b.Unit, Bold: s.Bold}, s.Ink)
	return x + wide/b.Unit
}

// WriteWhole writes words without cutting them.
func (b *Brush) WriteWhole(s Style, x, y float64, words string) {
	b.surface.Write(Text{Words: words, At: b.At(x, y), Size: s.Size * b.Unit, Bold: s.Bold}, s.Ink)
}

// Width is the width of words, in units.
func (b *Brush) Width(s Style, words string) float64 {
	f := b.Face(s)
	return f.Width(f.Fit(words, s.Room*b.Unit)) / b.Unit
}

// Wrap breaks a text into lines that fit the style's room, up to most lines, 0 for any number: then the last one
// may be too long. A longer word has a line of its own.
func (b *Brush) Wrap(s Style, text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && len(lines)+1 != most && b.Face(s).Width(longer) > s.Room*b.Unit {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Split splits a segment that starts at a, at the parameter u from 0 to 1.
func (s Segment) Split(a Point, u float64) (first, second Segment) {
	if s.Op != Curve {
		return Segment{Op: s.Op, To: between(a, s.To, u)}, s
	}
	p, q, r := between(a, s.C1, u), between(s.C1, s.C2, u), between(s.C2, s.To, u)
	pq, qr := between(p, q, u), between(q, r, u)
	m := between(pq, qr, u)
	return Segment{Curve, p, pq, m}, Segment{Curve, qr, r, s.To}
}

// between is the point a share u of the way from a to b.
func between(a, b Point, u float64) Point { return Point{a.X + (b.X-a.X)*u, a.Y + (b.Y-a.Y)*u} }

// byEnds separates the open outlines of p from the closed ones. Each closed one begins halfway along its first step.
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

// begunHalfway is a closed outline that begins at the middle of its first step, where it is smooth.
func (p Path) begunHalfway() Path {
	start, steps := p[0].To, p[1:len(p)-1]
	first, second := steps[0].Split(start, .5)
	q := append(Path{{Op: Move, To: first.To}, second}, steps[1:]...)
	if steps[len(steps)-1].To != start {
		q = append(q, Segment{Op: Go, To: start})
	}
	return append(q, first, Segment{Op: Close})
}

// pixels is the rectangle of whole pixels that p outlines, if it does.
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

// within is p with its coordinates converted from a frame's units.
func (p Path) within(f frame) Path {
	q := slices.Clone(p)
	for i := range q {
		for _, at := range []*Point{&q[i].C1, &q[i].C2, &q[i].To} {
			*at = f.at(*at)
		}
	}
	return q
}

func mirrored(p Point) Point { return Point{X: box - p.X, Y: p.Y} }

// frame is a coordinate system on the surface.
type frame struct {
	x, y   float64 // of the origin
	sx, sy float64 // pixels per unit; sx below 0 mirrors
}

func (f frame) at(p Point) Point { return Point{f.x + p.X*f.sx, f.y + p.Y*f.sy} }

// within is the frame g on the surface, where g is given in units of f.
func (f frame) within(g frame) frame {
	at := f.at(Point{X: g.x, Y: g.y})
	return frame{at.X, at.Y, f.sx * g.sx, f.sy * g.sy}
}

// scaled is the frame of units of another size, in which the middle of the line y = from coincides with that of the
// line y = to.
func scaled(size, from, to float64) frame {
	return frame{box/2 - box/2*size, to - from*size, size, size}
}
