package draw

import (
	"image/color"
	"strings"
)

// Canvas is a brush that measures in units, from a corner on.
type Canvas struct {
	*Brush
	Corner Point   // the upper left one, in pixels
	Unit   float64 // in pixels
}

// Style is how something is written.
type Style struct {
	Size  float64 // in units
	Bold  bool
	Ink   color.NRGBA
	Room  float64 // in units: what is longer is cut; 0 for any length
	Align Align
}

// Align is where a text stands that is written at a place.
type Align uint8

// The ways to align a text.
const (
	Begin  Align = iota // it begins there
	Center              // it is written around the place
	End                 // it ends there
)

// At is a place in pixels.
func (c *Canvas) At(x, y float64) Point { return Point{c.Corner.X + x*c.Unit, c.Corner.Y + y*c.Unit} }

// Face is the font of a style.
func (c *Canvas) Face(s Style) *Face { return FaceOf(s.Size*c.Unit, s.Bold) }

// Write writes words with their baseline at y, cut to their room, and says where they end if they begin
// at x.
func (c *Canvas) Write(s Style, x, y float64, words string) (end float64) {
	words = c.Face(s).Fit(words, s.Room*c.Unit)
	if words == "" {
		return x
	}
	at, wide := c.At(x, y), c.Face(s).Width(words)
	switch s.Align {
	case Center:
		at.X -= wide / 2
	case End:
		at.X -= wide
	case Begin:
	}
	c.Brush.Write(Text{Words: words, At: at, Size: s.Size * c.Unit, Bold: s.Bold}, s.Ink)
	return x + wide/c.Unit
}

// Width is how wide words are written, in units.
func (c *Canvas) Width(s Style, words string) float64 {
	f := c.Face(s)
	return f.Width(f.Fit(words, s.Room*c.Unit)) / c.Unit
}

// Wrap parts a text into lines that the style has room for, so many at most, 0 for any number; the
// last one may be too long. A word that is longer has a line of its own.
func (c *Canvas) Wrap(s Style, text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && len(lines)+1 != most && c.Face(s).Width(longer) > s.Room*c.Unit {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// Box fills a rectangle, with rounded corners if they have a radius.
func (c *Canvas) Box(ink color.NRGBA, x, y, width, height, round float64) {
	if round == 0 {
		c.Rectangle(x, y, width, height)
	} else {
		at := c.At(x, y)
		c.DrawRoundedRectangle(at.X, at.Y, width*c.Unit, height*c.Unit, round*c.Unit)
	}
	c.Fill(ink)
}

// Line adds straight lines from each place to the next.
func (c *Canvas) Line(places ...Point) {
	for i, p := range places {
		at := c.At(p.X, p.Y)
		if i == 0 {
			c.MoveTo(at.X, at.Y)
		} else {
			c.LineTo(at.X, at.Y)
		}
	}
}

// Polygon fills what is between places.
func (c *Canvas) Polygon(ink color.NRGBA, places ...Point) {
	c.Line(places...)
	c.ClosePath()
	c.Fill(ink)
}

// Rectangle adds a rectangle.
func (c *Canvas) Rectangle(x, y, width, height float64) {
	at := c.At(x, y)
	c.DrawRectangle(at.X, at.Y, width*c.Unit, height*c.Unit)
}

// Circle adds a circle.
func (c *Canvas) Circle(x, y, radius float64) {
	at := c.At(x, y)
	c.DrawCircle(at.X, at.Y, radius*c.Unit)
}

// Disc fills a circle.
func (c *Canvas) Disc(ink color.NRGBA, x, y, radius float64) {
	c.Circle(x, y, radius)
	c.Fill(ink)
}

// Stroke follows the path with a line, with dashes and gaps of these lengths in turn if there
// are any, all in units, and forgets it.
func (c *Canvas) Stroke(ink color.NRGBA, width float64, dashes ...float64) {
	var lengths []float64
	for _, d := range dashes {
		lengths = append(lengths, d*c.Unit)
	}
	c.Brush.Stroke(ink, width*c.Unit, lengths...)
}
