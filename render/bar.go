package render

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"chimera/render/diagram"
	"chimera/render/draw"
	"chimera/rules"
)

// barUnits is the height of a bar in units; on a phone, a board is about 360 units wide.
const barUnits = 32

// barHeight is the height of a bar in pixels for a size of board: just enough for two lines, so that a Large picture
// with two bars is not shrunk by platforms.
func barHeight(size int) int { return size * 9 / 100 }

// panel is a place beside a board, with a pen for squares on it.
type panel struct {
	*pen
	draw.Brush
	width, height float64 // in units
}

func (p *pen) panel(a image.Rectangle, unit float64) *panel {
	brush := p.Brush
	brush.Unit = unit
	return &panel{p, brush, float64(a.Dx()) / unit, float64(a.Dy()) / unit}
}

// bar is the text about a player, on a ground that is lit for the one to move, or the winner.
type bar struct {
	diagram.Bar
	side rules.Color
	lit  bool
}

func newBar(d *diagram.Diagram, side rules.Color, brief bool) *bar {
	b := &bar{d.Bars.Sides[side], side, side == d.Turn}
	if d.Over || d.Bars.Result != "" || brief {
		b.lit = b.Won
	}
	return b
}

// addBars puts bars above and below the board of a scene, which has room for the upper one, and a result between it and
// the lower one.
func (s *scene) addBars(d *diagram.Diagram, height int) {
	s.height += 2 * height
	if d.Bars.Result != "" {
		s.height += height
	}
	for i, side := range []rules.Color{d.Bottom.Other(), d.Bottom} {
		b := newBar(d, side, s.brief)
		y := i * (s.height - height)
		const left, whole = 62, 100 // of the width
		middle := s.width * left / whole
		s.add(0, y, middle, height, b.player)
		s.add(middle, y, s.width-middle, height, b.date)
	}
	if d.Bars.Result != "" {
		s.add(0, s.height-2*height, s.width, height, func(p *panel) { // a banner across the picture: the score, and what ended the game
			const line = 1
			p.Box(p.Banner.Text, 0, 0, p.width, p.height, 0)
			p.Box(p.Banner.Ground, 0, line, p.width, p.height-2*line, 0)
			p.middle(draw.Style{Size: 18.5, Bold: true, Ink: p.Banner.Text}, baseline, d.Bars.Result)
		})
	}
}

// baseline is the baseline of a single line on a banner or in a caption.
const baseline = 22.5

// cover fills a panel with the ground of a bar, and returns the colors.
func (p *panel) cover(lit bool) draw.Panel {
	colors := p.Bars[0]
	if lit {
		colors = p.Bars[1]
	}
	p.Box(colors.Ground, 0, 0, p.width, p.height, 0)
	return colors
}

// player is the left part of a bar: the player, beside a disc in the color of their side, and what they have captured.
func (b *bar) player(p *panel) {
	const (
		left            = 28 // where the name begins
		between, margin = 5, 4
	)
	colors := p.cover(b.lit)
	fill, edge := p.Side(b.side)
	if face := diagram.FaceOf(b.Face, b.side); face != (rules.Piece{}) {
		const size = 24
		livery := draw.Livery{Fill: fill, Edge: edge, Detail: edge}
		p.Piece(diagram.Faces(), face, false, 14.5-size/2, (barUnits-size)/2, size, &[2]draw.Livery{livery, livery})
	} else {
		p.Circle(14.5, barUnits/2, 6.2)
		p.FillPreserve(fill)
		p.Stroke(edge, 1.2)
	}
	room := p.width - margin
	small := draw.Style{Size: 10.5, Ink: colors.Text}
	rating := 0.
	if b.Rating != "" {
		rating = between + p.Width(small, b.Rating)
	}
	name := draw.Style{Size: 13.5, Bold: true, Ink: colors.Text, Room: room - rating - left}
	x := left + p.Width(name, b.Name) + rating + 2*between
	y, second := 20.7, 20.7 // baselines
	kinds := len(slices.Compact(slices.Clone(b.Taken)))
	if kinds > 0 && x+step*(2+min(float64(len(b.Taken)), 2.3*float64(kinds))) > room { // what is captured may have no room beside the name
		x, y, second = left, 13, 28
	}
	end := p.Write(name, left, y, b.Name)
	p.Write(small, end+between, y, b.Rating)
	x = b.taken(p, colors, x, second)
	if b.Ahead > 0 {
		small.Bold = true
		p.Write(small, x+between, second, fmt.Sprintf("+%d", b.Ahead))
	}
}

// step is the width of a captured piece.
const step = 15.5

// taken lines up captured pieces from x on beside words at y, three or more equal ones as one and their number, and
// returns where they end. They are in their former owner's colors.
func (b *bar) taken(p *panel, colors draw.Panel, x, y float64) float64 {
	const size = 16
	foot := y + 3.4
	for rest := b.Taken; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n] == rest[0] {
			n++
		}
		alone := n
		if n > 2 {
			alone = 1
		}
		if b.side == rules.White { // black on a dark bar would be invisible
			p.Box(p.Dark, x, foot-size+1, float64(alone)*step, size-1, 0)
		}
		for range alone {
			p.Piece(p.table, rest[0], false, x, foot-size, size, &p.Pieces)
			x += step
		}
		if n > alone {
			x = p.Write(draw.Style{Size: 10.5, Bold: true, Ink: colors.Text}, x+1, y, fmt.Sprintf("×%d", n)) + 5
		}
		rest = rest[n:]
	}
	return x
}

// date is the right part of a bar: the player's deadline, in two lines if possible, beside a clock.
func (b *bar) date(p *panel) {
	const margin, icon, gap = 9, 5.2, 6
	colors := p.cover(b.lit)
	if b.When == "" {
		return
	}
	s := draw.Style{Size: 10.5, Bold: true, Ink: colors.Text, Room: p.width - 2*margin - 2*icon - gap}
	lines := halves(p.Face(s), b.When)
	wide := 0.
	for _, line := range lines {
		wide = max(wide, p.Width(s, line))
	}
	x := p.width - margin - wide
	for i, y := range [][]float64{{20}, {13.6, 26}}[len(lines)-1] {
		p.Write(s, x, y, lines[i])
	}
	x -= gap + icon
	const middle = barUnits / 2.
	p.Circle(x, middle, icon)
	p.Line(draw.Point{X: x, Y: middle - icon*.62}, draw.Point{X: x, Y: middle}, draw.Point{X: x + icon*.5, Y: middle + icon*.3})
	p.Stroke(colors.Text, 1.2)
}

// halves are a text in two lines of similar length, or in one if it has no space.
func halves(f *draw.Face, text string) []string {
	words := strings.Fields(text)
	best, least := []string{text}, f.Width(text)
	for i := range words[:max(0, len(words)-1)] {
		halves := []string{strings.Join(words[:i+1], " "), strings.Join(words[i+1:], " ")}
		if wide := max(f.Width(halves[0]), f.Width(halves[1])); wide < least {
			best, least = halves, wide
		}
	}
	return best
}

// middle writes words centered on a line.
func (p *panel) middle(s draw.Style, y float64, words string) {
	const margin = 30
	s.Room, s.Align = p.width-2*margin, draw.Center
	p.Write(s, p.width/2, y, words)
}

// newEndCard is a scene with the result of a diagram's game, and the players above and below as at the board.
func newEndCard(d *diagram.Diagram, theme diagram.Theme, size image.Point) *scene {
	const aside = 128
	card := &scene{theme: theme, width: size.X, height: size.Y}
	card.add(0, 0, size.X, size.Y, func(p *panel) {
		p = p.panel(image.Rectangle{Max: size}, float64(size.X)*.09/barUnits) // the same unit as on bars
		text := p.cover(false).Text
		middle := p.height / 2
		score, how, _ := strings.Cut(d.Bars.Result, " · ")
		p.middle(draw.Style{Size: 60, Bold: true, Ink: text}, middle+12, score)
		p.middle(draw.Style{Size: 20, Ink: text}, middle+42, how)
		for side, b := range d.Bars.Sides {
			y := middle + aside
			if rules.Color(side) != d.Bottom {
				y = middle - aside
			}
			p.named(b, y)
		}
	})
	return card
}

// named writes a player's name around a line, on a lit plate if they have won.
func (p *panel) named(b diagram.Bar, y float64) {
	const inset, half, round = 20, 30, 8
	ink := p.Bars[0].Text
	if b.Won {
		ink = p.Bars[1].Text
		p.Box(p.Bars[1].Ground, inset, y-half, p.width-2*inset, 2*half, round)
	}
	first := y + 8
	if b.Rating != "" {
		first = y - 1
		p.middle(draw.Style{Size: 16, Ink: ink}, y+19, b.Rating)
	}
	p.middle(draw.Style{Size: 24, Bold: true, Ink: ink}, first, b.Name)
}

// Measures of a lesson, in units, of which a board has 360 on its longer side.
const (
	legendUnits  = 360
	lessonMargin = 9
	lessonIcon   = 40 // the side of the square with a piece
	lessonName   = 17 // the height of the line with the name
	lessonLine   = 14.5
	lessonSign   = 20 // the side of the square with a mark
)

// lineStyle is how the text of a lesson is written.
func lineStyle(room float64) draw.Style { return draw.Style{Size: 11.5, Room: room} }

// lesson is a Lesson laid out for a width.
type lesson struct {
	name  string
	lines []string // of text, broken to fit
	piece *tile    // with the piece it is about, nil for none
	signs []chip
	unit  float64 // in pixels
	left  float64 // where the text begins
	width float64
	high  float64
}

// chip is a sign of a lesson: a square with a mark, and its meaning beside it.
type chip struct {
	tile
	means string
	x, y  float64 // the upper left corner
}

// newLesson lays l out for a width in units; a unit is given in pixels.
func newLesson(d *diagram.Diagram, l *diagram.Lesson, width, unit float64) *lesson {
	it := &lesson{name: l.Name.Text(d.Language), unit: unit, left: lessonMargin, width: width}
	if l.Piece != (rules.Piece{}) {
		it.piece = &tile{plain: plain{ground: lightSquare, here: l.Piece}}
		it.left += lessonIcon + lessonMargin
	}
	brush := draw.Brush{Unit: unit}
	style := lineStyle(width - lessonMargin - it.left)
	it.lines = brush.Wrap(style, l.Line.Text(d.Language), 0)
	y := lessonMargin + lessonName + float64(len(it.lines))*lessonLine
	if it.piece != nil {
		y = max(y, lessonMargin+lessonIcon)
	}
	x := it.left
	for i, s := range l.Signs {
		alone := d.Alone(s)
		c := chip{tile: newGrid(&alone, false).tiles[0], means: s.Means.Text(d.Language)}
		c.ground, c.field = lightSquare, s.Mark.Kind == diagram.Goes && d.Everywhere()
		wide := lessonSign + 5 + brush.Face(style).Width(c.means)/unit
		if i > 0 && x+wide > width-lessonMargin {
			x = it.left
			y += lessonSign + 5
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

func (l *lesson) paint(p *panel) {
	const thick = 1
	ink := p.cover(false).Text
	p.Unit = l.unit
	p.Box(p.Rim, 0, 0, l.width, max(1, math.Round(thick*p.Unit))/p.Unit, 0) // sets it off from a bar
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

// square paints a square of a board, with signs on an empty one, and badges on any, large enough to be distinguished.
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

// enlarge scales a tile, and moves a place of it to the middle.
func (p *pen) enlarge(times, x, y float64) {
	p.Corner = p.At(.5-times*x, .5-times*y)
	p.Unit *= times
}
