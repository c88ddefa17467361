package chart

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"time"

	"chimera/render/draw"
	"chimera/rules/phrase"
)

// Plot is a part of a chart: values over time.
type Plot struct {
	Title  phrase.Phrase
	Figure string  // text for the last value, or ""
	Small  bool    // lower, and without the band around its curve
	Curves []Curve // one with a band around it, or two
}

// Curve is how a value changed.
type Curve struct {
	Name   string
	Points []Point // in order of time
}

// Point is a value at a time.
type Point struct {
	At     time.Time
	Value  float64
	Spread float64 // the likely distance from the value; 0 if not known
}

const (
	curvesLeft = 46 // to the right of the names of values
	plotFoot   = 18
	legendLine = 18
)

func (p *Plot) paint(e *easel, y float64) (foot float64) {
	e.row(draw.Style{Size: 14, Bold: true, Room: 210}, y+15, e.say(p.Title), p.Figure)
	y += headHeight
	for i, c := range p.Curves {
		if len(p.Curves) > 1 { // several need names
			e.paintKey(i, y+legendLine/2, c)
			y += legendLine
		}
	}
	area := 124.
	if p.Small {
		area = 46
	}
	f := field{left: curvesLeft, right: chartWidth - margin - 4, top: y, bottom: y + area}
	p.fit(&f)
	if len(p.Curves) == 1 && !p.Small { // several bands would hide each other
		e.paintBand(f, p.Curves[0])
	}
	for _, tick := range f.values.ticks() {
		e.paintTick(f, e.hair, tick, fmt.Sprintf("%g", tick))
	}
	for i, c := range p.Curves {
		var outline []draw.Point
		for j, at := range c.Points {
			outline = append(outline, draw.Point{X: f.x(c, j), Y: f.y(at.Value)})
		}
		e.Line(outline...)
		e.follow(i, 2)
		if n := len(c.Points); n > 0 {
			e.dot(e.Lines[i%2], f.x(c, n-1), f.y(c.Points[n-1].Value), 4, i%2 == 1)
		}
	}
	e.rule(e.faint, f.left, f.bottom, f.right, f.bottom)
	e.paintDates(f)
	return f.bottom + plotFoot
}

// paintTick draws a horizontal line, and labels its value.
func (e *easel) paintTick(f field, ink color.NRGBA, value float64, name string) {
	e.rule(ink, f.left, f.y(value), f.right, f.y(value))
	e.Write(draw.Style{Size: 11, Ink: e.faint, Align: draw.End}, f.left-6, f.y(value)+4, name)
}

// paintKey shows which curve is whose.
func (e *easel) paintKey(i int, y float64, c Curve) {
	e.Line(draw.Point{X: margin, Y: y}, draw.Point{X: margin + 24, Y: y})
	e.follow(i, 2.5)
	e.dot(e.Lines[i%2], margin+24, y, 3.5, i%2 == 1)
	figure := ""
	if n := len(c.Points); n > 0 {
		figure = round(c.Points[n-1].Value)
	}
	e.Write(draw.Style{Size: 13, Ink: e.Text, Room: 200}, margin+34, y+4.5, c.Name)
	e.Write(draw.Style{Size: 13, Bold: true, Ink: e.Text, Align: draw.End}, chartWidth-margin, y+4.5, figure)
}

// follow strokes the path as a curve: the second one is dashed, to differ from the first without color.
func (e *easel) follow(i int, width float64) {
	line := draw.Line{Width: width, Blunt: true}
	if i%2 == 1 {
		line.Dashes = []float64{4, 2.5}
	}
	e.Follow(e.Lines[i%2], line)
	e.Clear()
}

// field is the area of curves: its edges, and the values and times they stand for.
type field struct {
	left, right, top, bottom float64
	values                   scale
	first, last              time.Time
}

// fit chooses the values and times of a field's edges so that all curves fit.
func (p *Plot) fit(f *field) {
	f.values = scale{low: math.Inf(1), high: math.Inf(-1), most: 4}
	if p.Small {
		f.values.most = 2
	}
	reach := func(value float64) {
		f.values.low, f.values.high = min(f.values.low, value), max(f.values.high, value)
	}
	for _, c := range p.Curves {
		for i, at := range c.Points {
			if f.first.IsZero() || at.At.Before(f.first) {
				f.first = at.At
			}
			if at.At.After(f.last) {
				f.last = at.At
			}
			reach(at.Value)
			if i == len(c.Points)-1 && len(p.Curves) == 1 && !p.Small { // earlier bands are wide and may be cut
				reach(at.Value - at.Spread)
				reach(at.Value + at.Spread)
			}
		}
	}
	const least = 40
	f.values = f.values.wide(least)
	room := .06 * (f.values.high - f.values.low)
	f.values.low, f.values.high = f.values.low-room, f.values.high+room
}

func (f *field) y(value float64) float64 {
	return f.bottom - (f.bottom-f.top)*f.values.share(value)
}

// x is the position of a point: by its time, or by its index if all times are the same.
func (f *field) x(c Curve, i int) float64 {
	if span := f.last.Sub(f.first); span > 0 {
		return f.left + (f.right-f.left)*float64(c.Points[i].At.Sub(f.first))/float64(span)
	}
	if len(c.Points) < 2 {
		return (f.left + f.right) / 2
	}
	return f.left + (f.right-f.left)*float64(i)/float64(len(c.Points)-1)
}

// paintBand fills the likely range around a curve, where it is known.
func (e *easel) paintBand(f field, c Curve) {
	for begin := 0; begin < len(c.Points); {
		end := begin
		for end < len(c.Points) && c.Points[end].Spread > 0 {
			end++
		}
		var outline []draw.Point
		for i := begin; i < end; i++ {
			outline = append(outline, draw.Point{X: f.x(c, i), Y: f.y(c.Points[i].Value + c.Points[i].Spread)})
		}
		for i := end - 1; i >= begin; i-- {
			outline = append(outline, draw.Point{X: f.x(c, i), Y: f.y(c.Points[i].Value - c.Points[i].Spread)})
		}
		e.Loop(outline...)
		e.Fill(e.band)
		begin = end + 1
	}
}

// paintDates labels the beginning and end of the curves, and times between if there is room.
func (e *easel) paintDates(f field) {
	if f.first.IsZero() {
		return
	}
	span := f.last.Sub(f.first)
	say := func(at time.Time) string { return e.say(date(at, span, f.last)) }
	write := func(align draw.Align, x float64, words string) {
		e.Write(draw.Style{Size: 11, Ink: e.faint, Align: align}, x, f.bottom+14, words)
	}
	begin, middle, end := say(f.first), say(f.first.Add(span/2)), say(f.last)
	if begin != end {
		write(draw.Begin, f.left, begin)
		write(draw.End, f.right+4, end)
	}
	if begin == end || middle != begin && middle != end {
		write(draw.Center, (f.left+f.right)/2, middle)
	}
}

// date is a moment, as precise as a span requires, with its year if that differs from the last moment's.
func date(at time.Time, span time.Duration, last time.Time) phrase.Phrase {
	const day = 24 * time.Hour
	at = at.UTC()
	month := book.Say("month", "n", int(at.Month()))
	switch {
	case span > 300*day:
		return book.Say("date-month", "month", month, "year", at.Year())
	case at.Year() != last.UTC().Year():
		return Date(at)
	case span >= 2*day, span == 0:
		return book.Say("date-day", "day", at.Day(), "month", month)
	}
	return book.Say("date-time", "day", at.Day(), "month", month, "time", at.Format("15:04"))
}

// Date is a day with its year, in the time zone of the moment.
func Date(at time.Time) phrase.Phrase {
	return book.Say("date-year", "day", at.Day(), "month", book.Say("month", "n", int(at.Month())), "year", at.Year())
}

func (p *Plot) words() phrase.Phrase {
	var said []phrase.Phrase
	for _, c := range p.Curves {
		n := len(c.Points)
		if n == 0 {
			continue
		}
		low, high := c.Points[0].Value, c.Points[0].Value
		for _, at := range c.Points {
			low, high = min(low, at.Value), max(high, at.Value)
		}
		name := cmp.Or(draw.Plain(c.Name), "none")
		first, last := c.Points[0], c.Points[n-1]
		said = append(said, book.Say("curve", "title", p.Title, "name", name, "first", round(first.Value), "begin", Date(first.At.UTC()),
			"last", round(last.Value), "end", Date(last.At.UTC()), "low", round(low), "high", round(high)))
	}
	return sentences(said)
}

// round is a value as text.
func round(value float64) string { return fmt.Sprintf("%.0f", value) }

// Sketch is a plot for pages: paths on a field of [SketchWidth] by [SketchHeight], with margins for values and dates.
type Sketch struct {
	Lines      []string
	Levels     []Level
	Begin, End phrase.Phrase // of the lines
	About      phrase.Phrase // a description, for people who cannot see it
}

// Level is a value of a sketch, and its distance from the top.
type Level struct {
	Value float64
	Y     int
}

// SketchWidth is the width of a sketch, in units of its paths.
const SketchWidth = 360

// SketchHeight is its height.
const SketchHeight = 160

// The margins of a sketch: left, below, and elsewhere.
const (
	sketchLeft, sketchBelow = 40, 20
	sketchAround            = 8
)

// Sketch is the plot on a page.
func (p *Plot) Sketch() (s Sketch) {
	s.About = p.words()
	f := field{left: sketchLeft, right: SketchWidth - sketchAround, top: sketchAround, bottom: SketchHeight - sketchBelow}
	p.fit(&f)
	for _, tick := range f.values.ticks() {
		s.Levels = append(s.Levels, Level{tick, int(f.y(tick))})
	}
	for _, c := range p.Curves {
		var line strings.Builder
		for i, at := range c.Points {
			fmt.Fprintf(&line, "L%.1f %.1f", f.x(c, i), f.y(at.Value))
		}
		s.Lines = append(s.Lines, "M"+line.String()[min(1, line.Len()):])
	}
	say := func(at time.Time) phrase.Phrase { return date(at, f.last.Sub(f.first), f.last) }
	s.Begin, s.End = say(f.first), say(f.last)
	return s
}

// Share is where, on the ranking's scale from 0 to 100, a row's range begins, its value is, and its range ends.
func (r *Ranking) Share(row Row) [3]int {
	s := r.scale()
	at := func(value float64) int { return int(100 * s.share(value)) }
	if r.Bars {
		return [3]int{0, at(row.Value), at(row.Value)}
	}
	return [3]int{at(row.Low), at(row.Value), at(row.High)}
}

// scale is a range of values, and its greatest number of ticks between the ends.
type scale struct {
	low, high float64
	most      int
}

// wide is s, made finite and at least as wide as least.
func (s scale) wide(least float64) scale {
	if !(s.low <= s.high) || math.IsInf(s.low, 0) || math.IsInf(s.high, 0) {
		s.low, s.high = 0, 0
	}
	if more := least - (s.high - s.low); more > 0 {
		s.low, s.high = s.low-more/2, s.high+more/2
	}
	return s
}

// share is the position of a value, from 0 to 1; 0 if it is not a number.
func (s scale) share(value float64) float64 {
	if share := (value - s.low) / (s.high - s.low); share > 0 {
		return min(1, share)
	}
	return 0
}

// ticks are round values on the scale.
func (s scale) ticks() []float64 {
	step := s.step()
	var all []float64
	for tick := math.Ceil(s.low/step) * step; tick <= s.high; tick += step {
		all = append(all, tick)
	}
	return all
}

// step is the smallest round step that makes no more ticks than wanted.
func (s scale) step() float64 {
	for power := math.Pow(10, math.Floor(math.Log10((s.high-s.low)/float64(s.most)))); ; power *= 10 {
		for _, times := range []float64{1, 2, 5} {
			if step := power * times; math.Floor(s.high/step)-math.Ceil(s.low/step)+1 <= float64(s.most) {
				return step
			}
		}
	}
}

// Chances is a part of a chart: White's winning chances in a game, position by position, with the moves that decided
// it.
type Chances struct {
	Title   phrase.Phrase
	Figure  phrase.Phrase // meaning of the height, in per cent
	White   []float64     // from 0 to 1, for each position including the first
	First   float64       // the move number there: plus a half with Black to move
	Moments []int         // positions in which the deciding moves were played, in order
	Births  [2][]int      // positions after which White and Black made a piece from two
}

const chancesArea = 150

func (c *Chances) paint(e *easel, y float64) (foot float64) {
	y = e.heading(y, c.Title, c.Figure)
	f := field{left: curvesLeft, right: chartWidth - margin - 4, top: y, bottom: y + chancesArea, values: scale{high: 1}}
	e.box(e.Pieces[1].Fill, f.left, f.top, f.right-f.left, chancesArea, 0)
	if len(c.White) > 1 {
		outline := []draw.Point{{X: f.left, Y: f.bottom}}
		for i, white := range c.White {
			outline = append(outline, draw.Point{X: c.x(f, i), Y: f.y(white)})
		}
		e.Loop(append(outline, draw.Point{X: f.right, Y: f.bottom})...)
		e.Fill(e.Pieces[0].Fill)
	}
	for _, tick := range []float64{0, .5, 1} {
		e.paintTick(f, e.faint, tick, round(100*tick))
	}
	c.paintMoves(e, f)
	for side, at := range c.Births {
		for _, i := range at {
			const half, high = 4, 7
			x, edge, tip := c.x(f, i), f.bottom, f.bottom-high
			if side == 1 {
				edge, tip = f.top, f.top+high
			}
			e.Loop(draw.Point{X: x - half, Y: edge}, draw.Point{X: x + half, Y: edge}, draw.Point{X: x, Y: tip})
			e.Fill(e.Pieces[1-side].Fill)
		}
	}
	for n, i := range c.Moments {
		if i >= 0 && i < len(c.White) {
			const radius = 8
			x, y := c.x(f, i), f.y(c.White[i])
			e.dot(e.Sheet, x, y, radius+1.5, false)
			e.dot(e.Lines[0], x, y, radius, false)
			e.Write(draw.Style{Size: 12, Bold: true, Ink: e.Sheet, Align: draw.Center}, x, y+4.3, fmt.Sprint(n+1))
		}
	}
	return f.bottom + plotFoot
}

// x is where a position is.
func (c *Chances) x(f field, i int) float64 {
	return f.left + (f.right-f.left)*float64(i)/float64(max(len(c.White)-1, 1))
}

// paintMoves writes the numbers of some moves.
func (c *Chances) paintMoves(e *easel, f field) {
	s := scale{low: c.First, high: c.First + float64(len(c.White)-1)/2, most: 6}
	if s.high <= s.low {
		return
	}
	for _, tick := range s.ticks() {
		if tick != float64(int(tick)) {
			continue
		}
		x := f.left + (f.right-f.left)*s.share(tick)
		e.rule(e.faint, x, f.bottom, x, f.bottom+3)
		e.Write(draw.Style{Size: 11, Ink: e.faint, Align: draw.Center}, x, f.bottom+14, fmt.Sprint(tick))
	}
}

func (c *Chances) words() phrase.Phrase {
	if len(c.White) == 0 {
		return phrase.Phrase{}
	}
	share := func(white float64) int { return int(100*white + .5) }
	return book.Say("chances", "title", c.Title, "first", share(c.White[0]), "last", share(c.White[len(c.White)-1]),
		"low", share(slices.Min(c.White)), "high", share(slices.Max(c.White)))
}
