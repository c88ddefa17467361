package draw

import (
	"image/color"
	"math"
)

// Surface is what a [Brush] paints on. It keeps no path that it is given.
type Surface interface {
	// Fill fills what a path goes around at least once more in one direction than in
	// the other. Open parts of it are closed.
	Fill(p Path, c color.NRGBA)
	// Stroke follows a path with a line.
	Stroke(p Path, c color.NRGBA, l Line)
	// Write writes a text.
	Write(t Text, c color.NRGBA)
	// Stamp paints something that looks the same wherever it is painted, in a square:
	// what draw does on a surface, in another square or in this one.
	Stamp(s Stamp, at Square, draw func(Surface, Square))
}

// Path is outlines, one after another.
type Path []Segment

// Segment is one step of a path.
type Segment struct {
	Op     Op
	C1, C2 Point // by way of which a Curve goes
	To     Point // where the step ends, unless it is a Close
}

// Op is the kind of a step.
type Op uint8

// The steps of a path.
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
	Dashes []float64 // the lengths of a dash and of a gap, none for a line without gaps
}

// Text is words in one line.
type Text struct {
	Words  string
	At     Point // on the baseline
	Size   float64
	Bold   bool
	Middle bool // At is in the middle of the text, not where it begins
}

// Stamp tells what is painted in one piece from all else: a name in a few words, and its colors.
type Stamp struct {
	Name   string
	Colors [2]Livery
}

// Square is a square part of a surface.
type Square struct{ X, Y, Side float64 } // its upper left corner, and how long its sides are

// Brush paints on a surface. It has a path, which grows until it is painted, and begins
// empty. It is for one goroutine.
type Brush struct {
	surface Surface
	path    Path
}

// NewBrush is a brush for a surface.
func NewBrush(s Surface) *Brush { return &Brush{surface: s} }

// MoveTo begins an outline.
func (b *Brush) MoveTo(x, y float64) {
	b.path = append(b.path, Segment{Op: Move, To: Point{x, y}})
}

// LineTo goes straight to a point, or begins there if nothing has begun.
func (b *Brush) LineTo(x, y float64) {
	op := Go
	if len(b.path) == 0 {
		op = Move
	}
	b.path = append(b.path, Segment{Op: op, To: Point{x, y}})
}

// CubicTo goes on a cubic curve by way of two points to a third.
func (b *Brush) CubicTo(x1, y1, x2, y2, x, y float64) {
	b.path = append(b.path, Segment{Curve, Point{x1, y1}, Point{x2, y2}, Point{x, y}})
}

// ClosePath goes back to where the outline began.
func (b *Brush) ClosePath() {
	b.path = append(b.path, Segment{Op: Close})
}

// DrawLine adds a line between two points.
func (b *Brush) DrawLine(x1, y1, x2, y2 float64) {
	b.MoveTo(x1, y1)
	b.LineTo(x2, y2)
}

// DrawRectangle adds a rectangle with that upper left corner.
func (b *Brush) DrawRectangle(x, y, width, height float64) {
	b.path = append(b.path, Rectangle(x, y, width, height)...)
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

// DrawRoundedRectangle adds a rectangle whose corners are quarters of circles.
func (b *Brush) DrawRoundedRectangle(x, y, width, height, radius float64) {
	left, right, top, bottom := x+radius, x+width-radius, y+radius, y+height-radius
	b.MoveTo(left, y)
	b.LineTo(right, y)
	b.quarter(right, top, radius, 3)
	b.LineTo(x+width, bottom)
	b.quarter(right, bottom, radius, 0)
	b.LineTo(left, y+height)
	b.quarter(left, bottom, radius, 1)
	b.LineTo(x, top)
	b.quarter(left, top, radius, 2)
	b.ClosePath()
}

// DrawCircle adds a circle.
func (b *Brush) DrawCircle(x, y, radius float64) {
	b.path = append(b.path, Circle(Point{x, y}, radius)...)
}

// Circle is a path around a circle.
func Circle(c Point, radius float64) Path {
	var b Brush
	b.MoveTo(c.X+radius, c.Y)
	for i := range 4 {
		b.quarter(c.X, c.Y, radius, i)
	}
	b.ClosePath()
	return b.path
}

// quarter follows a quarter of a circle clockwise, the first one from the right to
// the lower end.
func (b *Brush) quarter(x, y, radius float64, i int) {
	const k = 0.5523 // how far the control points are along the tangents
	sin, cos := math.Sincos(float64(i) * math.Pi / 2)
	at := func(along, across float64) (float64, float64) {
		return x + radius*(along*cos-across*sin), y + radius*(along*sin+across*cos)
	}
	x1, y1 := at(1, k)
	x2, y2 := at(k, 1)
	x3, y3 := at(0, 1)
	b.CubicTo(x1, y1, x2, y2, x3, y3)
}

// Fill fills the path, and forgets it.
func (b *Brush) Fill(c color.NRGBA) {
	b.FillPreserve(c)
	b.path = b.path[:0]
}

// FillPreserve fills the path, which may then be stroked.
func (b *Brush) FillPreserve(c color.NRGBA) { b.surface.Fill(b.path, c) }

// Stroke follows the path with a line, with dashes and gaps of these lengths in turn if there
// are any, and forgets it.
func (b *Brush) Stroke(c color.NRGBA, width float64, dashes ...float64) {
	b.Follow(c, Line{Width: width, Dashes: dashes})
}

// Follow follows the path with a line, and forgets it.
func (b *Brush) Follow(c color.NRGBA, l Line) {
	b.surface.Stroke(b.path, c, l)
	b.path = b.path[:0]
}

// StrokePreserve is Stroke of a path that may then be filled.
func (b *Brush) StrokePreserve(c color.NRGBA, width float64, dashes ...float64) {
	b.surface.Stroke(b.path, c, Line{Width: width, Dashes: dashes})
}

// Write writes a text. The path stays as it is.
func (b *Brush) Write(t Text, c color.NRGBA) { b.surface.Write(t, c) }

// Stamp paints something that looks the same wherever it is painted, in a square: what
// draw does with a brush, in a square that it is given. The path stays as it is.
func (b *Brush) Stamp(s Stamp, at Square, draw func(*Brush, Square)) {
	b.surface.Stamp(s, at, func(s Surface, at Square) { draw(NewBrush(s), at) })
}
