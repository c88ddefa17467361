package render

import (
	"math"

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

// lineStyle is how the text of a lesson is written.
func lineStyle(room float64) draw.Style { return draw.Style{Size: 11.5, Room: room} }

// lesson is a Lesson laid out for a place of some width.
type lesson struct {
	name  string
	lines []string // of text, each as wide as there is room
	piece *tile    // with the piece that it is about, nil for none
	signs []chip
	unit  float64 // in pixels
	left  float64 // where the text begins
	width float64
	high  float64
}

// chip is a sign of a lesson: a square with a mark, and what it means beside it.
type chip struct {
	tile
	means string
	x, y  float64 // the upper left corner
}

// newLesson lays l out on a strip of a width in units; a unit is given in pixels.
func newLesson(d *diagram.Diagram, l *diagram.Lesson, width, unit float64) *lesson {
	it := &lesson{name: l.Name, unit: unit, left: lessonMargin, width: width}
	if l.Piece != (rules.Piece{}) {
		it.piece = &tile{plain: plain{ground: lightSquare, here: l.Piece}}
		it.left += lessonIcon + lessonMargin
	}
	brush := draw.Brush{Unit: unit}
	style := lineStyle(width - lessonMargin - it.left)
	it.lines = brush.Wrap(style, l.Line, 0)
	y := lessonMargin + lessonName + float64(len(it.lines))*lessonLine
	if it.piece != nil {
		y = max(y, lessonMargin+lessonIcon)
	}
	x := it.left
	for i, s := range l.Signs {
		c := chip{tile: tile{plain: plain{ground: lightSquare, here: s.Piece}}, means: s.Means}
		if s.Mark != (diagram.Mark{}) {
			c.show(d, s.Mark)
		}
		wide := lessonSign + 5 + brush.Face(style).Width(s.Means)/unit
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
		if d.Lends(m) && c.occupied() {
			c.borrowed[side] = []rules.Role{d.Board[m.From].Half(side)}
		}
	default:
		c.marks = 1 << m.Kind
	}
}

func (l *lesson) paint(p *panel) {
	const thick = 1
	ink := p.cover(false).Text
	p.Unit = l.unit
	p.Box(p.Rim, 0, 0, l.width, max(1, math.Round(thick*p.Unit))/p.Unit, 0) // tells it from a bar
	if l.piece != nil {
		p.square(lessonMargin, lessonMargin, lessonIcon, l.piece)
	}
	p.Write(draw.Style{Size: 13.5, Bold: true, Ink: ink, Room: l.width - lessonMargin - l.left}, l.left, lessonMargin+11.5, l.name)
	text := func(x, y float64, words string) {
		p.WriteWhole(draw.Style{Size: lineStyle(0).Size, Ink: ink}, x, y, words)
	}
	for i, line := range l.lines {
		text(l.left, lessonMargin+lessonName+10.5+float64(i)*lessonLine, line)
	}
	for _, c := range l.signs {
		p.square(c.x, c.y, lessonSign, &c.tile)
		text(c.x+lessonSign+5, c.y+lessonSign/2+4, c.means)
	}
}

// square paints a square of a board: signs are so large on an empty one, and badges so large on any, that
// they can be told apart.
func (p *panel) square(x, y, side float64, t *tile) {
	small, at := *p.pen, p.At(x, y)
	small.Corner, small.Unit = draw.Point{X: math.Round(at.X), Y: math.Round(at.Y)}, math.Round(side*p.Unit)
	switch {
	case len(t.borrowed[0])+len(t.borrowed[1]) > 0:
		small.paintGround(t)
		small.paintBelow(t)
		small.enlarge(2.9, .835, .165)
		small.paintBadges(t)
	case t.occupied() || t.lent != 0:
		small.paint(t)
	default:
		small.paintGround(t)
		small.enlarge(1.7, .5, .5)
		small.paintSpots(t)
	}
}

// enlarge multiplies the size of a tile, and moves a place of it to the middle.
func (p *pen) enlarge(times, x, y float64) {
	p.Corner = p.At(.5-times*x, .5-times*y)
	p.Unit *= times
}
