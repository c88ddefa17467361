package render

import (
	"fmt"
	"math"
	"strings"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// How a lesson is written, in units, of which a board has 360 on its longer side.
const (
	legendUnits  = 360
	lessonMargin = 9
	lessonIcon   = 40 // the side of the square with a piece
	lessonName   = 17 // the height of the line with the name
	lessonLine   = 14.5
	lessonSign   = 20 // the side of the square with a mark
	lessonRow    = lessonSign + 5
)

// The styles of a lesson.
//
//nolint:gochecknoglobals // never written
var (
	nameStyle = style{13.5, true}
	lineStyle = style{11.5, false}
)

// lesson is a Lesson laid out for a place of some width.
type lesson struct {
	name   string
	lines  []string // of text, each as wide as there is room
	piece  tile     // with the piece that it is about, on no ground for none
	stands contents
	signs  []chip
	table  rules.Table
	unit   float64 // in pixels
	left   float64 // where the text begins
	width  float64
	high   float64
}

// chip is a sign of a lesson: a square with a mark, and what it means beside it.
type chip struct {
	tile
	stands contents
	means  string
	x, y   float64 // the upper left corner
}

// newLesson lays l out for so many units, each of so many pixels.
func newLesson(d *diagram.Diagram, l *diagram.Lesson, width, unit float64) *lesson {
	it := &lesson{name: l.Name, table: d.Table, unit: unit, left: lessonMargin, width: width}
	y := float64(lessonMargin)
	if l.Piece != (rules.Piece{}) {
		it.piece, it.stands.here = tile{ground: lightSquare, look: look(d.Table, l.Piece)}, l.Piece
		it.left += lessonIcon + lessonMargin
	}
	room := width - lessonMargin - it.left
	face := draw.NewFace(lineStyle.size*unit, lineStyle.bold)
	it.lines = wrap(face, l.Line, room*unit)
	y += lessonName + float64(len(it.lines))*lessonLine
	if it.piece.ground != hole {
		y = max(y, lessonMargin+lessonIcon)
	}
	x := it.left
	for i, s := range l.Signs {
		c := chip{tile: tile{ground: lightSquare}, means: s.Means}
		c.stands.here, c.look = s.Piece, look(d.Table, s.Piece)
		c.show(d, s.Mark)
		wide := lessonSign + 5 + face.Width(s.Means)/unit
		if i > 0 && x+wide > width-lessonMargin {
			x = it.left
			y += lessonRow
		}
		if i == 0 {
			y += 4
		}
		c.x, c.y = x, y
		it.signs = append(it.signs, c)
		x += wide + lessonMargin
	}
	if it.signs != nil {
		y += lessonSign
	}
	it.high = y + lessonMargin
	return it
}

// show puts a mark of d on a chip.
func (c *chip) show(d *diagram.Diagram, m diagram.Mark) {
	switch m.Kind {
	case diagram.Goes:
		c.part, c.field = d.PartNumber(m), d.Everywhere()
	case diagram.Takes:
		c.marks = 1 << diagram.Takes
		if m.Piece != (rules.Piece{}) {
			c.part = d.PartNumber(m)
		}
	case diagram.Lent:
		side := d.Lender(m)
		c.lent, c.ends[side] = 1<<side, 0xff
		if d.Lends(m) && c.look != 0 {
			role := d.Board[m.From].Half(side)
			c.stands.borrowed[side], c.badges[side] = []rules.Role{role}, look(d.Table, rules.PieceOf(side, role))
		}
	default:
		c.marks = 1 << m.Kind
	}
}

// wrap parts a text into lines of so many pixels. A word that is longer has a line of its own.
func wrap(face *draw.Face, text string, room float64) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimLeft(line+" "+word, " ")
		if line != "" && face.Width(longer) > room {
			lines, longer = append(lines, line), word
		}
		line = longer
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

func (l *lesson) key() string {
	var b strings.Builder
	fmt.Fprintf(&b, "lesson %q %q %x", l.name, l.lines, l.piece.look)
	for _, c := range l.signs {
		fmt.Fprintf(&b, " %q %x %x %d %t %d %x", c.means, c.look, c.marks, c.part, c.field, c.lent, c.badges)
	}
	return b.String()
}

func (l *lesson) paint(p *panelist) {
	p.cover(p.Bars[0].Ground)
	p.unit = l.unit
	p.rule(l.width)
	ink := p.Bars[0].Text
	if l.piece.ground != hole {
		l.square(p, lessonMargin, lessonMargin, lessonIcon, &l.piece, &l.stands)
	}
	p.write(nameStyle, ink, l.left, lessonMargin+11.5, l.width-lessonMargin-l.left, l.name)
	for i, line := range l.lines {
		p.text(lineStyle, l.left, lessonMargin+lessonName+10.5+float64(i)*lessonLine, line)
	}
	for _, c := range l.signs {
		l.square(p, c.x, c.y, lessonSign, &c.tile, &c.stands)
		p.text(lineStyle, c.x+lessonSign+5, c.y+lessonSign/2+4, c.means)
	}
}

// rule draws a line above a lesson, so that it is told from a bar.
func (p *panelist) rule(width float64) {
	const thick = 1
	p.dc.DrawRectangle(p.h(0), p.v(0), width*p.unit, max(1, math.Round(thick*p.unit)))
	p.dc.Fill(p.Rim)
}

// text writes a line that fits.
func (p *panelist) text(s style, x, y float64, words string) {
	p.dc.Write(draw.Text{Words: words, At: draw.Point{X: p.h(x), Y: p.v(y)}, Size: s.size * p.unit, Bold: s.bold}, p.Bars[0].Text)
}

// square paints a square of a board, spots on an empty one so large that they can be told apart.
func (l *lesson) square(p *panelist, x, y, side float64, t *tile, stands *contents) {
	const larger = 1.7
	small := *p.pen
	small.x, small.y, small.cell = math.Round(p.h(x)), math.Round(p.v(y)), math.Round(side*p.unit)
	switch {
	case t.badges != [2]uint64{}:
		l.badge(&small, t, stands)
		return
	case t.look != 0 || t.lent != 0:
		small.paint(t, l.table, stands)
		return
	}
	small.paintGround(t)
	margin := small.cell * (larger - 1) / 2
	small.x, small.y, small.cell = small.x-margin, small.y-margin, small.cell*larger
	small.paintSpots(t)
}

// badge paints a badge alone, so large that it fills a square.
func (l *lesson) badge(p *pen, t *tile, stands *contents) {
	const larger, x, y = 2.9, .835, .165 // where the middle of a badge is
	p.paintGround(t)
	p.paintBelow(t)
	p.x, p.y = p.x+p.cell*(.5-larger*x), p.y+p.cell*(.5-larger*y)
	p.cell *= larger
	p.paintBadges(l.table, stands)
}

// addLessons puts the legend of d below all else, and makes room for it.
func (s *scene) addLessons(d *diagram.Diagram, size int) {
	unit := float64(size) / legendUnits
	for i := range d.Legend {
		l := newLesson(d, &d.Legend[i], float64(s.width)/unit, unit)
		high := int(l.high*unit + .5)
		s.addPart(l, 0, s.height, s.width, high)
		s.height += high
	}
}
