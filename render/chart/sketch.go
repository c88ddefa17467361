package chart

import (
	"fmt"
	"strings"
	"time"

	"chimera/rules/phrase"
)

// Sketch is a plot as pages draw it: paths on a field of [SketchWidth] by [SketchHeight], of which the values and
// the dates have an edge each.
type Sketch struct {
	Lines      []string
	Levels     []Level
	Begin, End phrase.Phrase // when the lines do
	About      phrase.Phrase // tells what is seen, for people who cannot see it
}

// Level is a value of a sketch, and how far down it is.
type Level struct {
	Value float64
	Y     int
}

// SketchWidth is how wide a sketch is, in units of its paths.
const SketchWidth = 360

// SketchHeight is how high it is.
const SketchHeight = 160

// The edges of a sketch: at its left and below, and elsewhere.
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

// Share is where a row's value and its range are on the scale of all, from 0 to 100.
func (r *Ranking) Share(row Row) (low, value, high int) {
	s := r.scale()
	at := func(value float64) int { return int(100 * s.share(value)) }
	if r.Bars {
		return 0, at(row.Value), at(row.Value)
	}
	return at(row.Low), at(row.Value), at(row.High)
}
